// A row's text on its way into records, and back out of them (codec/record.h has the format).
#pragma once

#include "index/codec/record.h"
#include "index/layout.h"
#include "text/terms.h"

extern "C" {
#include "storage/itemptr.h"
}

namespace memory::index {

// A hash of a text's bytes, by which an operator finds what its scan knows of the row; never that
// of a missing text. Different texts may share one.
std::uint32_t text_fingerprint(std::string_view contents) noexcept;
inline constexpr std::uint32_t no_text = 0;

inline codec::Tid to_tid(const ItemPointerData &tid) noexcept {
    return {ItemPointerGetBlockNumberNoCheck(&tid), ItemPointerGetOffsetNumberNoCheck(&tid)};
}

inline ItemPointerData to_item_pointer(const codec::Tid &tid) noexcept {
    return {{static_cast<uint16>(tid.block >> 16), static_cast<uint16>(tid.block & 0xffff)},
            tid.offset};
}

// The records of documents. What write() returns is valid until its next call.
class RecordWriter {
  public:
    explicit RecordWriter(std::pmr::memory_resource *memory)
        : bytes_(memory), ends_(memory), records_(memory) {}

    // `terms` ascend and are distinct.
    std::span<const codec::Bytes> write(const codec::Document &document,
                                        std::span<const text::TermCount> terms);

  private:
    codec::ByteBuffer bytes_;
    std::pmr::vector<std::size_t> ends_;
    std::pmr::vector<codec::Bytes> records_;
};

// The one record that `bytes` are. Throws codec::Corrupt.
codec::Record read_record(codec::Bytes bytes);

} // namespace memory::index
