// Where the phrases of a query stand in a text.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "text/interruption.h"

namespace memory::index::grammar {

// Where a term of a pattern stands in a text.
struct Place {
    std::uint32_t ordinal; // text::Token's
    std::uint32_t term;    // in Pattern::terms()

    friend auto operator<=>(const Place &, const Place &) = default;
};

// Shift-And (Baeza-Yates, Gonnet 1992) with the ordinals of all phrases in one row of bits: a bit
// of the state says that its phrase, up to that ordinal, matches the text's last ones. So a text
// costs its places times all the phrases' ordinals / 64, whatever repeats in either and however
// many phrases there are. Call order: begin() for each phrase and allow() for its terms, prepare(),
// then find() for one text after another.
class Phrases {
  public:
    explicit Phrases(std::pmr::memory_resource *memory);

    void begin();
    // The term may stand `offset` ordinals behind the beginning of the phrase begun last. Offsets
    // ascend from 0; at an offset without a term anything may stand.
    void allow(std::uint32_t offset, std::uint32_t term);
    void prepare();

    // `places` ascend. Those of other terms do no harm.
    void find(std::span<const Place> places, text::Pause &pause);
    // Whether find() has found a phrase: 0 is the first begun.
    bool stands(std::size_t phrase) const;

  private:
    // A term may stand at an ordinal of a phrase.
    struct Allowed {
        std::uint32_t term;
        std::uint32_t bit;

        friend auto operator<=>(const Allowed &, const Allowed &) = default;
    };
    // All ordinals of a term that has many.
    struct Frequent {
        std::uint32_t term;
        std::size_t row; // of rows_
    };
    struct Ends {
        std::uint32_t begin; // bits
        std::uint32_t end;
    };
    using Bits = std::pmr::vector<std::uint64_t>;

    void prepare_free();
    void prepare_frequent();
    void note(std::uint32_t term);
    void skip(std::uint32_t ordinals, text::Pause &pause);
    void advance();

    std::pmr::vector<Ends> phrases_;
    std::uint32_t longest_ = 0; // in ordinals
    std::pmr::vector<Allowed> allowed_;
    std::pmr::vector<Frequent> frequent_; // by term
    Bits rows_;
    Bits first_; // the bits of first ordinals
    Bits last_;
    Bits free_; // where anything may stand
    bool has_free_ = false;
    Bits here_; // what matches at the text's ordinal
    Bits state_;
    Bits found_; // of last_
};

} // namespace memory::index::grammar
