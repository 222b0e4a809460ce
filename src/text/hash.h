// A quick hash of short byte strings, for tables that live no longer than the process: its values
// are no part of any format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace memory::text {

namespace detail {

template <typename Integer>
inline std::uint64_t load(const char *from) {
    Integer value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

// The bytes of a string of at most eight, in some order.
inline std::uint64_t load_short(std::string_view bytes) {
    const char *first = bytes.data();
    const std::size_t size = bytes.size();
    if (size >= 4)
        return load<std::uint32_t>(first) << 32 | load<std::uint32_t>(first + size - 4);
    if (size >= 2)
        return load<std::uint16_t>(first) << 16 | load<std::uint16_t>(first + size - 2);
    return size == 1 ? static_cast<unsigned char>(*first) : 0;
}

} // namespace detail

// With a `seed` that the strings' author does not know, hardly more of them share their low bits
// than chance has it, whatever they are.
inline std::uint64_t quick_hash(std::string_view bytes, std::uint64_t seed = 0) {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15u;
    constexpr std::uint64_t another_odd = 0xC2B2AE3D27D4EB4Fu;
    std::uint64_t hash = (bytes.size() * odd) ^ seed;
    if (bytes.size() <= 8) {
        hash ^= detail::load_short(bytes);
    } else {
        for (std::size_t at = 0; at + 8 < bytes.size(); at += 8) {
            hash = (hash ^ detail::load<std::uint64_t>(bytes.data() + at)) * odd;
            hash ^= hash >> 29;
        }
        hash ^= detail::load<std::uint64_t>(bytes.data() + bytes.size() - 8);
    }
    hash *= odd;
    hash = (hash ^ hash >> 32) * another_odd;
    return hash ^ hash >> 29;
}

} // namespace memory::text
