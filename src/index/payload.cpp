// Tells texts from vectors by the operator class's type.
#include "index/payload.h"

#include "index/document.h"
#include "index/options.h"
#include "index/scope_key.h"
#include "text/server_sql.h"

namespace memory::index {

Payload payload_of(Relation index) {
    const int last = IndexRelationGetNumberOfKeyAttributes(index) - 1;
    return payload_of(index->rd_opcintype[last]);
}

Payload payload_of(Oid last_column) noexcept {
    return scope_type(last_column) == TEXTOID ? Payload::texts : Payload::codes;
}

std::uint64_t rules_of(Relation index) {
    return payload_of(index) == Payload::codes ? codec::code_rules
                                               : text::fingerprint_for(dictionary_of(index));
}

// A code's scale, its first number, is seldom that of another vector.
std::uint32_t fingerprint_of(const codec::CodeRecord &record) noexcept {
    std::uint32_t scale = 0;
    if (record.code.size() >= sizeof scale)
        std::memcpy(&scale, record.code.data(), sizeof scale);
    return scale;
}

codec::Bytes bytes_of(codec::Bytes page_records, const codec::Record &record) {
    const auto end = static_cast<std::size_t>(record.entries.data() + record.entries.size() -
                                              page_records.data());
    return page_records.subspan(record.position, end - record.position);
}

StoredRecord stored_record(Payload payload, codec::Bytes bytes) {
    std::optional<StoredRecord> found;
    each_stored(payload, bytes, [&](const StoredRecord &record) {
        if (found)
            throw codec::Corrupt("not one record");
        found = record;
    });
    if (!found)
        throw codec::Corrupt("not one record");
    return *found;
}

} // namespace memory::index
