// Ranking entries by score: the best k of a stream, the best one after another, every entry's rank.
//
// An entry is a score and a key that breaks ties: any type with <, distinct among the entries, the
// smaller ranking first. So the order is total, and the result depends neither on the order of
// arrival nor on the algorithm. A NaN score ranks below every other.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory_resource>
#include <numeric>
#include <span>
#include <vector>

namespace memory::rank {

// The tie-break of episodes: the later time first, then the id's bytes ascending.
struct NewerThenId {
    std::int64_t time;
    std::array<std::uint8_t, 16> id;

    friend bool operator==(const NewerThenId &, const NewerThenId &) = default;
    friend std::strong_ordering operator<=>(const NewerThenId &a, const NewerThenId &b) {
        const auto newer_first = b.time <=> a.time;
        return newer_first != 0 ? newer_first : a.id <=> b.id;
    }
};

// A total order of doubles by descending value: negative where `a` ranks before `b`. NaNs are
// equal to each other and come last.
inline std::weak_ordering by_score(double a, double b) {
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) <=> std::isnan(b);
    return a > b   ? std::weak_ordering::less
           : a < b ? std::weak_ordering::greater
                   : std::weak_ordering::equivalent;
}

template <class Key>
struct Scored {
    double score;
    Key key;
};

// Whether `a` ranks before `b`.
template <class Key>
bool better(const Scored<Key> &a, const Scored<Key> &b) {
    const std::weak_ordering order = by_score(a.score, b.score);
    return order != 0 ? order < 0 : a.key < b.key;
}

// The best k of what it is offered. Grows to at most k entries; an offer allocates nothing beyond
// that growth.
template <class Key>
class TopK {
  public:
    using Entry = Scored<Key>;

    TopK(std::size_t k, std::pmr::memory_resource *memory) : k_(k), worst_first_(memory) {}

    // Whether a candidate of this score may still enter, whatever its key.
    bool may_enter(double score) const {
        return worst_first_.size() < k_ ||
               (k_ > 0 && by_score(score, worst_first_.front().score) <= 0);
    }

    // What the score of a candidate must exceed whose key is above all keys offered before.
    double to_beat() const {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        return worst_first_.size() < k_ ? -infinity
               : k_ > 0                 ? worst_first_.front().score
                                        : infinity;
    }

    void offer(const Entry &entry) {
        if (worst_first_.size() < k_) {
            worst_first_.push_back(entry);
            std::push_heap(worst_first_.begin(), worst_first_.end(), better<Key>);
        } else if (k_ > 0 && better(entry, worst_first_.front())) {
            std::pop_heap(worst_first_.begin(), worst_first_.end(), better<Key>);
            worst_first_.back() = entry;
            std::push_heap(worst_first_.begin(), worst_first_.end(), better<Key>);
        }
    }

    // The entries kept, best first. Ends the selection: offer nothing afterwards.
    std::span<const Entry> ranked() {
        std::sort(worst_first_.begin(), worst_first_.end(), better<Key>);
        return worst_first_;
    }

  private:
    std::size_t k_;
    std::pmr::vector<Entry> worst_first_; // a heap whose front is the worst entry kept
};

// Hands out entries best first, paying for the order only as far as it is asked.
// Permutes the caller's entries, which must outlive it and be left alone meanwhile.
template <class Key>
class BestFirst {
  public:
    using Entry = Scored<Key>;

    explicit BestFirst(std::span<Entry> entries) : rest_(entries) {
        std::make_heap(rest_.begin(), rest_.end(), worse);
    }

    bool empty() const { return rest_.empty(); }

    // The best entry not yet taken. Not empty.
    const Entry &take() {
        std::pop_heap(rest_.begin(), rest_.end(), worse);
        const Entry &taken = rest_.back();
        rest_ = rest_.first(rest_.size() - 1);
        return taken;
    }

  private:
    static bool worse(const Entry &a, const Entry &b) { return better(b, a); }

    std::span<Entry> rest_; // a heap whose front is the best entry
};

// The rank of every entry, from 1: ranks[i] is the position of entries[i] in the full order.
template <class Key>
std::pmr::vector<std::uint32_t> ranks(std::span<const Scored<Key>> entries,
                                      std::pmr::memory_resource *memory) {
    std::pmr::vector<std::uint32_t> order(entries.size(), memory);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [entries](std::uint32_t a, std::uint32_t b) {
        return better(entries[a], entries[b]);
    });
    std::pmr::vector<std::uint32_t> positions(entries.size(), memory);
    for (std::uint32_t position = 0; position < order.size(); ++position)
        positions[order[position]] = position + 1;
    return positions;
}

} // namespace memory::rank
