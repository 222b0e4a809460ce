// Varints of more than one byte, and the error where one has more than 32 bits.
#include "index/codec/bytes.h"

namespace memory::codec {

std::uint32_t ByteReader::long_varint() {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < max_varint_bytes; ++i) {
        const std::uint8_t byte = *take(1);
        value |= static_cast<std::uint64_t>(byte & 0x7F) << (7 * i);
        if (byte < 0x80) {
            if (value > UINT32_MAX)
                break;
            return static_cast<std::uint32_t>(value);
        }
    }
    throw Corrupt("a number of more than 32 bits");
}

} // namespace memory::codec
