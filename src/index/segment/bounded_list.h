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

    // Calls `take(ordinal, count, shortest)` for the postings of the window: no document of their
    // block is shorter than `shortest`. Blocks of which `skip(bound)` is true are left out.
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
        std::uint32_t shortest;
        Address address;
        double most;
    };

    static std::uint32_t share(const Block &block, std::uint32_t window);
    const codec::PostingBuffer &decoded(std::size_t block);
    static std::uint32_t place_of(const codec::PostingBuffer &postings, std::uint32_t ordinal);

    PostingList &list_;
    const double weight_;
    std::pmr::vector<Block> blocks_;
    std::uint32_t begin_ = 0; // of the window
    std::uint32_t end_ = 0;
    double bound_ = 0;
    std::uint32_t postings_ = 0;
    std::size_t first_ = 0;          // in blocks_: the first one that reaches into the window
    std::size_t at_ = 0;             // where seek() stands
    std::size_t decoded_ = SIZE_MAX; // the block that list_ stands at
};

template <class Skip, class Take>
void BoundedList::each(Skip &&skip, Take &&take) {
    for (std::size_t i = first_; i < blocks_.size() && blocks_[i].first < end_; ++i) {
        const Block &block = blocks_[i];
        if (skip(block.most))
            continue;
        const codec::PostingBuffer &postings = decoded(i);
        // Of a corrupt block the ordinals may fall: then the difference is above any window.
        for (std::uint32_t place = block.first < begin_ ? place_of(postings, begin_) : 0;
             place < postings.size && postings.ordinals[place] - begin_ < end_ - begin_; ++place)
            take(postings.ordinals[place], postings.counts[place], block.shortest);
    }
}

} // namespace memory::segment
