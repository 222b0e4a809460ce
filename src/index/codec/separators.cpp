// Makes the shortest separators between neighbours, and finds the dictionary of a term by binary
// search.
#include "index/codec/separators.h"

#include <cassert>

namespace memory::codec {

namespace {

constexpr std::size_t end_bytes = sizeof(std::uint32_t);

} // namespace

std::string_view separator(std::string_view below, std::string_view above) {
    assert(below < above);
    return above.substr(0, common_prefix(below, above) + 1);
}

void append_separators(ByteBuffer &buffer, std::span<const std::string_view> separators) {
    ByteWriter writer(buffer);
    writer.fixed(static_cast<std::uint32_t>(separators.size()));
    std::size_t end = 0;
    for (const std::string_view separator : separators) {
        end += separator.size();
        writer.fixed(static_cast<std::uint32_t>(end));
    }
    for (const std::string_view separator : separators)
        writer.bytes(as_bytes(separator));
}

Separators::Separators(Bytes bytes) {
    ByteReader reader(bytes);
    count_ = reader.fixed<std::uint32_t>();
    ends_ = reader.bytes(end_bytes * count_);
    text_ = reader.rest();
}

std::size_t Separators::find(std::string_view term) const {
    std::size_t below = 0;
    std::size_t above = count_;
    while (below < above) {
        const std::size_t middle = below + (above - below) / 2;
        if (separator(middle) <= term)
            below = middle + 1;
        else
            above = middle;
    }
    return below;
}

std::string_view Separators::separator(std::size_t index) const {
    const std::size_t start =
        index == 0 ? 0 : load<std::uint32_t>(ends_.data() + end_bytes * (index - 1));
    const std::size_t end = load<std::uint32_t>(ends_.data() + end_bytes * index);
    if (start > end || end > text_.size())
        throw Corrupt("a separator beyond the separators");
    return as_text(text_.subspan(start, end - start));
}

} // namespace memory::codec
