// Enters a block by its bounds, and decodes it when a document of it is asked for.
#include "index/segment/bounded_list.h"

#include <algorithm>

namespace memory::segment {

BoundedList::BoundedList(PostingList &list, double weight, rank::TermScores &scores,
                         std::pmr::memory_resource *memory)
    : list_(list), weight_(weight), scores_(scores), blocks_(memory) {
    if (list.is_short()) {
        list.next();
        const codec::PostingBuffer &only = list.block();
        const std::uint32_t *counts = only.counts.data();
        const codec::Bound highest{*std::max_element(counts, counts + only.size), 0};
        const double most = scores(weight, highest.count, 0);
        blocks_.push_back({only.ordinals[0], only.ordinals[only.size - 1], {}, most});
        know(most, std::span(&highest, 1));
        decoded_ = 0;
        return;
    }
    blocks_.reserve(list.size() / codec::block_postings + 1);
    list.each_block([&](const codec::PostingBlock &block, Address address) {
        // A front's counts and lengths both ascend.
        const std::span<const codec::Bound> front = block.bounds();
        double most = front.empty() ? weight : 0;
        for (const codec::Bound &bound : front)
            most = std::max(most, scores(weight, bound.count, bound.length));
        blocks_.push_back({block.first(), block.last(), address, most});
    });
}

void BoundedList::enter(std::uint32_t begin, std::uint32_t end) {
    begin_ = begin;
    end_ = end;
    while (first_ < blocks_.size() && blocks_[first_].last < begin)
        ++first_;
    at_ = first_;
    bound_ = 0;
    std::size_t i = first_;
    for (; i < blocks_.size() && blocks_[i].first < end; ++i)
        bound_ = std::max(bound_, blocks_[i].most);
    // Of the blocks at the window's ends, half is taken to be in it; of a single one, its share.
    const auto blocks = static_cast<std::uint32_t>(i - first_);
    postings_ = blocks > 1    ? (blocks - 1) * codec::block_postings
                : blocks == 1 ? share(blocks_[first_], end - begin)
                              : 0;
}

std::uint32_t BoundedList::share(const Block &block, std::uint32_t window) {
    const std::uint32_t span = block.last - block.first;
    return span <= window
               ? codec::block_postings
               : static_cast<std::uint32_t>(std::uint64_t{codec::block_postings} * window / span);
}

const codec::PostingBuffer &BoundedList::decoded(std::size_t block) {
    if (decoded_ != block) {
        decoded_ = SIZE_MAX;
        know(blocks_[block].most, list_.load(blocks_[block].address).bounds());
        decoded_ = block;
        gone_through_ = 0;
    }
    return list_.block();
}

// A posting has a bound with at least its count and at most its length: it is no shorter than the
// first one with its count.
void BoundedList::know(double most, std::span<const codec::Bound> front) {
    most_.fill(most);
    std::uint32_t count = 1;
    for (const codec::Bound &bound : front)
        for (; count <= std::min(bound.count, usual_counts); ++count)
            most_[count - 1] = scores_(weight_, count, bound.length);
}

// The first posting that is not below `ordinal`. A binary search in steps that no branch depends
// on: std::lower_bound() guesses wrong every other time.
std::uint32_t BoundedList::place_of(const codec::PostingBuffer &postings, std::uint32_t ordinal) {
    const std::uint32_t *at = postings.ordinals.data();
    for (std::uint32_t rest = postings.size; rest > 1;) {
        const std::uint32_t half = rest / 2;
        at += half * static_cast<std::uint32_t>(at[half - 1] < ordinal);
        rest -= half;
    }
    at += static_cast<std::uint32_t>(*at < ordinal);
    return static_cast<std::uint32_t>(at - postings.ordinals.data());
}

std::uint32_t BoundedList::count(std::uint32_t ordinal) {
    const codec::PostingBuffer &postings = decoded(at_);
    const std::uint32_t place = place_of(postings, ordinal);
    return place < postings.size && postings.ordinals[place] == ordinal ? postings.counts[place]
                                                                        : 0;
}

} // namespace memory::segment
