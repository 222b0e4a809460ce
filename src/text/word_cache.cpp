#include "text/word_cache.h"

#include <cstring>

#include "text/hash.h"

namespace memory::text {

WordCache::WordCache(std::size_t slots, std::pmr::memory_resource *memory)
    : slots_(slots, Slot{}, memory) {}

std::size_t WordCache::place(std::string_view word) const {
    return quick_hash(word) & (slots_.size() - 1);
}

const WordCache::Slot *WordCache::find(std::string_view word) const {
    if (word.size() > Slot::key_bytes)
        return nullptr;
    const Slot &slot = slots_[place(word)];
    if (slot.key_size != word.size() || std::memcmp(slot.key.data(), word.data(), word.size()) != 0)
        return nullptr;
    return &slot;
}

void WordCache::keep(std::string_view word, std::string_view term, Weight weight) {
    if (word.size() > Slot::key_bytes || term.size() > Slot::term_bytes)
        return;
    Slot &slot = slots_[place(word)];
    std::memcpy(slot.key.data(), word.data(), word.size());
    std::memcpy(slot.term.data(), term.data(), term.size());
    slot.key_size = static_cast<std::uint8_t>(word.size());
    slot.term_size = static_cast<std::uint8_t>(term.size());
    slot.weight = weight;
}

} // namespace memory::text
