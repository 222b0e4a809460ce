// A row's text as the records that stand for it, and what a record says.
//
// A record begins with a byte of flags and eight bytes of the text's fingerprint, then what the
// codec wrote. A document with more terms than fit in one record has several, which share its tid;
// the first of them carries the document, the others only further terms.
#pragma once

#include "index/layout.h"
#include "text/terms.h"

#include <memory_resource>

extern "C" {
#include "storage/itemptr.h"
}

namespace memory::index {

using text::TermCount;

// A hash of a text's bytes, by which an operator finds what its scan knows of the row.
std::uint64_t text_fingerprint(std::string_view text) noexcept;

// The records of a document. `terms` ascend and are distinct. They are valid until the next call.
class RecordWriter {
  public:
    explicit RecordWriter(std::pmr::memory_resource *memory) : bytes_(memory), records_(memory) {}

    // `length` in tokens. Without a text the document has no terms and does not count.
    std::span<const std::string_view> write(const ItemPointerData &tid,
                                            std::optional<std::uint64_t> fingerprint,
                                            std::uint32_t length, std::span<const TermCount> terms);

  private:
    std::pmr::string bytes_;
    std::pmr::vector<std::string_view> records_;
};

// What a record says of its document.
struct RecordHead {
    ItemPointerData tid;
    bool first;    // the document's first record
    bool has_text; // its column is not NULL
    std::uint32_t length;
    std::uint64_t fingerprint;
};

// Reads a record; every access is checked, and what is wrong throws CorruptRecord.
class RecordReader {
  public:
    explicit RecordReader(std::string_view bytes);

    const RecordHead &head() const noexcept { return head_; }
    // The next term in ascending order; false behind the last.
    bool next(TermCount &term);

  private:
    std::uint64_t varint();
    std::string_view take(std::size_t size);

    std::string_view rest_;
    RecordHead head_{};
    std::uint64_t terms_left_ = 0;
};

class CorruptRecord : public std::exception {
  public:
    const char *what() const noexcept override { return "a record of a recall index is corrupt"; }
};

} // namespace memory::index
