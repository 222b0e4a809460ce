#include "text/word_cache.h"

#include <algorithm>
#include <cstring>

namespace memory::text {

namespace {

template <typename Integer>
std::uint64_t load(const char *from) {
    Integer value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

// The bytes of a word of at most eight, in some order.
std::uint64_t load_short(std::string_view word) {
    const char *first = word.data();
    const std::size_t size = word.size();
    if (size >= 4)
        return load<std::uint32_t>(first) << 32 | load<std::uint32_t>(first + size - 4);
    if (size >= 2)
        return load<std::uint16_t>(first) << 16 | load<std::uint16_t>(first + size - 2);
    return static_cast<unsigned char>(*first);
}

} // namespace

WordCache::WordCache(std::size_t slots, std::pmr::memory_resource *memory)
    : slots_(slots, Slot{}, memory) {}

std::size_t WordCache::place(std::string_view word) const {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15u;
    std::uint64_t hash = word.size() * odd;
    if (word.size() <= 8) {
        hash ^= load_short(word);
    } else {
        for (std::size_t at = 0; at + 8 < word.size(); at += 8)
            hash = ((hash ^ load<std::uint64_t>(word.data() + at)) * odd) ^ hash >> 29;
        hash ^= load<std::uint64_t>(word.data() + word.size() - 8);
    }
    return (hash * odd >> 32) & (slots_.size() - 1);
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
