// See segment_search.h.
#include "index/segment_search.h"

namespace memory::index {

SegmentSearch::SegmentSearch(Relation index, const Run &run, const SearchTerms &terms,
                             std::pmr::memory_resource *memory)
    : index_(index), memory_(memory), pages_(index), segment_(pages_, root_of_segment(run), memory),
      lists_(memory), sets_(memory), excluded_(memory), texts_(run.texts), length_(run.length) {
    lists_.reserve(terms.terms().targets().size());
    for (const codec::TermSet::Target &target : terms.terms().targets())
        segment_.find(target.term, lists_.emplace_back(pages_, memory));
    for (const std::pmr::string &prefix : terms.prefixes())
        gather_prefix(prefix);
    if (run.dead > 0)
        segment_.append_dead(excluded_);
}

// The documents that have a term which begins so.
void SegmentSearch::gather_prefix(std::string_view prefix) {
    std::pmr::vector<std::uint32_t> &ordinals = sets_.emplace_back();
    segment::TermWalk terms(segment_, memory_);
    for (bool more = terms.seek(prefix); more && terms.term().starts_with(prefix);
         more = terms.next()) {
        segment::PostingList &list = terms.list();
        while (list.next())
            ordinals.insert(ordinals.end(), list.block().ordinals.begin(),
                            list.block().ordinals.begin() + list.block().size);
    }
    std::sort(ordinals.begin(), ordinals.end());
    ordinals.erase(std::unique(ordinals.begin(), ordinals.end()), ordinals.end());
}

// The rows of a part that the map does not answer for.
void SegmentSearch::gather_unsettled(std::size_t part, VisibilityMap &map,
                                     std::pmr::vector<std::uint32_t> &unsettled) {
    const auto first = static_cast<std::uint32_t>(part) * segment::documents_per_rows;
    const std::uint32_t end = first + segment_.in_part(part, segment::documents_per_rows);
    BlockNumber block = InvalidBlockNumber;
    bool visible = false;
    for (std::uint32_t ordinal = first; ordinal < end; ++ordinal) {
        const BlockNumber its = segment_.row(ordinal).tid.block;
        if (its != block) {
            block = its;
            visible = map.all_visible(block, block);
        }
        if (!visible && counts(ordinal))
            unsettled.push_back(ordinal);
    }
}

void SegmentSearch::exclude_unseen(Relation heap, Snapshot snapshot, VisibilityMap &map) {
    std::pmr::vector<std::uint32_t> unsettled(memory_);
    const segment::Catalogue &catalogue = segment_.catalogue();
    reading(index_, pages_, [&] {
        for (std::size_t part = 0; part < catalogue.rows_parts(); ++part)
            if (!map.all_visible(catalogue.first_block(part), catalogue.last_block(part)))
                gather_unsettled(part, map, unsettled);
    });
    if (unsettled.empty())
        return;
    std::pmr::vector<Looked> looked(memory_);
    looked.reserve(unsettled.size());
    reading(index_, pages_, [&] {
        for (const std::uint32_t ordinal : unsettled)
            looked.push_back({to_item_pointer(segment_.row(ordinal).tid), Seen::yes});
    });
    look_up(heap, snapshot, Trust::heap, looked);
    const std::size_t dead = excluded_.size();
    reading(index_, pages_, [&] {
        for (std::size_t i = 0; i < looked.size(); ++i) {
            if (looked[i].seen == Seen::yes)
                continue;
            excluded_.push_back(unsettled[i]);
            if (segment_.row(unsettled[i]).fingerprint != no_text) {
                --texts_;
                length_ -= segment_.length(unsettled[i]);
            }
        }
    });
    std::inplace_merge(excluded_.begin(), excluded_.begin() + static_cast<std::ptrdiff_t>(dead),
                       excluded_.end());
}

void SegmentSearch::add_to(rank::CorpusStatistics &corpus, std::span<std::uint64_t> frequencies) {
    corpus.documents += texts_;
    corpus.total_length += length_;
    reading(index_, pages_, [&] {
        for (std::size_t term = 0; term < lists_.size(); ++term)
            frequencies[term] += lists_[term].size() - lists_[term].count(excluded_);
    });
}

void SegmentSearch::find(segment::Search wanted, std::pmr::vector<segment::Found> &found) {
    wanted.lists = lists_;
    wanted.sets = sets_;
    wanted.excluded = excluded_;
    reading(index_, pages_, [&] { segment::find(segment_, wanted, found, memory_); });
}

codec::Row SegmentSearch::row(std::uint32_t ordinal) {
    return reading(index_, pages_, [&] { return segment_.row(ordinal); });
}

} // namespace memory::index
