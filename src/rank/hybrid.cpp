// Takes rows from both arms until no row below can enter the best k, then fuses and cuts.
#include "rank/hybrid.h"

#include "rank/diversity.h"

namespace memory::rank {

namespace {

constexpr std::size_t first_batch = 32;
constexpr std::size_t largest_batch = 4096;
constexpr std::uint32_t rows_between_pauses = 256;

// Of an arm that has not all scores, so many are read together.
constexpr std::size_t brought_at_once = 32;

// How many rows are read by their times at once.
constexpr std::size_t first_dated_batch = 512;
constexpr std::size_t largest_dated_batch = 8192;

// What a decay may be off by, that of a younger row being the smaller one.
constexpr double rounding_of_decay = 1 + 1e-12;

} // namespace

Hybrid::Hybrid(const HybridQuery &query, LexicalArm &lexical, VectorArm &vector,
               ConversationSource &source, std::pmr::memory_resource *memory, TermSource *terms)
    : query_(query), lexical_(lexical), vector_(vector), source_(source), terms_(terms),
      memory_(memory), rows_(memory), taken_(memory), seen_(memory), pool_(memory),
      best_words_(memory), lent_(memory), scale_(scale_of_arms()) {}

Scale Hybrid::scale_of_arms() const {
    return {lexical_.best(),
            vector_.best(),
            floor_under(vector_.worst(), vector_.best(), vector_.count()),
            lexical_.lead(),
            vector_.lead(),
            vector_.height()};
}

void Hybrid::keep(std::span<const Row> rows) {
    for (const Row &row : rows)
        rows_.add(row);
    kept_ = static_cast<std::uint32_t>(rows_.size());
    lexical_.keep(rows_);
    vector_.keep(rows_);
    scale_ = scale_of_arms();
}

void Hybrid::take(std::size_t count) {
    source_.pause();
    lexical_.take(count, rows_, source_, taken_);
    vector_.take(count, rows_, source_, taken_);
    make_distinct(taken_);
}

// --- the best ----------------------------------------------------------------------------------

Standing Hybrid::shifted(const Standing &own, std::uint32_t shift, double scale) {
    return own.ranked() ? Standing{own.rank + shift, own.score * scale} : own;
}

Hybrid::Lent Hybrid::lent_to(std::uint32_t number) const {
    return number < lent_.size() ? lent_[number] : Lent{};
}

HybridRow Hybrid::weighed(const Row &row, const Lent &lent, const Standing &lexical,
                          const Standing &vector) const {
    HybridRow weighed{};
    weighed.row = row;
    weighed.lexical.own = lexical;
    weighed.vector.own = vector;
    weighed.lexical.lent =
        lent.lexical.ranked() ? lent.lexical : shifted(lexical, lexical_shift_, lexical_behind_);
    weighed.vector.lent = lent.vector.ranked() ? lent.vector : shifted(vector, vector_shift_, 1);
    weighed.bm25 = lexical_.plain_score(row.place, lexical.score);
    weighed.relevance = relevance(weighed.bm25, query_.most, vector.score);
    weighed.fused = fuser_->score(weighed.lexical.lent, weighed.vector.lent);
    if (weighed.fused) {
        const auto age = static_cast<double>(query_.now - row.order.time);
        weighed.score = *weighed.fused * row.importance *
                        (query_.half_life > 0 && row.fades ? decay(age, query_.half_life) : 1);
    }
    return weighed;
}

HybridRow Hybrid::at_best(const Row &row, const Lent &lent) {
    if (!fuser_->counts_ranks())
        return weighed(row, lent, lexical_.without_rank(row), vector_.without_rank(row));
    return weighed(row, lent, lexical_.at_best(row), vector_.at_best(row));
}

HybridRow Hybrid::measure(std::uint32_t number) {
    const Row row = rows_[number];
    const Standing lexical = lexical_.standing(row, rows_, source_);
    return weighed(row, lent_to(number), lexical, vector_.standing(row, rows_, source_));
}

// Reads the cosines of those that may enter.
void Hybrid::bring(std::span<const Scored<std::uint32_t>> promising, const TopK<Ref> &top) {
    if (!vector_.has_rest())
        return;
    std::pmr::vector<RowId> ids(memory_);
    for (const Scored<std::uint32_t> &one : promising)
        if (top.may_enter(one.score))
            ids.push_back(rows_[one.key].order.id);
    vector_.bring(ids);
}

// Offers those taken since the last time. The exact rank of a row among many of one score is dear:
// only a row that may enter is measured, and the most promising one first.
void Hybrid::offer_taken(TopK<Ref> &top, std::pmr::vector<HybridRow> &measured) {
    std::pmr::vector<Scored<std::uint32_t>> promising(memory_);
    seen_.resize(std::max(seen_.size(), rows_.size()));
    for (const std::uint32_t number : taken_) {
        if (seen_[number])
            continue;
        seen_[number] = true;
        if (number % rows_between_pauses == 0)
            source_.pause();
        const HybridRow row = at_best(rows_[number], lent_to(number));
        if (row.fused && row.relevance >= query_.min_relevance)
            promising.push_back({row.score, number});
    }
    taken_.clear();
    std::sort(promising.begin(), promising.end(), better<std::uint32_t>);
    for (std::size_t at = 0; at < promising.size(); ++at) {
        const Scored<std::uint32_t> &one = promising[at];
        if (!top.may_enter(one.score))
            break;
        if (at % brought_at_once == 0)
            bring(
                std::span(promising).subspan(at, std::min(brought_at_once, promising.size() - at)),
                top);
        const HybridRow row = measure(one.key);
        if (!row.fused || row.relevance < query_.min_relevance) // as is known only now
            continue;
        top.offer({row.score, {row.row.order, static_cast<std::uint32_t>(measured.size())}});
        measured.push_back(row);
    }
}

// Whether a row may that was neither taken from an arm nor read by its time.
bool Hybrid::more_may_enter(const TopK<Ref> &top) const {
    if (all_dated_)
        return false;
    const Standing lexical = lexical_.next();
    const Standing vector = vector_.next();
    const std::optional<double> rest = fuser_->score(
        shifted(lexical, lexical_shift_, lexical_behind_), shifted(vector, vector_shift_, 1));
    return rest && top.may_enter(*rest * most_left_) &&
           relevance(lexical.score, query_.most, vector.score) >= query_.min_relevance;
}

std::pmr::vector<HybridRow> Hybrid::best() {
    if (query_.context_weight > 0 || has_signals())
        lend();
    fuser_.emplace(query_.fusion, query_.alpha, scale_, query_.rrf_k);
    const bool by_time = query_.half_life > 0 && kept_ == UINT32_MAX && source_.knows_times();
    std::pmr::vector<HybridRow> measured(memory_);
    TopK<Ref> top(query_.k, memory_);
    for (std::size_t batch = first_batch;; batch = std::min(2 * batch, largest_batch)) {
        offer_taken(top, measured);
        if (by_time && more_may_enter(top)) {
            read_by_time(top);
            offer_taken(top, measured);
        }
        if (!more_may_enter(top))
            break;
        take(batch);
    }
    std::pmr::vector<HybridRow> best(memory_);
    for (const Scored<Ref> &one : top.ranked())
        best.push_back(measured[one.key.number]);
    return best;
}

// --- what fades --------------------------------------------------------------------------------

// What age leaves of the rows that are left is less than what it leaves of those that were read.
// Rows that do not fade are read before all others.
void Hybrid::read_by_time(const TopK<Ref> &top) {
    source_.pause();
    std::pmr::vector<Dated> rows(memory_);
    if (dated_batch_ == 0) {
        source_.lasting(rows);
        take_promising(rows, false, top);
        rows.clear();
    }
    dated_batch_ = std::clamp(2 * dated_batch_, first_dated_batch, largest_dated_batch);
    source_.newest(dated_batch_, rows);
    take_promising(rows, true, top);
    all_dated_ = rows.size() < dated_batch_;
    if (!all_dated_) {
        const auto age = static_cast<double>(query_.now - rows.back().order.time);
        most_left_ = std::min(1.0, decay(age, query_.half_life) * rounding_of_decay);
    }
    make_distinct(taken_);
}

// Those of these that are not known and may be among the best. Those that are known are taken.
std::pmr::vector<Dated> Hybrid::may_be_best(std::span<const Dated> rows, bool fading,
                                            const TopK<Ref> &top) {
    std::pmr::vector<Dated> promising(memory_);
    Row row;
    row.fades = fading;
    std::size_t until_pause = rows_between_pauses;
    for (const Dated &one : rows) {
        if (--until_pause == 0) {
            source_.pause();
            until_pause = rows_between_pauses;
        }
        if (const auto known = rows_.find(one.place)) {
            taken_.push_back(*known);
            continue;
        }
        row.place = one.place;
        row.order = one.order;
        const HybridRow its = at_best(row, Lent{});
        if (its.fused && its.relevance >= query_.min_relevance && top.may_enter(its.score))
            promising.push_back(one);
    }
    return promising;
}

// Fetches those that may be among the best.
void Hybrid::take_promising(std::span<const Dated> rows, bool fading, const TopK<Ref> &top) {
    std::pmr::vector<std::uint64_t> places(memory_);
    for (const Dated &one : may_be_best(rows, fading, top))
        places.push_back(one.place);
    source_.fetch(std::span<const std::uint64_t>(places), rows_);
    for (const std::uint64_t place : places)
        if (const auto number = rows_.find(place))
            taken_.push_back(*number);
}

double Hybrid::vector_weight() const {
    return query_.fusion == Fusion::blend ? blend_weight(query_.alpha, scale_) : query_.alpha;
}

std::optional<HybridRow> Hybrid::standing(const RowId &id) {
    if (!rows_.find(id) && kept_ == UINT32_MAX)
        source_.fetch(std::span(&id, 1), rows_);
    const auto number = rows_.find(id);
    return number && *number < kept_ ? std::optional(measure(*number)) : std::nullopt;
}

} // namespace memory::rank
