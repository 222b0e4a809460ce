// The dimensions of a vector say how long its record is.
#include "index/codec/code_record.h"

#include <cassert>

namespace memory::codec {

static_assert(code_record_head == 2 * sizeof(std::uint16_t) + sizeof(std::uint32_t));

std::size_t code_record_size(std::size_t dimensions) {
    return code_record_head + (dimensions > 0 ? CodeForm::of(dimensions).bytes() : 0);
}

std::span<std::uint8_t> append_code_record(ByteBuffer &buffer, const Tid &tid,
                                           std::size_t dimensions) {
    assert(dimensions <= max_code_dimensions && tid.offset > 0);
    ByteWriter writer(buffer);
    writer.fixed(static_cast<std::uint16_t>(dimensions));
    writer.fixed(tid.offset);
    writer.fixed(tid.block);
    const std::size_t at = buffer.size();
    buffer.resize(at - code_record_head + code_record_size(dimensions));
    return std::span(buffer).subspan(at);
}

std::optional<CodeRecord> CodeRecordReader::next() {
    if (records_.empty())
        return std::nullopt;
    ByteReader reader(records_);
    CodeRecord record{};
    record.dimensions = reader.fixed<std::uint16_t>();
    record.tid.offset = reader.fixed<std::uint16_t>();
    record.tid.block = reader.fixed<std::uint32_t>();
    if (record.dimensions > max_code_dimensions)
        throw Corrupt("a code of impossible dimensions");
    if (record.tid.block == no_block || record.tid.offset == 0)
        throw Corrupt("a code with an impossible tid");
    const std::size_t size = code_record_size(record.dimensions);
    record.code = reader.bytes(size - code_record_head);
    record.whole = records_.first(size);
    records_ = records_.subspan(size);
    return record;
}

} // namespace memory::codec
