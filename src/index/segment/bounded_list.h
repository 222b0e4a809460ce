// A term's postings where only documents that can still be among the best are wanted: what a block
// can add to a score is known before it is decoded.
#pragma once

#include "index/segment/reader.h"
#include "rank/term_scores.h"

namespace memory::segment {

class BoundedList {
  public:
    // `list` is rewound, not empty, and used by nothing else meanwhile; it and `scores` must
    // outlive this.
    BoundedList(PostingList &list, double weight, rank::TermScores &scores,
                std::pmr::memory_resource *memory);

    double weight() const { return weight_; }

    // Goes on to a window of ordinals, [begin, end), behind the one before. All that follows is
    // about ordinals in it.
    void enter(std::uint32_t begin, std::uint32_t end);
    // The most that the term adds to the score of a document of the window.
    double bound() const { return bound_; }
    // How many postings the window has, about.
    std::uint32_t postings() const { return postings_; }

    // Calls `take(ordinal, count, most)` for the postings of the window: `most` is what one of its
    // block adds at most that has this count. Blocks of which `skip(bound)` is true are left out.
    template <class Skip, class Take>
    void each(Skip &&skip, Take &&take);

    // To the block that would hold `ordinal`, not below one asked for before in this window; false
    // if there is none.
    bool seek(std::uint32_t ordinal) {
        while (at_ < blocks_.size() && blocks_[at_].last < ordinal)
            ++at_;
        return at_ < blocks_.size() && blocks_[at_].first <= ordinal;
    }
    // Of the block found by seek(): the most that a posting adds.
    double block_bound() const { return blocks_[at_].most; }
    // How often the term is in `ordinal`, whose block seek() has found.
    std::uint32_t count(std::uint32_t ordinal);

  private:
    struct Block {
        std::uint32_t first;
        std::uint32_t last;
        Address address;
        double most;
    };

    static std::uint32_t share(const Block &block, std::uint32_t window);
    const codec::PostingBuffer &decoded(std::size_t block);
    void know(double most, std::span<const codec::Bound> front);
    static std::uint32_t place_of(const codec::PostingBuffer &postings, std::uint32_t ordinal);

    // Of postings with a usual count; the others add at most what their block does.
    static constexpr std::uint32_t usual_counts = 4;

    PostingList &list_;
    const double weight_;
    rank::TermScores &scores_;
    std::pmr::vector<Block> blocks_;
    std::uint32_t begin_ = 0; // of the window
    std::uint32_t end_ = 0;
    double bound_ = 0;
    std::uint32_t postings_ = 0;
    std::size_t first_ = 0;          // in blocks_: the first one that reaches into the window
    std::size_t at_ = 0;             // where seek() stands
    std::size_t decoded_ = SIZE_MAX; // the block that list_ stands at
    std::uint32_t gone_through_ = 0; // a place in it up to which earlier windows have gone
    std::array<double, usual_counts + 1> most_; // that a posting of it adds, by its count less one
};

template <class Skip, class Take>
void BoundedList::each(Skip &&skip, Take &&take) {
    for (std::size_t i = first_; i < blocks_.size() && blocks_[i].first < end_; ++i) {
        const Block &block = blocks_[i];
        if (skip(block.most))
            continue;
        const codec::PostingBuffer &postings = decoded(i);
        std::uint32_t place = block.first < begin_ ? gone_through_ : 0;
        if (postings.ordinals[place] < begin_)
            place = place_of(postings, begin_);
        // Of a corrupt block the ordinals may fall: then the difference is above any window.
        for (; place < postings.size && postings.ordinals[place] - begin_ < end_ - begin_;
             ++place) {
            const std::uint32_t count = postings.counts[place];
            take(postings.ordinals[place], count, most_[std::min(count - 1, usual_counts)]);
        }
        gone_through_ = std::min(place, postings.size - 1);
    }
}

} // namespace memory::segment
