// Where a phrase stands in a text.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

namespace memory::index::grammar {

// Where a term of a pattern stands in a text.
struct Place {
    std::uint32_t ordinal; // text::Token's
    std::uint32_t term;    // in Pattern::terms()

    friend auto operator<=>(const Place &, const Place &) = default;
};

// Shift-And (Baeza-Yates, Gonnet 1992): bit i of the state says that the phrase's first i + 1
// ordinals match the text's last ones. So a text costs its places times the phrase's ordinals / 64,
// whatever repeats in either. Call order: allow() for every term of the phrase, then stands_in().
class Phrase {
  public:
    explicit Phrase(std::pmr::memory_resource *memory);

    /// The term may stand `offset` ordinals behind the phrase's beginning. Offsets ascend from 0;
    /// at an offset without a term anything may stand.
    void allow(std::uint32_t offset, std::uint32_t term);

    /// `places` ascend. Those of other terms do no harm.
    bool stands_in(std::span<const Place> places);

  private:
    struct Allowed {
        std::uint32_t term;
        std::uint32_t offset;

        friend auto operator<=>(const Allowed &, const Allowed &) = default;
    };
    using Bits = std::pmr::vector<std::uint64_t>;

    void prepare();
    void note(std::uint32_t term);
    void skip(std::uint32_t ordinals);
    void advance();

    std::uint32_t length_ = 0; // in ordinals
    std::pmr::vector<Allowed> allowed_;
    Bits free_; // the offsets at which anything may stand
    Bits here_; // the offsets that match at the text's ordinal
    Bits state_;
    bool has_free_ = false;
};

} // namespace memory::index::grammar
