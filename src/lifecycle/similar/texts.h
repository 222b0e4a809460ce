// Texts as they are compared: their words, without case and punctuation, each word kept once.
#pragma once

#include "text/interruption.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memory::similar {

using Number = std::uint32_t; // of a word, of a text

class Texts {
  public:
    explicit Texts(std::pmr::memory_resource *memory)
        : memory_(memory), numbers_(memory), words_(memory), ends_(memory), in_order_(memory),
          sorted_(memory), letters_(memory), counts_(memory), apart_(memory) {}
    Texts(const Texts &) = delete;
    Texts &operator=(const Texts &) = delete;

    // Adds a text, which gets the next number. Texts of different `group`s are never alike, nor are
    // texts with different numbers in them: 7 am is not nearly 8 am. Throws text::IcuFailure.
    void add(std::string_view utf8, std::uint64_t group,
             text::Interruption &interruption = text::Interruption::none());

    std::pmr::memory_resource *memory() const noexcept { return memory_; }
    std::size_t size() const noexcept { return ends_.size(); }
    // Of words that are not the same.
    std::size_t words() const noexcept { return words_.size(); }
    std::u32string_view word(Number word) const noexcept { return *words_[word]; }

    // The words of a text in their order; and sorted by their numbers.
    std::span<const Number> in_order(Number text) const { return part(in_order_, text); }
    std::span<const Number> sorted(Number text) const { return part(sorted_, text); }
    // In all of its words.
    std::size_t letters(Number text) const { return letters_[text]; }
    // How often each letter is in it, up to 255 times; several letters share a count.
    using Counts = std::array<std::uint8_t, 32>;
    const Counts &counts(Number text) const { return counts_[text]; }
    // The same for texts that may be alike.
    std::uint64_t apart(Number text) const { return apart_[text]; }

  private:
    void add_word(std::u32string_view word);
    std::span<const Number> part(const std::pmr::vector<Number> &all, Number text) const {
        const std::size_t begin = text == 0 ? 0 : ends_[text - 1];
        return std::span(all).subspan(begin, ends_[text] - begin);
    }

    std::pmr::memory_resource *memory_;
    std::pmr::map<std::pmr::u32string, Number, std::less<>> numbers_;
    std::pmr::vector<const std::pmr::u32string *> words_; // keys of that map
    std::pmr::vector<std::size_t> ends_;                  // of the texts in these two
    std::pmr::vector<Number> in_order_;
    std::pmr::vector<Number> sorted_;
    std::pmr::vector<std::size_t> letters_;
    std::pmr::vector<Counts> counts_;
    std::pmr::vector<std::uint64_t> apart_;
};

} // namespace memory::similar
