// Words seen before and their terms: what makes stemming cost nothing on real text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string_view>
#include <vector>

#include "text/token.h"

namespace memory::text {

// A direct-mapped cache of a fixed number of cache lines, keyed by the word's bytes in the text. A
// word that does not fit a line is simply not kept.
class WordCache {
  public:
    struct Slot {
        static constexpr std::size_t key_bytes = 30;
        static constexpr std::size_t term_bytes = 31;

        std::array<char, key_bytes> key;
        std::array<char, term_bytes> term;
        std::uint8_t key_size;
        std::uint8_t term_size;
        Weight weight;

        std::string_view term_view() const { return {term.data(), term_size}; }
    };
    static_assert(sizeof(Slot) == 64);

    // `slots` is a power of two.
    WordCache(std::size_t slots, std::pmr::memory_resource *memory);

    // `word` is not empty here and below.
    // The slot that keeps `word`, or null. Valid until the next keep().
    const Slot *find(std::string_view word) const;
    void keep(std::string_view word, std::string_view term, Weight weight);

  private:
    std::size_t place(std::string_view word) const;

    std::pmr::vector<Slot> slots_;
};

} // namespace memory::text
