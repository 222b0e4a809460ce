// How long a term may be, and what stands for a longer one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace memory::text {

// Fits one byte of length with a bit to spare.
inline constexpr std::size_t max_term_bytes = 127;

// Collects the folded bytes of one term, however many, in constant space. What does not fit is
// represented by a hash of the whole, so that long terms are equal when, and to 2^-64 only when,
// their bytes are.
class TermBuilder {
  public:
    void clear() { size_ = 0; }
    bool empty() const { return size_ == 0; }
    void append(std::string_view bytes);

    // The term: what was appended if it fits; else the front of it up to a character boundary, '~'
    // and 16 hexadecimal digits. Valid until the next clear().
    std::string_view finish();

  private:
    std::array<char, max_term_bytes> bytes_;
    std::size_t size_ = 0;   // of everything appended
    std::uint64_t hash_ = 0; // of everything appended, once size_ > max_term_bytes
};

// FNV-1a, continued from `hash`.
std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t hash = 0xCBF29CE484222325u) noexcept;

} // namespace memory::text
