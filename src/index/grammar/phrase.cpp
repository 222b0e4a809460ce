// Finds phrases by Shift-And: the state of a phrase is one bit for each of its places.
#include "index/grammar/phrase.h"

#include <algorithm>

namespace memory::index::grammar {

namespace {

constexpr std::uint32_t word_bits = 64;

std::uint64_t mask(std::uint32_t bit) { return std::uint64_t{1} << (bit % word_bits); }

} // namespace

Phrases::Phrases(std::pmr::memory_resource *memory)
    : phrases_(memory), allowed_(memory), frequent_(memory), rows_(memory), first_(memory),
      last_(memory), free_(memory), here_(memory), state_(memory), found_(memory) {}

void Phrases::begin() {
    const std::uint32_t bit = phrases_.empty() ? 0 : phrases_.back().end;
    phrases_.push_back({bit, bit});
}

void Phrases::allow(std::uint32_t offset, std::uint32_t term) {
    Ends &phrase = phrases_.back();
    allowed_.push_back({term, phrase.begin + offset});
    phrase.end = phrase.begin + offset + 1;
    longest_ = std::max(longest_, offset + 1);
}

void Phrases::prepare() {
    const std::uint32_t bits = phrases_.empty() ? 0 : phrases_.back().end;
    const std::size_t words = (bits + word_bits - 1) / word_bits;
    for (Bits *row : {&first_, &last_, &state_, &found_})
        row->assign(words, 0);
    for (const Ends &phrase : phrases_) {
        first_[phrase.begin / word_bits] |= mask(phrase.begin);
        last_[(phrase.end - 1) / word_bits] |= mask(phrase.end - 1);
    }
    std::sort(allowed_.begin(), allowed_.end());
    prepare_free();
    prepare_frequent();
}

void Phrases::prepare_free() {
    const std::uint32_t bits = phrases_.empty() ? 0 : phrases_.back().end;
    free_.assign(state_.size(), ~std::uint64_t{0});
    for (const Allowed &one : allowed_)
        free_[one.bit / word_bits] &= ~mask(one.bit);
    for (std::uint32_t bit = bits; bit % word_bits != 0; ++bit)
        free_.back() &= ~mask(bit);
    has_free_ =
        std::any_of(free_.begin(), free_.end(), [](std::uint64_t word) { return word != 0; });
    here_ = free_;
}

// A term at more ordinals than a row has words costs no more than a row: there are fewer than 64.
void Phrases::prepare_frequent() {
    frequent_.clear();
    rows_.clear();
    for (auto first = allowed_.begin(); first != allowed_.end();) {
        const auto end = std::upper_bound(first, allowed_.end(), Allowed{first->term, UINT32_MAX});
        if (static_cast<std::size_t>(end - first) > state_.size()) {
            frequent_.push_back({first->term, rows_.size()});
            rows_.resize(rows_.size() + state_.size());
            for (auto one = first; one != end; ++one)
                rows_[frequent_.back().row + one->bit / word_bits] |= mask(one->bit);
        }
        first = end;
    }
}

// The term stands at the text's ordinal.
void Phrases::note(std::uint32_t term) {
    const auto frequent =
        std::partition_point(frequent_.begin(), frequent_.end(),
                             [term](const Frequent &other) { return other.term < term; });
    if (frequent != frequent_.end() && frequent->term == term) {
        for (std::size_t i = 0; i < here_.size(); ++i)
            here_[i] |= rows_[frequent->row + i];
        return;
    }
    auto one = std::lower_bound(allowed_.begin(), allowed_.end(), Allowed{term, 0});
    for (; one != allowed_.end() && one->term == term; ++one)
        here_[one->bit / word_bits] |= mask(one->bit);
}

// The text's ordinal ends.
void Phrases::advance() {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < state_.size(); ++i) {
        const std::uint64_t shifted = state_[i] << 1 | carry | first_[i]; // begins anywhere
        carry = state_[i] >> (word_bits - 1);
        state_[i] = shifted & here_[i];
        found_[i] |= state_[i] & last_[i];
        here_[i] = free_[i];
    }
}

// So many ordinals have nothing of any phrase.
void Phrases::skip(std::uint32_t ordinals, text::Pause &pause) {
    if (!has_free_ || ordinals >= longest_) {
        if (ordinals > 0)
            std::fill(state_.begin(), state_.end(), 0);
        return;
    }
    for (; ordinals > 0; --ordinals) {
        advance();
        pause.step(1 + state_.size());
    }
}

void Phrases::find(std::span<const Place> places, text::Pause &pause) {
    std::fill(state_.begin(), state_.end(), 0);
    std::fill(found_.begin(), found_.end(), 0);
    std::uint32_t next = 0; // ordinal of the text
    for (std::size_t at = 0; at < places.size();) {
        const std::uint32_t ordinal = places[at].ordinal;
        skip(ordinal - next, pause);
        for (; at < places.size() && places[at].ordinal == ordinal; ++at)
            note(places[at].term);
        advance();
        pause.step(1 + state_.size());
        next = ordinal + 1;
        if (found_ == last_)
            return;
    }
}

bool Phrases::stands(std::size_t phrase) const {
    const std::uint32_t last = phrases_[phrase].end - 1;
    return (found_[last / word_bits] & mask(last)) != 0;
}

} // namespace memory::index::grammar
