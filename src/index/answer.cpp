// See answer.h.
#include "index/answer.h"

namespace memory::index {

namespace {

std::pmr::vector<std::uint32_t> terms_of(std::span<const SearchTerm> query,
                                         std::pmr::memory_resource *memory) {
    std::pmr::vector<std::uint32_t> terms(memory);
    for (const SearchTerm &term : query)
        terms.push_back(term.term);
    return terms;
}

} // namespace

Answer::Answer(Relation index, std::pmr::memory_resource *memory)
    : index_(index), memory_(memory), log_(memory), segments_(memory), found_(memory),
      is_found_(memory), without_text_(memory) {}

// Matches first and best first; of equals, the order in which they are stored.
bool Answer::worse(const Placed &a, const Placed &b) {
    if (a.score != b.score)
        return a.score < b.score;
    return a.source != b.source ? a.source > b.source : a.place > b.place;
}

void Answer::clear() {
    segments_.clear();
    found_.clear();
}

Tenant Answer::collect(Key key, const SearchTerms &terms, const codec::TermSet &wanted) {
    clear();
    const Tenant tenant = log_.collect(index_, key, terms);
    for (const Run &run : tenant.runs.span())
        if (run.state == RunState::live)
            reading(index_, run.first,
                    [&] { segments_.emplace_back(index_, run, wanted, memory_); });
    return tenant;
}

// VACUUM raises a tenant's generation in the record that takes documents away, and only after that
// makes a page all-visible on which their rows have been. So if the generation is the same
// afterwards, what the visibility map said is true of the documents that were read. A tiny tenant's
// rows are few: they are looked up in the heap, which is always right.
void Answer::collect_seen(Key key, const SearchTerms &terms, Relation heap, Snapshot snapshot) {
    const codec::TermSet wanted = terms.terms(memory_);
    for (;;) {
        const Tenant tenant = collect(key, terms, wanted);
        const bool tiny = tenant.root == InvalidBlockNumber;
        log_.look_up(heap, snapshot, tiny ? Trust::heap : Trust::map_and_heap);
        VisibilityMap map(heap);
        for (SegmentSearch &segment : segments_)
            segment.exclude_unseen(heap, snapshot, map);
        if (tiny || log_generation(index_, tenant.root) == tenant.generation)
            return;
        pg::check_for_interrupts();
    }
}

void Answer::filter(Key key, const SearchTerms &terms) {
    collect(key, terms, terms.terms(memory_));
    wants_rest_ = terms.queries() == 0;
    if (wants_rest_)
        return;
    Conditions conditions(memory_);
    for (std::size_t n = 0; n < terms.queries(); ++n)
        conditions.push_back(terms_of(terms.query(n), memory_));
    find(conditions, {}, nullptr);
}

void Answer::rank(Key key, const SearchTerms &terms, Relation heap, Snapshot snapshot,
                  const rank::Bm25Parameters &parameters) {
    collect_seen(key, terms, heap, snapshot);
    rank::CorpusStatistics corpus;
    std::pmr::vector<std::uint64_t> frequencies(terms.size(), memory_);
    log_.add_to(corpus, frequencies);
    for (SegmentSearch &segment : segments_)
        segment.add_to(corpus, frequencies);
    const rank::Bm25 bm25(parameters, corpus);
    std::pmr::vector<double> weights(terms.size(), memory_);
    for (const SearchTerm &term : terms.query(0))
        weights[term.term] = bm25.weight(frequencies[term.term], term.multiplicity);
    Conditions conditions(memory_);
    for (std::size_t n = 1; n < terms.queries(); ++n)
        conditions.push_back(terms_of(terms.query(n), memory_));
    wants_rest_ = conditions.empty();
    if (wants_rest_)
        conditions.push_back(terms_of(terms.query(0), memory_));
    ranked_ = true;
    find(conditions, weights, &bm25);
    std::make_heap(found_.begin(), found_.end(), worse);
}

void Answer::find(const Conditions &conditions, std::span<const double> weights,
                  const rank::Bm25 *bm25) {
    for (std::uint32_t place = 0; place < log_.all().size(); ++place) {
        const Document &document = log_.all()[place];
        const bool wanted =
            document.counts() &&
            std::all_of(conditions.begin(), conditions.end(),
                        [&](const auto &terms) { return log_.has_any(document, terms); });
        if (wanted)
            found_.push_back(
                {bm25 == nullptr ? 0 : log_.score(document, weights, *bm25), 0, place});
    }
    segment::Search search;
    search.weights = weights;
    search.bm25 = bm25;
    search.conditions = conditions;
    std::pmr::vector<segment::Found> in_segment(memory_);
    for (std::uint32_t source = 1; source <= segments_.size(); ++source) {
        in_segment.clear();
        segments_[source - 1].find(search, in_segment);
        for (const segment::Found &one : in_segment)
            found_.push_back({one.score, source, one.ordinal});
        pg::check_for_interrupts();
    }
    left_ = found_.size();
}

Hit Answer::hit(const Placed &placed) {
    if (placed.source == 0) {
        const codec::Document &document = log_.all()[placed.place].stored;
        return {document.tid, document.fingerprint != no_text, placed.score, document.fingerprint};
    }
    const codec::Row row = segments_[placed.source - 1].row(placed.place);
    return {row.tid, row.fingerprint != no_text, placed.score, row.fingerprint};
}

std::optional<Hit> Answer::next() {
    if (left_ == 0)
        return next_of_rest();
    if (!ranked_)
        return hit(found_[found_.size() - left_--]);
    std::pop_heap(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(left_), worse);
    return hit(found_[--left_]);
}

// --- the other rows ---------------------------------------------------------------------------

std::uint32_t Answer::size_of(std::uint32_t source) const {
    return source == 0 ? static_cast<std::uint32_t>(log_.all().size())
                       : segments_[source - 1].documents();
}

bool Answer::is_rest(std::uint32_t source, std::uint32_t place) {
    if (is_found_[source][place])
        return false;
    return source == 0 ? log_.all()[place].seen == Seen::yes : segments_[source - 1].counts(place);
}

void Answer::begin_rest() {
    rest_begun_ = true;
    for (std::uint32_t source = 0; source <= segments_.size(); ++source)
        is_found_.emplace_back(size_of(source));
    for (const Placed &placed : found_)
        is_found_[placed.source][placed.place] = true;
}

std::optional<Hit> Answer::next_of_rest() {
    if (!wants_rest_)
        return std::nullopt;
    if (!rest_begun_)
        begin_rest();
    for (; source_ <= segments_.size(); ++source_, place_ = 0)
        while (place_ < size_of(source_)) {
            const Placed placed{0, source_, place_++};
            if (!is_rest(placed.source, placed.place))
                continue;
            const Hit found = hit(placed);
            if (found.has_text)
                return found;
            without_text_.push_back(placed);
        }
    if (next_without_text_ < without_text_.size())
        return hit(without_text_[next_without_text_++]);
    return std::nullopt;
}

} // namespace memory::index
