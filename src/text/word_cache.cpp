// A table with two places for each hash. A new word takes the second; a word that is found there
// changes places with the first.
#include "text/word_cache.h"

#include <cstring>
#include <utility>

#include "text/hash.h"

namespace memory::text {

namespace {

bool keeps(const WordCache::Slot &slot, std::string_view word) {
    return slot.key_size == word.size() &&
           std::memcmp(slot.key.data(), word.data(), word.size()) == 0;
}

} // namespace

WordCache::WordCache(std::size_t slots, std::pmr::memory_resource *memory)
    : slots_(slots, Slot{}, memory) {}

std::size_t WordCache::place(std::string_view word) const {
    return (quick_hash(word) * 2) & (slots_.size() - 1);
}

const WordCache::Slot *WordCache::find(std::string_view word) {
    if (word.size() > Slot::key_bytes)
        return nullptr;
    Slot *const first = &slots_[place(word)];
    Slot *const second = first + 1;
    if (keeps(*first, word))
        return first;
    if (!keeps(*second, word))
        return nullptr;
    std::swap(*first, *second);
    return first;
}

void WordCache::keep(std::string_view word, std::string_view term, Weight weight) {
    if (word.size() > Slot::key_bytes || term.size() > Slot::term_bytes)
        return;
    Slot &slot = slots_[place(word) + 1];
    std::memcpy(slot.key.data(), word.data(), word.size());
    std::memcpy(slot.term.data(), term.data(), term.size());
    slot.key_size = static_cast<std::uint8_t>(word.size());
    slot.term_size = static_cast<std::uint8_t>(term.size());
    slot.weight = weight;
}

} // namespace memory::text
