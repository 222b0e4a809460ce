// See phrase.h.
#include "index/grammar/phrase.h"

#include <algorithm>

namespace memory::index::grammar {

namespace {

constexpr std::uint32_t word_bits = 64;

std::uint64_t bit(std::uint32_t offset) { return std::uint64_t{1} << (offset % word_bits); }

} // namespace

Phrase::Phrase(std::pmr::memory_resource *memory)
    : allowed_(memory), free_(memory), here_(memory), state_(memory) {}

void Phrase::allow(std::uint32_t offset, std::uint32_t term) {
    allowed_.push_back({term, offset});
    length_ = offset + 1;
}

void Phrase::prepare() {
    std::sort(allowed_.begin(), allowed_.end());
    free_.assign((length_ + word_bits - 1) / word_bits, ~std::uint64_t{0});
    for (const Allowed &one : allowed_)
        free_[one.offset / word_bits] &= ~bit(one.offset);
    for (std::uint32_t offset = length_; offset % word_bits != 0; ++offset)
        free_.back() &= ~bit(offset);
    has_free_ =
        std::any_of(free_.begin(), free_.end(), [](std::uint64_t bits) { return bits != 0; });
    state_.assign(free_.size(), 0);
    here_ = free_;
}

// The term stands at the text's ordinal.
void Phrase::note(std::uint32_t term) {
    auto one = std::lower_bound(allowed_.begin(), allowed_.end(), Allowed{term, 0});
    for (; one != allowed_.end() && one->term == term; ++one)
        here_[one->offset / word_bits] |= bit(one->offset);
}

// The text's ordinal ends.
void Phrase::advance() {
    std::uint64_t carry = 1; // a phrase may begin anywhere
    for (std::size_t i = 0; i < state_.size(); ++i) {
        const std::uint64_t shifted = state_[i] << 1 | carry;
        carry = state_[i] >> (word_bits - 1);
        state_[i] = shifted & here_[i];
    }
    here_ = free_;
}

// So many ordinals have nothing of the phrase.
void Phrase::skip(std::uint32_t ordinals) {
    if (!has_free_ || ordinals >= length_) {
        if (ordinals > 0)
            std::fill(state_.begin(), state_.end(), 0);
        return;
    }
    for (; ordinals > 0; --ordinals)
        advance();
}

bool Phrase::stands_in(std::span<const Place> places) {
    prepare();
    std::uint32_t next = 0; // ordinal of the text
    for (std::size_t at = 0; at < places.size();) {
        const std::uint32_t ordinal = places[at].ordinal;
        skip(ordinal - next);
        for (; at < places.size() && places[at].ordinal == ordinal; ++at)
            note(places[at].term);
        advance();
        next = ordinal + 1;
        if ((state_.back() & bit(length_ - 1)) != 0)
            return true;
    }
    return false;
}

} // namespace memory::index::grammar
