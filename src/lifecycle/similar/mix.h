// Hashing of numbers: each bit of the result depends on each bit of what is mixed.
#pragma once

#include <cstdint>

namespace memory::similar {

// The finalizer of SplitMix64.
constexpr std::uint64_t mixed(std::uint64_t value) noexcept {
    value += 0x9E3779B97F4A7C15;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
}
constexpr std::uint64_t mixed(std::uint64_t before, std::uint64_t value) noexcept {
    return mixed(before ^ mixed(value));
}

} // namespace memory::similar
