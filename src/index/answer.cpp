// Collects the sources of one answer (segments, the log, rows without a match) and merges them in
// the order of the search.
#include "index/answer.h"

#include "text/interruption_sql.h"

#include <numeric>

namespace memory::index {

namespace {

// With fewer postings everything is scored; it takes no longer.
constexpr std::uint64_t many_postings = 256;

// How many of the best are looked for at first, and how many times more when they are used up,
// until everything is scored.
constexpr std::size_t first_best = 10;
constexpr std::size_t more_best = 16;
constexpr std::size_t most_best = first_best * more_best;

// Documents that a filter goes through at first, and how many times more the next time: it passes
// anew over the lists as far as it has come.
constexpr std::uint32_t first_stretch = segment::window_documents;
constexpr std::uint32_t more_documents = 4;

constexpr std::size_t steps_a_condition = 64; // for a pause

} // namespace

Answer::Answer(Relation index, std::pmr::memory_resource *memory)
    : index_(index), memory_(memory), log_(memory), counted_(memory), segments_(memory),
      sources_(memory), order_(memory), weights_(memory), conditions_(memory), numbers_(memory),
      judges_(memory), found_(memory), hidden_(memory), frequencies_(memory), is_found_(memory),
      without_text_(memory) {
    search_.interruption = &text::server_interruption;
}

void Answer::hide(std::span<const codec::Tid> tids) {
    hidden_.assign(tids.begin(), tids.end());
    std::sort(hidden_.begin(), hidden_.end());
    hidden_.erase(std::unique(hidden_.begin(), hidden_.end()), hidden_.end());
}

void Answer::count(std::span<const codec::Bytes> records, const SearchTerms &terms) {
    counted_.add(records, terms);
}

double Answer::score_of_counted(std::size_t n) {
    return counted_.score(counted_.all()[n], weights_, *scores_);
}

// Best first; of equals, the order of the table, as far as the sources can be told apart by it.
bool Answer::better(const Placed &a, const Placed &b) const {
    if (a.score != b.score)
        return a.score > b.score;
    return a.source != b.source ? order_[a.source] < order_[b.source] : a.place < b.place;
}

// Segments by their first rows; what is in the log has come last.
void Answer::order_sources() {
    for (std::uint32_t source = 1; source <= segments_.size(); ++source)
        sources_.push_back(source);
    std::sort(sources_.begin(), sources_.end(), [this](std::uint32_t a, std::uint32_t b) {
        return segments_[a - 1].first_block() < segments_[b - 1].first_block();
    });
    sources_.push_back(0);
    order_.resize(sources_.size());
    for (std::uint32_t place = 0; place < sources_.size(); ++place)
        order_[sources_[place]] = place;
}

Tenant Answer::collect(Key key, const SearchTerms &terms) {
    segments_.clear();
    const Tenant tenant = log_.collect(index_, key, terms);
    for (const Run &run : tenant.runs.span())
        if (run.state == RunState::live)
            reading(index_, run.first,
                    [&] { segments_.emplace_back(index_, tenant.root, run, terms, memory_); });
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
        log_.hide(hidden_);
        VisibilityMap map(heap);
        for (SegmentSearch &segment : segments_) {
            segment.exclude_unseen(heap, snapshot, map);
            segment.exclude(hidden_);
        }
        if (tiny)
            return;
        const bool settled = log_generation(index_, tenant.root) == tenant.generation;
        for (SegmentSearch &segment : segments_)
            segment.forget_dead(heap, tenant.root);
        if (settled)
            return;
        pg::check_for_interrupts();
    }
}

segment::Condition Answer::judged(const SearchQuery &query, std::size_t numbers) {
    return {{}, &judges_.emplace_back(query, numbers, memory_)};
}

segment::Condition Answer::any_of(std::span<const std::uint32_t> numbers) {
    return {numbers_.emplace_back(numbers.begin(), numbers.end()), nullptr};
}

// What a match with a query has by terms alone, and what a judge says where that is not all.
void Answer::add_conditions(const SearchQuery &query, std::size_t numbers) {
    if (query.kind == QueryKind::plain) {
        conditions_.push_back(any_of(query.terms));
        return;
    }
    const grammar::Necessary necessary = query.pattern->necessary(memory_);
    text::Pause pause(text::server_interruption);
    for (const std::pmr::vector<std::uint32_t> &terms : necessary.conditions) {
        pause.step(steps_a_condition + terms.size());
        conditions_.push_back(any_of(query.numbers_of(terms)));
    }
    if (!necessary.sufficient || !necessary.forbidden.empty() || necessary.conditions.empty())
        conditions_.push_back(judged(query, numbers));
}

// What a document with a score must meet to keep it; nothing, if every document with one matches
// the query.
std::optional<segment::Condition> Answer::condition_of_score(const SearchQuery &query,
                                                             std::size_t numbers) {
    if (query.kind == QueryKind::plain)
        return std::nullopt;
    const grammar::Necessary necessary = query.pattern->necessary(memory_);
    if (!necessary.sufficient || !necessary.forbidden.empty() || necessary.conditions.size() != 1)
        return judged(query, numbers);
    const std::pmr::vector<std::uint32_t> any = query.numbers_of(necessary.conditions[0]);
    for (std::uint32_t number = 0; number < weights_.size(); ++number)
        if (weights_[number] > 0 && !std::binary_search(any.begin(), any.end(), number))
            return judged(query, numbers);
    return std::nullopt;
}

void Answer::filter(Key key, const SearchTerms &terms) {
    collect(key, terms);
    wants_rest_ = terms.queries().empty();
    if (wants_rest_)
        return;
    for (const SearchQuery &query : terms.queries())
        add_conditions(query, terms.size());
    search_.conditions = conditions_;
    filters_ = judges_.empty();
    if (filters_)
        each_in_log([this](const segment::Found &one) { add(one, 0); });
    else
        find_all();
    ordered_ = found_.size();
}

// The statistics of what is seen.
void Answer::count(std::size_t numbers) {
    corpus_ = {};
    frequencies_.assign(numbers, 0);
    log_.add_to(corpus_, frequencies_);
    counted_.add_to(corpus_, frequencies_);
    for (SegmentSearch &segment : segments_)
        segment.add_to(corpus_, frequencies_);
}

// As if no other terms had been looked for; numbers become places among these.
void Answer::keep_terms(std::span<const std::uint32_t> numbers) {
    for (SegmentSearch &segment : segments_)
        segment.keep_lists(numbers);
    log_.keep_matches(numbers);
    for (std::size_t place = 0; place < numbers.size(); ++place)
        frequencies_[place] = frequencies_[numbers[place]];
    frequencies_.resize(numbers.size());
}

// What the terms of the query that ranks weigh by the statistics, and those that correct it.
void Answer::weigh(const SearchTerms &terms, const rank::Bm25Parameters &parameters,
                   std::span<const Corrections::Found> corrected) {
    rank::Bm25 bm25(parameters, corpus_);
    weights_.resize(terms.size());
    most_ = 0;
    const SearchQuery &ordering = terms.queries()[0];
    for (std::size_t i = 0; i < ordering.terms.size(); ++i) {
        const std::uint32_t number = ordering.terms[i];
        const std::uint32_t times = ordering.pattern->terms()[i].multiplicity;
        if (number != not_looked_up && times > 0)
            most_ += weights_[number] = bm25.weight(frequencies_[number], times);
    }
    for (const Corrections::Found &one : corrected)
        weights_[one.number] +=
            weight_of_found *
            bm25.weight(frequencies_[one.number], ordering.pattern->terms()[one.word].multiplicity);
    bm25.settle(weights_);
    search_.weights = weights_;
    search_.scores = &scores_.emplace(bm25);
}

bool Answer::has_many_postings() const {
    std::uint64_t postings = 0;
    for (const SegmentSearch &segment : segments_)
        postings += segment.postings();
    return postings >= many_postings;
}

void Answer::rank(Key key, const SearchTerms &terms, Relation heap, Snapshot snapshot,
                  const rank::Bm25Parameters &parameters, Wanted wanted) {
    collect_seen(key, terms, heap, snapshot);
    order_sources();
    count(terms.size());
    weigh(terms, parameters);
    search(terms, wanted);
}

std::pmr::vector<std::uint32_t> Answer::weighing() const {
    std::pmr::vector<std::uint32_t> numbers(memory_);
    for (std::uint32_t number = 0; number < weights_.size(); ++number)
        if (weights_[number] > 0)
            numbers.push_back(number);
    return numbers;
}

void Answer::rank_corrected(Key key, Corrections &corrections, Relation heap, Snapshot snapshot,
                            const rank::Bm25Parameters &parameters, Wanted wanted) {
    const auto collect_candidates = [&] {
        collect_seen(key, corrections.candidates(), heap, snapshot);
        count(corrections.candidates().size());
    };
    for (collect_candidates(); !corrections.settle(frequencies_); collect_candidates())
        corrections.gather(index_, key);
    order_sources();
    keep_terms(corrections.choose(frequencies_));
    weigh(corrections.terms(), parameters, corrections.found());
    search(corrections.terms(), wanted);
}

// By the terms that have been weighed. What matches a plain query that ranks alone has one of them.
void Answer::search(const SearchTerms &terms, Wanted wanted) {
    std::span<const SearchQuery> queries = terms.queries();
    wants_rest_ = queries.size() == 1;
    if (!wants_rest_) {
        search_.scored = condition_of_score(queries[0], terms.size());
        queries = queries.subspan(1);
    }
    if (wants_rest_ && queries[0].kind == QueryKind::plain)
        conditions_.push_back(any_of(weighing()));
    else
        for (const SearchQuery &query : queries)
            add_conditions(query, terms.size());
    search_.conditions = conditions_;
    ranked_ = true;
    if (wanted == Wanted::all || !has_many_postings() || !segment::wants_all_scored(search_))
        find_all();
}

double Answer::score(std::span<const codec::Bytes> records, const SearchTerms &terms,
                     std::pmr::memory_resource *memory) {
    Documents alone(memory);
    alone.add(records, terms);
    return alone.score(alone.all()[0], weights_, *scores_);
}

// --- what is found ----------------------------------------------------------------------------

// Calls `take(Found)` for the documents of the log that are looked for.
template <class Take>
void Answer::each_in_log(Take &&take) {
    for (std::uint32_t place = 0; place < log_.all().size(); ++place) {
        const Document &document = log_.all()[place];
        if (!document.counts())
            continue;
        pg::check_for_interrupts();
        const segment::Verdict verdict = log_.verdict(document, search_.conditions);
        if (verdict == segment::Verdict::no)
            continue;
        const segment::Verdict scored = search_.scored
                                            ? log_.verdict(document, std::span(&*search_.scored, 1))
                                            : segment::Verdict::yes;
        const double score = search_.scores == nullptr || scored == segment::Verdict::no
                                 ? 0
                                 : log_.score(document, search_.weights, *search_.scores);
        take(segment::Found{score, place, verdict == segment::Verdict::maybe,
                            scored == segment::Verdict::maybe});
    }
}

// With only the ranking query nothing is filtered: rows that do not match come last, at score 0.
void Answer::add(const segment::Found &one, std::uint32_t source) {
    found_.emplace_back(one.score, source, one.ordinal, !wants_rest_ && one.maybe,
                        one.maybe_scored || (wants_rest_ && one.maybe));
}

void Answer::find_all() {
    found_.clear();
    each_in_log([this](const segment::Found &one) { add(one, 0); });
    std::pmr::vector<segment::Found> in_segment(memory_);
    for (std::uint32_t source = 1; source <= segments_.size(); ++source) {
        in_segment.clear();
        SegmentSearch &segment = segments_[source - 1];
        segment.find(search_, {0, segment.documents()}, in_segment);
        for (const segment::Found &one : in_segment)
            add(one, source);
        pg::check_for_interrupts();
    }
    judges_.clear();
    found_all_ = true;
    ordered_ = 0;
}

// The first `count` rows. Only documents that have a score count as found.
void Answer::find_best(std::size_t count) {
    segment::Best best(count, memory_);
    for (std::uint32_t place = 0; place < segments_.size(); ++place) {
        segments_[sources_[place] - 1].find_best(search_, place, best);
        pg::check_for_interrupts();
    }
    const auto last = static_cast<std::uint32_t>(segments_.size());
    each_in_log([&](const segment::Found &one) {
        if (one.score > best.to_beat())
            best.offer({one.score, {last, one.ordinal}});
    });
    found_.clear();
    for (const auto &one : best.ranked())
        found_.emplace_back(one.score, sources_[one.key.source], one.key.ordinal);
    ordered_ = found_.size();
}

void Answer::read_parts(std::span<const std::uint32_t> matches, std::span<double> parts) {
    const std::size_t terms = weights_.size();
    std::pmr::vector<std::uint32_t> order(matches.size(), memory_);
    std::iota(order.begin(), order.end(), 0U);
    const auto placed = [&](std::uint32_t at) -> const Placed & { return found_[matches[at]]; };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(placed(a).source, placed(a).place) <
               std::pair(placed(b).source, placed(b).place);
    });
    std::pmr::vector<std::uint32_t> ordinals(memory_);
    std::pmr::vector<double> found(memory_);
    for (auto from = order.begin(); from != order.end();) {
        const std::uint32_t source = placed(*from).source;
        const auto end = std::find_if(
            from, order.end(), [&](std::uint32_t at) { return placed(at).source != source; });
        ordinals.clear();
        for (auto at = from; at != end; ++at)
            ordinals.push_back(placed(*at).place);
        found.assign(ordinals.size() * terms, 0);
        read_parts_of(source, ordinals, found);
        for (auto its = found.begin(); from != end;
             ++from, its += static_cast<std::ptrdiff_t>(terms))
            std::copy_n(its, terms, parts.begin() + static_cast<std::ptrdiff_t>(*from * terms));
        pg::check_for_interrupts();
    }
}

// Of documents of one source, which ascend.
void Answer::read_parts_of(std::uint32_t source, std::span<const std::uint32_t> places,
                           std::span<double> parts) {
    if (source > 0)
        return segments_[source - 1].read_parts(search_, places, parts);
    for (std::size_t at = 0; at < places.size(); ++at)
        log_.read_parts(log_.all()[places[at]], weights_, *scores_,
                        parts.subspan(at * weights_.size(), weights_.size()));
}

// Gets more into order than has been given out; false if there is no more.
bool Answer::order_more() {
    const std::size_t end = std::max(first_best, given_ * more_best);
    if (!found_all_ && end <= most_best) {
        find_best(end);
        if (given_ < ordered_)
            return true;
    }
    if (!found_all_)
        find_all();
    if (given_ == found_.size())
        return false;
    const auto begin = found_.begin();
    ordered_ = std::min(found_.size(), end);
    text::Pause pause(text::server_interruption);
    std::partial_sort(begin, begin + static_cast<std::ptrdiff_t>(ordered_), found_.end(),
                      [this, &pause](const Placed &a, const Placed &b) {
                          pause.step();
                          return better(a, b);
                      });
    return true;
}

// The matches of a filter come as they are asked for, segment after segment: a LIMIT may want but
// the first. False if there are no more.
bool Answer::filter_more() {
    found_.clear();
    given_ = 0;
    std::pmr::vector<segment::Found> in_stretch(memory_);
    for (; found_.empty() && filtered_ < segments_.size(); pg::check_for_interrupts()) {
        SegmentSearch &segment = segments_[filtered_];
        const std::uint32_t length = (stretch_.end - stretch_.begin) * more_documents;
        stretch_ = {stretch_.end, stretch_.end + std::max(length, first_stretch)};
        segment.find(search_, stretch_, in_stretch);
        for (const segment::Found &one : in_stretch)
            add(one, static_cast<std::uint32_t>(filtered_ + 1));
        if (stretch_.end >= segment.documents()) {
            ++filtered_;
            stretch_ = {0, 0};
        }
    }
    ordered_ = found_.size();
    return ordered_ > 0;
}

codec::Row Answer::row_of(const Placed &placed, Asked asked) {
    if (placed.source > 0) {
        SegmentSearch &segment = segments_[placed.source - 1];
        return asked == Asked::alone ? segment.single_row(placed.place) : segment.row(placed.place);
    }
    const codec::Document &document = log_.all()[placed.place].stored;
    return {document.tid, document.fingerprint};
}

Hit Answer::hit(const Placed &placed, Asked asked) {
    const codec::Row row = row_of(placed, asked);
    return {row.tid,        row.fingerprint != no_text, placed.score, row.fingerprint,
            placed.recheck, placed.recheck_score};
}

std::optional<Hit> Answer::next() {
    if (given_ < ordered_ || (ranked_ && order_more()) || (filters_ && filter_more()))
        return hit(found_[given_++], ranked_ ? Asked::alone : Asked::in_order);
    return next_of_rest();
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
            const Placed placed(0, source_, place_++);
            if (!is_rest(placed.source, placed.place))
                continue;
            const Hit found = hit(placed, Asked::in_order);
            if (found.has_text)
                return found;
            without_text_.push_back(placed);
        }
    if (next_without_text_ < without_text_.size())
        return hit(without_text_[next_without_text_++], Asked::in_order);
    return std::nullopt;
}

} // namespace memory::index
