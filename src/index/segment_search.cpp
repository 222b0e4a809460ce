// Opens the lists of one search, joins those of a prefix into one set, and excludes what the
// snapshot does not see.
#include "index/segment_search.h"

#include "index/forget.h"
#include "index/segment/near_terms.h"
#include "text/interruption_sql.h"
#include "text/terms.h"

#include <bit>

namespace memory::index {

namespace {

// A segment of so many has more pages of lengths than a search keeps pinned.
constexpr std::uint32_t documents_worth_copies = 1U << 16;

BlockNumber to_copy(const Run &run) {
    return run.documents >= documents_worth_copies ? run.catalogue : InvalidBlockNumber;
}

// A scan lives longer than a call, and pins must not.
struct LetGo {
    segment::Segment &segment;
    ~LetGo() { segment.let_go(); }
};

} // namespace

template <class Body>
auto SegmentSearch::read(Body &&body) {
    const LetGo at_end{segment_};
    return reading(index_, pages_, body);
}

SegmentSearch::SegmentSearch(Relation index, BlockNumber root, const Run &run,
                             const SearchTerms &terms, std::pmr::memory_resource *memory)
    : index_(index), memory_(memory), pages_(index, root, to_copy(run)),
      segment_(pages_, root_of_segment(run), memory), lists_(memory), sets_(memory),
      excluded_(memory), run_(run), dead_to_all_(memory), texts_(run.texts), length_(run.length) {
    segment_.expect(run.documents);
    lists_.reserve(terms.terms().targets().size());
    for (const codec::TermSet::Target &target : terms.terms().targets())
        segment_.find(target.term, lists_.emplace_back(pages_, memory));
    for (const std::pmr::string &prefix : terms.openings().prefixes)
        gather_prefix(prefix);
    gather_nears(terms.openings().nears);
    if (run.dead > 0)
        segment_.append_dead(excluded_);
}

namespace {

void append(segment::PostingList &list, std::pmr::vector<std::uint32_t> &ordinals,
            text::Pause &pause) {
    while (list.next()) {
        pause.step(list.block().size);
        ordinals.insert(ordinals.end(), list.block().ordinals.begin(),
                        list.block().ordinals.begin() + list.block().size);
    }
}

// Those of one document in 256 and more are marked, and read from the marks.
constexpr std::size_t documents_a_mark = 256;

void read_marked(std::pmr::vector<std::uint32_t> &ordinals, std::uint32_t documents,
                 text::Pause &pause) {
    std::pmr::vector<std::uint64_t> marks(documents / 64 + 1, ordinals.get_allocator());
    pause.step(ordinals.size() + marks.size());
    for (const std::uint32_t ordinal : ordinals)
        marks[ordinal / 64] |= std::uint64_t{1} << (ordinal % 64);
    ordinals.clear();
    for (std::size_t word = 0; word < marks.size(); ++word)
        for (std::uint64_t rest = marks[word]; rest != 0; rest &= rest - 1)
            ordinals.push_back(static_cast<std::uint32_t>(word * 64) +
                               static_cast<std::uint32_t>(std::countr_zero(rest)));
}

// Ordinals of a segment of so many documents.
void sort_distinct(std::pmr::vector<std::uint32_t> &ordinals, std::uint32_t documents,
                   text::Pause &pause) {
    if (ordinals.size() > documents / documents_a_mark)
        return read_marked(ordinals, documents, pause);
    std::sort(ordinals.begin(), ordinals.end(), [&](std::uint32_t a, std::uint32_t b) {
        pause.step();
        return a < b;
    });
    ordinals.erase(std::unique(ordinals.begin(), ordinals.end()), ordinals.end());
}

} // namespace

// The documents that have a term which begins so.
void SegmentSearch::gather_prefix(std::string_view prefix) {
    std::pmr::vector<std::uint32_t> &ordinals = sets_.emplace_back();
    text::Pause pause(text::server_interruption);
    segment::TermWalk terms(segment_, memory_);
    for (bool more = terms.seek(prefix); more && terms.term().starts_with(prefix);
         more = terms.next())
        append(terms.list(), ordinals, pause);
    sort_distinct(ordinals, documents(), pause);
}

// For each word, the documents that have a term near it.
void SegmentSearch::gather_nears(std::span<const grammar::Near> nears) {
    if (nears.empty())
        return;
    const std::size_t first = sets_.size();
    sets_.resize(first + nears.size());
    std::pmr::vector<segment::NearTerms> words(memory_);
    for (const grammar::Near &near : nears)
        words.emplace_back(near.spelling, memory_);
    text::Pause pause(text::server_interruption);
    segment::TermWalk terms(segment_, memory_);
    segment::each_near(terms, words, text::above_weak, pause, [&](std::size_t n, std::uint32_t) {
        append(terms.list(), sets_[first + n], pause);
    });
    for (std::size_t n = first; n < sets_.size(); ++n)
        sort_distinct(sets_[n], documents(), pause);
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

// The same of a range of parts, which the map mostly answers for as a whole.
void SegmentSearch::gather_unsettled(std::size_t first_part, std::size_t end_part,
                                     VisibilityMap &map,
                                     std::pmr::vector<std::uint32_t> &unsettled) {
    const segment::Catalogue &catalogue = segment_.catalogue();
    if (map.all_visible(catalogue.first_block(first_part), catalogue.last_block(end_part - 1)))
        return;
    if (end_part - first_part == 1)
        return gather_unsettled(first_part, map, unsettled);
    const std::size_t middle = first_part + (end_part - first_part) / 2;
    gather_unsettled(first_part, middle, map, unsettled);
    gather_unsettled(middle, end_part, map, unsettled);
}

void SegmentSearch::exclude_unseen(Relation heap, Snapshot snapshot, VisibilityMap &map) {
    std::pmr::vector<std::uint32_t> unsettled(memory_);
    read([&] { gather_unsettled(0, segment_.catalogue().rows_parts(), map, unsettled); });
    if (unsettled.empty())
        return;
    std::pmr::vector<Looked> looked(memory_);
    looked.reserve(unsettled.size());
    read([&] {
        for (const std::uint32_t ordinal : unsettled)
            looked.push_back({to_item_pointer(segment_.row(ordinal).tid), Seen::yes});
    });
    look_up(heap, snapshot, Trust::heap, looked);
    std::pmr::vector<std::uint32_t> unseen(memory_);
    for (std::size_t i = 0; i < looked.size(); ++i) {
        if (looked[i].seen != Seen::yes)
            unseen.push_back(unsettled[i]);
        if (looked[i].seen == Seen::never)
            dead_to_all_.push_back(unsettled[i]);
    }
    exclude(std::span<const std::uint32_t>(unseen));
}

void SegmentSearch::forget_dead(Relation heap, BlockNumber root) {
    if (dead_to_all_.size() >= documents_to_forget)
        index::forget_dead(index_, heap, root, run_, dead_to_all_);
}

// Ordinals that ascend, none of which is excluded.
void SegmentSearch::exclude(std::span<const std::uint32_t> ordinals) {
    const auto before = static_cast<std::ptrdiff_t>(excluded_.size());
    excluded_.insert(excluded_.end(), ordinals.begin(), ordinals.end());
    std::inplace_merge(excluded_.begin(), excluded_.begin() + before, excluded_.end());
    read([&] {
        for (const std::uint32_t ordinal : ordinals) {
            if (segment_.row(ordinal).fingerprint == no_text)
                continue;
            --texts_;
            length_ -= segment_.kept_length(ordinal);
        }
    });
}

void SegmentSearch::exclude(std::span<const codec::Tid> tids) {
    std::pmr::vector<std::uint32_t> ordinals(memory_);
    read([&] { segment_.append_ordinals(tids, ordinals); });
    std::erase_if(ordinals, [this](std::uint32_t ordinal) { return !counts(ordinal); });
    exclude(std::span<const std::uint32_t>(ordinals));
}

void SegmentSearch::add_to(rank::CorpusStatistics &corpus, std::span<std::uint64_t> frequencies) {
    corpus.documents += texts_;
    corpus.total_length += length_;
    read([&] {
        for (std::size_t term = 0; term < lists_.size(); ++term)
            frequencies[term] += lists_[term].size() - lists_[term].count(excluded_);
    });
}

void SegmentSearch::keep_lists(std::span<const std::uint32_t> numbers) {
    std::pmr::vector<segment::PostingList> kept(memory_);
    kept.reserve(numbers.size());
    for (const std::uint32_t number : numbers)
        if (number < lists_.size())
            kept.push_back(std::move(lists_[number]));
    lists_.swap(kept);
}

std::uint64_t SegmentSearch::postings() const {
    std::uint64_t postings = 0;
    for (const segment::PostingList &list : lists_)
        postings += list.size();
    return postings;
}

segment::Search SegmentSearch::completed(segment::Search wanted) {
    wanted.lists = lists_;
    wanted.sets = sets_;
    wanted.excluded = excluded_;
    return wanted;
}

void SegmentSearch::find(const segment::Search &wanted, segment::Stretch stretch,
                         std::pmr::vector<segment::Found> &found) {
    read([&] { segment::find(segment_, completed(wanted), stretch, found, memory_); });
}

void SegmentSearch::find_best(const segment::Search &wanted, std::uint32_t source,
                              segment::Best &best) {
    read([&] { segment::find_best(segment_, completed(wanted), source, best, memory_); });
}

void SegmentSearch::read_parts(const segment::Search &wanted,
                               std::span<const std::uint32_t> ordinals, std::span<double> parts) {
    read([&] { segment::read_parts(segment_, completed(wanted), ordinals, parts); });
}

codec::Row SegmentSearch::row(std::uint32_t ordinal) {
    return read([&] { return segment_.row(ordinal); });
}

codec::Row SegmentSearch::single_row(std::uint32_t ordinal) {
    return read([&] { return segment_.single_row(ordinal); });
}

} // namespace memory::index
