// What is known of some places of a window: a bit for each, and a bit for each word of bits that is
// not 0, so that a few places of a wide window are gone through in the time that they take. There,
// what is known of them lies together, in the order in which they came.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory_resource>
#include <vector>

namespace memory::segment {

struct Gathered {
    Gathered() {} // NOLINT: thousands of them, of which few are used, are not worth filling
    Gathered(double most_, std::uint64_t counts_) : most(most_), counts(counts_) {}

    double most;          // that its terms so far add
    std::uint64_t counts; // of those, as BestFinder notes them
};

class Candidates {
  public:
    static constexpr std::uint32_t most_places = 1U << 16;

    // Of a window of so many places: a multiple of 64, at most most_places. `memory` must outlive
    // it.
    Candidates(std::uint32_t places, std::pmr::memory_resource *memory)
        : is_wide_(places > usual), words_(places / 64, memory),
          numbers_(is_wide_ ? places : 0, memory), gathered_(usual, memory) {}

    // Null if it is not there; good until the next add().
    Gathered *find(std::uint32_t place) {
        return (words_[place / 64] & bit(place)) == 0 ? nullptr : &known(place);
    }

    // One that was not there begins with nothing. Good until the next add().
    Gathered &add(std::uint32_t place) {
        std::uint64_t &word = words_[place / 64];
        if ((word & bit(place)) != 0)
            return known(place);
        word |= bit(place);
        used_[place / (64 * 64)] |= bit(place / 64);
        if (is_wide_)
            number(place);
        return known(place) = {0, 0};
    }

    // Calls `use(place, Gathered)` for each, ascending.
    template <class Use>
    void each(Use &&use) const {
        each_word([&](std::uint32_t word) {
            for (std::uint64_t rest = words_[word]; rest != 0; rest &= rest - 1) {
                const std::uint32_t place = word * 64 + lowest(rest);
                use(place, gathered_[slot(place)]);
            }
        });
    }

    // Keeps those of which `wants(Gathered)` is true, and counts them.
    template <class Wants>
    std::uint32_t keep(Wants &&wants) {
        std::uint32_t kept = 0;
        each([&](std::uint32_t place, const Gathered &gathered) {
            if (wants(gathered))
                ++kept;
            else
                words_[place / 64] &= ~bit(place);
        });
        return kept;
    }

    void clear() {
        each_word([&](std::uint32_t word) { words_[word] = 0; });
        used_.fill(0);
        added_ = 0;
    }

  private:
    static constexpr std::uint32_t usual = 4096; // places
    struct Number {
        Number() {} // NOLINT: as above
        std::uint16_t value;
    };

    static std::uint64_t bit(std::uint32_t place) { return std::uint64_t{1} << (place % 64); }
    static std::uint32_t lowest(std::uint64_t bits) {
        return static_cast<std::uint32_t>(std::countr_zero(bits));
    }
    std::uint32_t slot(std::uint32_t place) const {
        return is_wide_ ? numbers_[place].value : place;
    }
    Gathered &known(std::uint32_t place) { return gathered_[slot(place)]; }

    void number(std::uint32_t place) {
        if (added_ == gathered_.size())
            gathered_.resize(gathered_.size() + usual);
        numbers_[place].value = static_cast<std::uint16_t>(added_++);
    }

    template <class Use>
    void each_word(Use &&use) const {
        for (std::uint32_t i = 0; i < used_.size(); ++i)
            for (std::uint64_t rest = used_[i]; rest != 0; rest &= rest - 1)
                use(i * 64 + lowest(rest));
    }

    const bool is_wide_;
    std::pmr::vector<std::uint64_t> words_;
    std::array<std::uint64_t, most_places / (64 * 64)> used_{}; // of words_: which may not be 0
    std::pmr::vector<Number> numbers_; // of a wide window, by place: where in gathered_
    static_assert(most_places - 1 <= UINT16_MAX);
    std::pmr::vector<Gathered> gathered_;
    std::uint32_t added_ = 0;
};

} // namespace memory::segment
