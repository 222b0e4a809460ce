// Appends bytes up to the limit; a longer term becomes its beginning and a hash of all of it.
#include "text/term.h"

#include <algorithm>
#include <cstring>

#include "text/utf8.h"

namespace memory::text {

std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t hash) noexcept {
    for (const char byte : bytes)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3u;
    return hash;
}

void TermBuilder::append(std::string_view bytes) {
    const std::size_t before = std::min(size_, max_term_bytes);
    const std::size_t copied = std::min(bytes.size(), max_term_bytes - before);
    std::memcpy(bytes_.data() + before, bytes.data(), copied);
    if (size_ + bytes.size() > max_term_bytes) {
        if (size_ <= max_term_bytes)
            hash_ = hash_bytes({bytes_.data(), before});
        hash_ = hash_bytes(bytes, hash_);
    }
    size_ += bytes.size();
}

std::string_view TermBuilder::finish() {
    if (size_ <= max_term_bytes)
        return {bytes_.data(), size_};
    constexpr std::size_t hash_digits = 16;
    constexpr char hexadecimal[] = "0123456789abcdef";
    const std::size_t front =
        boundary_at_or_before({bytes_.data(), max_term_bytes}, max_term_bytes - hash_digits - 1);
    char *out = bytes_.data() + front;
    *out++ = '~';
    for (std::size_t i = 0; i < hash_digits; ++i)
        *out++ = hexadecimal[hash_ >> (60 - 4 * i) & 0xF];
    return {bytes_.data(), front + 1 + hash_digits};
}

} // namespace memory::text
