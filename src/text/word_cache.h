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

// A cache of a fixed number of cache lines, keyed by the word's bytes in the text. A word that does
// not fit a line is simply not kept. Words have two places: the first is for one that was asked for
// again, the second for the newest. So the many words that are seen once do not push out the few
// that are seen always.
class WordCache {
  public:
    struct alignas(64) Slot {
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

    // `slots` is a power of two, at least 2.
    WordCache(std::size_t slots, std::pmr::memory_resource *memory);

    // `word` is not empty here and below.
    // The slot that keeps `word`, or null. Valid until the next call.
    const Slot *find(std::string_view word);
    void keep(std::string_view word, std::string_view term, Weight weight);

  private:
    // The first of the word's two places.
    std::size_t place(std::string_view word) const;

    std::pmr::vector<Slot> slots_;
};

} // namespace memory::text
