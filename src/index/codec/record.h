// The log's record: one document, whole, or one fragment of a document too large for its page.
// Format and the matching algorithm: docs/codecs.md.
#pragma once

#include "index/codec/bytes.h"
#include "index/codec/term_set.h"
#include "index/codec/tid.h"

#include <array>
#include <optional>

namespace memory::codec {

inline constexpr std::size_t max_term_bytes = 255;
inline constexpr std::size_t max_record_bytes = 0x7FFF;

struct TermCount {
    std::string_view term; // 1 to max_term_bytes bytes
    std::uint32_t count;   // >= 1
};

struct Document {
    Tid tid;
    std::uint32_t length; // in tokens; below 2^31
    std::uint32_t fingerprint;
};

// Appends one record with as many of `terms`, which are distinct and ascend in byte order, as fit
// into `limit` bytes (at most max_record_bytes, and enough for the head and one term: 300).
// Returns how many terms it took; the rest goes into further records with `continued` set.
std::size_t append_record(ByteBuffer &buffer, const Document &document,
                          std::span<const TermCount> terms, bool continued, std::size_t limit);

// A record in the bytes of its page, which must outlive it.
struct Record {
    Document document;
    bool dead;
    bool continued;      // no document of its own: goes on with the terms of the one before it
    std::uint32_t terms; // how many entries follow
    Bytes entries;
    std::size_t position; // of the record in the bytes that the reader was given
};

// Goes through the records that fill a span of bytes.
class RecordReader {
  public:
    explicit RecordReader(Bytes records) : records_(records) {}

    // The next record, or nothing at the end.
    std::optional<Record> next();

  private:
    Bytes records_;
    std::size_t at_ = 0;
};

// Marks the record that starts at `record` dead, in place: one byte changes.
void mark_dead(std::uint8_t *record);

// Goes through the terms of a record, putting each together. The record's bytes must outlive it.
class RecordTerms {
  public:
    explicit RecordTerms(const Record &record) : reader_(record.entries), left_(record.terms) {}

    // The next term and its count, or nothing at the end. The term is valid until the next call.
    std::optional<TermCount> next();

  private:
    ByteReader reader_;
    std::uint32_t left_;
    std::size_t size_ = 0; // of the term in hand
    std::array<char, max_term_bytes> term_;
};

struct Match {
    std::uint32_t target; // which of the set's terms
    std::uint32_t count;  // how often the record has it
};

// Finds which of the set's terms a record has. Writes them in ascending order into `matches`,
// which has room for as many as the set has terms, and returns how many there are.
std::size_t match(const Record &record, const TermSet &terms, std::span<Match> matches);

} // namespace memory::codec
