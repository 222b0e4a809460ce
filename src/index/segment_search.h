// One segment in one search: the lists of the terms looked for, and the documents that do not
// count.
#pragma once

#include "index/ranking.h"
#include "index/segment/best.h"
#include "index/segment_pages.h"

namespace memory::index {

class SegmentSearch {
  public:
    SegmentSearch(Relation index, BlockNumber root, const Run &run, const SearchTerms &terms,
                  std::pmr::memory_resource *memory);
    SegmentSearch(const SegmentSearch &) = delete;
    SegmentSearch &operator=(const SegmentSearch &) = delete;

    std::uint32_t documents() const { return segment_.documents(); }
    // The first page of the table that a row of it is on.
    BlockNumber first_block() const { return segment_.catalogue().first_block(0); }

    // Leaves out the documents whose rows `snapshot` does not see. Once.
    void exclude_unseen(Relation heap, Snapshot snapshot, VisibilityMap &map);

    // Marks what exclude_unseen() has found dead to all snapshots, if it is worth it.
    void forget_dead(Relation heap, BlockNumber root);

    // Leaves out the documents of these rows, as far as they are in it. They ascend strictly.
    void exclude(std::span<const codec::Tid> tids);

    // Adds what the documents that count have of everything; frequencies by number.
    void add_to(rank::CorpusStatistics &corpus, std::span<std::uint64_t> frequencies);

    // Leaves only the lists of these numbers, which ascend; what openings have found stays.
    void keep_lists(std::span<const std::uint32_t> numbers);

    // Of all terms together.
    std::uint64_t postings() const;

    // Finds documents that count; `wanted` says what, but for the lists, the sets and the excluded.
    void find(const segment::Search &wanted, segment::Stretch stretch,
              std::pmr::vector<segment::Found> &found);
    // Offers those that can be among the best; see segment::find_best().
    void find_best(const segment::Search &wanted, std::uint32_t source, segment::Best &best);

    // What each term adds to the scores of some documents; see segment::read_parts().
    void read_parts(const segment::Search &wanted, std::span<const std::uint32_t> ordinals,
                    std::span<double> parts);

    codec::Row row(std::uint32_t ordinal);
    // The same for one whose neighbours are not asked for.
    codec::Row single_row(std::uint32_t ordinal);
    bool counts(std::uint32_t ordinal) const {
        return !std::binary_search(excluded_.begin(), excluded_.end(), ordinal);
    }

  private:
    // Runs `body`, which reads the segment.
    template <class Body>
    auto read(Body &&body);
    segment::Search completed(segment::Search wanted);
    void gather_prefix(std::string_view prefix);
    void gather_nears(std::span<const grammar::Near> nears);
    void exclude(std::span<const std::uint32_t> ordinals);
    void gather_unsettled(std::size_t first_part, std::size_t end_part, VisibilityMap &map,
                          std::pmr::vector<std::uint32_t> &unsettled);
    void gather_unsettled(std::size_t part, VisibilityMap &map,
                          std::pmr::vector<std::uint32_t> &unsettled);

    Relation index_;
    std::pmr::memory_resource *memory_;
    SegmentPages pages_;
    segment::Segment segment_;
    std::pmr::vector<segment::PostingList> lists_;           // by term
    std::pmr::vector<std::pmr::vector<std::uint32_t>> sets_; // by opening: ordinals
    std::pmr::vector<std::uint32_t> excluded_;               // dead or not seen, ascending
    Run run_;
    std::pmr::vector<std::uint32_t> dead_to_all_; // ascending
    std::uint64_t texts_;
    std::uint64_t length_;
};

} // namespace memory::index
