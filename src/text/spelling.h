// Which terms a word may be a misspelling of. The definition: docs/recall.md, "Misspelt words".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace memory::text {

class Spelling {
  public:
    // Of a term; nothing of one that is no word, or too short or too long to tell.
    static std::optional<Spelling> of(std::string_view term);

    // Of the word.
    std::string_view first_letter() const { return {first_.data(), first_bytes_}; }

    // How many letters are to be put in, taken out, changed or exchanged with their neighbour to
    // make the term of it; nothing if those are more than a word of its length may lack.
    std::optional<std::uint32_t> distance(std::string_view term) const;

  private:
    friend class NearStrings;

    static constexpr std::size_t most_letters = 32;
    static constexpr std::uint32_t most_distance = 2;
    static constexpr std::size_t room = most_letters + most_distance;

    // The characters of a term.
    struct Letters {
        std::array<char32_t, room> points;
        std::size_t count = 0;
        std::uint64_t classes = 0; // which of 64 classes of characters it has

        void add(char32_t point);
    };

    Spelling() = default;

    bool read(std::string_view term, Letters &letters) const;
    std::uint32_t exact_distance(const Letters &other) const;

    Letters letters_;
    std::uint32_t most_ = 0;
    std::array<char, 4> first_;
    std::uint32_t first_bytes_ = 0;
};

} // namespace memory::text
