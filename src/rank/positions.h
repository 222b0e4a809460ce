// Where keys are in an array: a hash table of numbers, open addressing, that only grows.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <optional>
#include <vector>

namespace memory::rank {

inline std::uint64_t mixed(std::uint64_t key) {
    key ^= key >> 32;
    key *= 0x9e3779b97f4a7c15U;
    return key ^ (key >> 29);
}
inline std::uint64_t mixed(const std::array<std::uint8_t, 16> &key) {
    std::uint64_t halves[2];
    std::memcpy(halves, key.data(), sizeof halves);
    return mixed(halves[0] ^ mixed(halves[1]));
}

template <class Key>
class Positions {
  public:
    explicit Positions(std::pmr::memory_resource *memory) : slots_(memory) {}

    std::size_t size() const { return size_; }

    std::optional<std::uint32_t> find(const Key &key) const {
        if (slots_.empty())
            return std::nullopt;
        const Slot &slot = slots_[place_of(key)];
        return slot.used ? std::optional(slot.position) : std::nullopt;
    }

    // The key is not there yet, or its position changes.
    void put(const Key &key, std::uint32_t position) {
        if (2 * (size_ + 1) > slots_.size())
            grow(slots_.empty() ? 64 : 2 * slots_.size());
        Slot &slot = slots_[place_of(key)];
        size_ += slot.used ? 0 : 1;
        slot = {key, position, true};
    }

    void reserve(std::size_t keys) {
        const std::size_t wanted = std::bit_ceil(2 * (keys + 1));
        if (wanted > slots_.size())
            grow(wanted);
    }

  private:
    struct Slot {
        Key key{};
        std::uint32_t position = 0;
        bool used = false;
    };

    // Its slot, or the one where it belongs. There is always one that is free.
    std::size_t place_of(const Key &key) const {
        std::size_t place = mixed(key) & (slots_.size() - 1);
        while (slots_[place].used && slots_[place].key != key)
            place = (place + 1) & (slots_.size() - 1);
        return place;
    }

    void grow(std::size_t slots) {
        std::pmr::vector<Slot> old(slots, slots_.get_allocator());
        old.swap(slots_);
        for (const Slot &slot : old)
            if (slot.used)
                slots_[place_of(slot.key)] = slot;
    }

    std::pmr::vector<Slot> slots_; // a power of two
    std::size_t size_ = 0;
};

// The same for keys that stay in an array, all distinct: four bytes for each, so that very many are
// still near. `key_of` gives the key at a position.
class PositionsInArray {
  public:
    explicit PositionsInArray(std::pmr::memory_resource *memory) : slots_(memory) {}

    bool empty() const { return slots_.empty(); }

    // Of all positions below `count`, which has only grown; what is known already stays.
    template <class KeyOf>
    void fill(std::uint32_t count, KeyOf &&key_of) {
        const std::size_t wanted = std::bit_ceil(2 * (std::size_t{count} + 1));
        if (wanted > slots_.size()) {
            slots_.assign(wanted, none);
            count_ = 0;
        }
        for (; count_ < count; ++count_) {
            std::size_t place = mixed(key_of(count_)) & (slots_.size() - 1);
            while (slots_[place] != none)
                place = (place + 1) & (slots_.size() - 1);
            slots_[place] = count_;
        }
    }

    template <class Key, class KeyOf>
    std::optional<std::uint32_t> find(const Key &key, KeyOf &&key_of) const {
        if (slots_.empty())
            return std::nullopt;
        std::size_t place = mixed(key) & (slots_.size() - 1);
        while (slots_[place] != none && key_of(slots_[place]) != key)
            place = (place + 1) & (slots_.size() - 1);
        return slots_[place] != none ? std::optional(slots_[place]) : std::nullopt;
    }

  private:
    static constexpr std::uint32_t none = UINT32_MAX;

    std::pmr::vector<std::uint32_t> slots_; // a power of two
    std::uint32_t count_ = 0;               // of positions that are known
};

} // namespace memory::rank
