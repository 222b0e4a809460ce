// What an index holds of the rows of its table: their texts, or codes of their vectors. Directory,
// logs and runs are the same for both; records are not.
#pragma once

#include "index/codec/code_record.h"
#include "index/codec/record.h"
#include "pg/backend.h"

extern "C" {
#include "utils/rel.h"
}

namespace memory::index {

enum class Payload : std::uint8_t { texts, codes };

// That of a recall index, by the type of its last column.
Payload payload_of(Relation index);
Payload payload_of(Oid last_column) noexcept;

// By which rules an index would be filled now: what its meta page has as fingerprint.
std::uint64_t rules_of(Relation index);

// A record of either payload, as what moves or removes it sees it.
struct StoredRecord {
    codec::Tid tid;
    bool continued;            // goes on with the document of the record before
    std::uint32_t fingerprint; // the same for the same text or vector; others may share it
    codec::Bytes bytes;        // all of it
};

// That of a row's code, or of the absence of one.
std::uint32_t fingerprint_of(const codec::CodeRecord &record) noexcept;

// The bytes of a text's record among those of its page.
codec::Bytes bytes_of(codec::Bytes page_records, const codec::Record &record);

// Calls visit(StoredRecord) for the records that fill `bytes`. Throws codec::Corrupt.
template <class Visit>
void each_stored(Payload payload, codec::Bytes bytes, Visit &&visit) {
    if (payload == Payload::codes) {
        codec::CodeRecordReader records(bytes);
        while (const auto record = records.next())
            visit(StoredRecord{record->tid, false, fingerprint_of(*record), record->whole});
        return;
    }
    codec::RecordReader records(bytes);
    while (const auto record = records.next())
        visit(StoredRecord{record->document.tid, record->continued, record->document.fingerprint,
                           bytes_of(bytes, *record)});
}

// The one record that `bytes` are. Throws codec::Corrupt.
StoredRecord stored_record(Payload payload, codec::Bytes bytes);

} // namespace memory::index
