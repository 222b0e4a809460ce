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

namespace {

struct Head {
    std::uint16_t dimensions;
    Tid tid;
};

Head head_at(const std::uint8_t *record) {
    return {load<std::uint16_t>(record),
            {load<std::uint32_t>(record + 2 * sizeof(std::uint16_t)),
             load<std::uint16_t>(record + sizeof(std::uint16_t))}};
}

void check(const Head &head) {
    if (head.dimensions > max_code_dimensions)
        throw Corrupt("a code of impossible dimensions");
    if (head.tid.block == no_block || head.tid.offset == 0)
        throw Corrupt("a code with an impossible tid");
}

} // namespace

Tid CodeRecords::tid(std::size_t n) const { return head_at(first + n * size).tid; }

CodeRecords CodeRecordReader::next_alike(std::size_t most) {
    CodeRecords alike{0, 0, 0, records_.data()};
    while (!records_.empty() && alike.count < most) {
        if (records_.size() < code_record_head)
            throw Corrupt("the data end inside a field");
        const Head head = head_at(records_.data());
        if (alike.count > 0 && head.dimensions != alike.dimensions)
            break;
        check(head);
        if (alike.count == 0) {
            alike.dimensions = head.dimensions;
            alike.size = code_record_size(head.dimensions);
        }
        if (records_.size() < alike.size)
            throw Corrupt("the data end inside a field");
        records_ = records_.subspan(alike.size);
        ++alike.count;
    }
    return alike;
}

std::optional<CodeRecord> CodeRecordReader::next() {
    const CodeRecords one = next_alike(1);
    if (one.count == 0)
        return std::nullopt;
    const Bytes whole(one.first, one.size);
    return CodeRecord{one.tid(0), one.dimensions, whole.subspan(code_record_head), whole};
}

} // namespace memory::codec
