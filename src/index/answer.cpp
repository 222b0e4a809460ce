// See answer.h.
#include "index/answer.h"

namespace memory::index {

Answer::Answer(Relation index, std::pmr::memory_resource *memory)
    : index_(index), memory_(memory), judges_(memory), log_(memory), segments_(memory),
      order_(memory), found_(memory), is_found_(memory), without_text_(memory) {}

// Best first; of equals, the order of the table, as far as the sources can be told apart by it.
bool Answer::worse(const Placed &a, const Placed &b) const {
    if (a.score != b.score)
        return a.score < b.score;
    return a.source != b.source ? order_[a.source] > order_[b.source] : a.place > b.place;
}

// Segments by their first rows; what is in the log has come last.
void Answer::order_sources() {
    std::pmr::vector<std::uint32_t> sources(memory_);
    for (std::uint32_t source = 1; source <= segments_.size(); ++source)
        sources.push_back(source);
    std::sort(sources.begin(), sources.end(), [this](std::uint32_t a, std::uint32_t b) {
        return segments_[a - 1].first_block() < segments_[b - 1].first_block();
    });
    sources.push_back(0);
    order_.resize(sources.size());
    for (std::uint32_t place = 0; place < sources.size(); ++place)
        order_[sources[place]] = place;
}

void Answer::clear() {
    segments_.clear();
    found_.clear();
}

Tenant Answer::collect(Key key, const SearchTerms &terms) {
    clear();
    const Tenant tenant = log_.collect(index_, key, terms);
    for (const Run &run : tenant.runs.span())
        if (run.state == RunState::live)
            reading(index_, run.first,
                    [&] { segments_.emplace_back(index_, run, terms, memory_); });
    return tenant;
}

// VACUUM raises a tenant's generation in the record that takes documents away, and only after that
// makes a page all-visible on which their rows have been. So if the generation is the same
// afterwards, what the visibility map said is true of the documents that were read. A tiny tenant's
// rows are few: they are looked up in the heap, which is always right.
void Answer::collect_seen(Key key, const SearchTerms &terms, Relation heap, Snapshot snapshot) {
    for (;;) {
        const Tenant tenant = collect(key, terms);
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

segment::Condition Answer::condition_of(const SearchQuery &query, std::size_t numbers) {
    if (query.kind == QueryKind::plain)
        return {query.terms, nullptr};
    return {{}, &judges_.emplace_back(query, numbers, memory_)};
}

void Answer::filter(Key key, const SearchTerms &terms) {
    collect(key, terms);
    wants_rest_ = terms.queries().empty();
    if (wants_rest_)
        return;
    std::pmr::vector<segment::Condition> conditions(memory_);
    for (const SearchQuery &query : terms.queries())
        conditions.push_back(condition_of(query, terms.size()));
    segment::Search search;
    search.conditions = conditions;
    find(search);
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
    const SearchQuery &ordering = terms.queries()[0];
    for (std::size_t i = 0; i < ordering.terms.size(); ++i) {
        const std::uint32_t number = ordering.terms[i];
        const std::uint32_t times = ordering.pattern->terms()[i].multiplicity;
        if (number != not_looked_up && times > 0)
            weights[number] = bm25.weight(frequencies[number], times);
    }
    std::pmr::vector<segment::Condition> conditions(memory_);
    for (const SearchQuery &query : terms.queries())
        conditions.push_back(condition_of(query, terms.size()));
    segment::Search search;
    search.weights = weights;
    search.bm25 = &bm25;
    search.conditions = conditions;
    wants_rest_ = conditions.size() == 1;
    if (!wants_rest_) {
        search.scored = conditions[0];
        search.conditions = search.conditions.subspan(1);
    }
    ranked_ = true;
    find(search);
    order_sources();
    std::make_heap(found_.begin(), found_.end(),
                   [this](const Placed &a, const Placed &b) { return worse(a, b); });
}

void Answer::find_in_log(const segment::Search &search) {
    for (std::uint32_t place = 0; place < log_.all().size(); ++place) {
        const Document &document = log_.all()[place];
        if (!document.counts())
            continue;
        segment::Verdict verdict = segment::Verdict::yes;
        for (const segment::Condition &condition : search.conditions)
            verdict = std::min(verdict, log_.verdict(document, condition));
        if (verdict == segment::Verdict::no)
            continue;
        const segment::Verdict scored =
            search.scored ? log_.verdict(document, *search.scored) : segment::Verdict::yes;
        const double score = search.bm25 == nullptr || scored == segment::Verdict::no
                                 ? 0
                                 : log_.score(document, search.weights, *search.bm25);
        add({score, place, verdict == segment::Verdict::maybe, scored == segment::Verdict::maybe},
            0);
    }
}

// What ranks, when it is the only condition, is no condition: who does not match comes last.
void Answer::add(const segment::Found &one, std::uint32_t source) {
    found_.push_back({one.score, source, one.ordinal, !wants_rest_ && one.maybe,
                      one.maybe_scored || (wants_rest_ && one.maybe)});
}

void Answer::find(const segment::Search &search) {
    find_in_log(search);
    std::pmr::vector<segment::Found> in_segment(memory_);
    for (std::uint32_t source = 1; source <= segments_.size(); ++source) {
        in_segment.clear();
        segments_[source - 1].find(search, in_segment);
        for (const segment::Found &one : in_segment)
            add(one, source);
        pg::check_for_interrupts();
    }
    left_ = found_.size();
    judges_.clear(); // their queries are the caller's
}

Hit Answer::hit(const Placed &placed) {
    codec::Row row;
    if (placed.source == 0) {
        const codec::Document &document = log_.all()[placed.place].stored;
        row = {document.tid, document.fingerprint};
    } else {
        row = segments_[placed.source - 1].row(placed.place);
    }
    return {row.tid,        row.fingerprint != no_text, placed.score, row.fingerprint,
            placed.recheck, placed.recheck_score};
}

std::optional<Hit> Answer::next() {
    if (left_ == 0)
        return next_of_rest();
    if (!ranked_)
        return hit(found_[found_.size() - left_--]);
    std::pop_heap(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(left_),
                  [this](const Placed &a, const Placed &b) { return worse(a, b); });
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
            const Placed placed{0, source_, place_++, false, false};
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
