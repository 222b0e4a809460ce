// Takes rows from both arms until no row below can enter the best k, then fuses, lends and cuts.
#include "rank/hybrid.h"

#include "rank/diversity.h"

namespace memory::rank {

namespace {

constexpr std::size_t first_batch = 32;
constexpr std::size_t largest_batch = 4096;
constexpr std::uint32_t rows_between_pauses = 256;

// What conversations lend is worked out among so many of the best of each arm, whatever k is: an
// order that depended on k would repeat rows on the next page.
constexpr std::size_t lending_pool = 64;

// How many rows are read by their times at once.
constexpr std::size_t first_dated_batch = 512;
constexpr std::size_t largest_dated_batch = 8192;

// What a decay may be off by, that of a younger row being the smaller one.
constexpr double rounding_of_decay = 1 + 1e-12;

// The parts of its neighbours' scores, and of the best other score of its session, that a row gets.
constexpr double from_neighbour = 0.2;
constexpr double from_session = 0.3;

// How far the row with the highest score of its own stays ahead of one that is lent more: further
// than a second arm without knowledge turns round.
constexpr double ahead_of_lent = 1.15;

template <class Value>
void make_distinct(std::pmr::vector<Value> &values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

// The best and the second best score of a session, and whose the best is.
struct SessionBest {
    double best = 0;
    double second = 0;
    std::uint32_t whose = UINT32_MAX;

    void add(double score, std::uint32_t number) {
        if (score > best) {
            second = std::exchange(best, score);
            whose = number;
        } else {
            second = std::max(second, score);
        }
    }
    double best_of_others(std::uint32_t number) const { return number == whose ? second : best; }
};

} // namespace

Hybrid::Hybrid(const HybridQuery &query, LexicalArm &lexical, VectorArm &vector,
               ConversationSource &source, std::pmr::memory_resource *memory)
    : query_(query), lexical_(lexical), vector_(vector), source_(source), memory_(memory),
      rows_(memory), taken_(memory), seen_(memory), pool_(memory), lent_(memory),
      scale_(scale_of_arms()) {}

Scale Hybrid::scale_of_arms() const {
    return {lexical_.best(),
            vector_.best(),
            floor_under(vector_.worst(), vector_.best(), vector_.size()),
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

// --- what conversations lend -----------------------------------------------------------------

// The rows that are lent to: the best of each arm, of those of one score not more than there is
// room for.
void Hybrid::take_pool() {
    const auto add = [this](auto &arm) {
        const std::size_t before = taken_.size();
        arm.take(lending_pool, rows_, source_, taken_);
        const std::size_t end = std::min(taken_.size(), before + lending_pool);
        pool_.insert(pool_.end(), taken_.begin() + static_cast<std::ptrdiff_t>(before),
                     taken_.begin() + static_cast<std::ptrdiff_t>(end));
        return static_cast<std::uint32_t>(end - before);
    };
    // An arm without weight has no part in the ranking, and none in what is lent.
    const bool both = query_.fusion == Fusion::rrf_replicated;
    if (both || query_.alpha < 1)
        lexical_pool_ = add(lexical_);
    if (both || query_.alpha > 0)
        vector_pool_ = add(vector_);
    make_distinct(taken_);
    make_distinct(pool_);
}

// Both directions of every pair, each once.
std::pmr::vector<Neighbours> Hybrid::neighbours_of_pool() {
    std::pmr::vector<std::uint32_t> in_sessions(memory_);
    std::copy_if(pool_.begin(), pool_.end(), std::back_inserter(in_sessions),
                 [this](std::uint32_t number) { return rows_[number].session != 0; });
    std::pmr::vector<Neighbours> pairs(memory_);
    if (in_sessions.empty())
        return pairs;
    source_.neighbours(in_sessions, rows_, pairs);
    const std::size_t one_way = pairs.size();
    for (std::size_t at = 0; at < one_way; ++at)
        pairs.push_back({pairs[at].beside, pairs[at].row});
    make_distinct(pairs);
    return pairs;
}

void Hybrid::lend() {
    take_pool();
    const std::pmr::vector<Neighbours> pairs = neighbours_of_pool();
    if (pairs.empty())
        return;
    for (const Neighbours &pair : pairs) {
        if (pair.row < kept_) {
            pool_.push_back(pair.row);
            taken_.push_back(pair.row);
        }
    }
    make_distinct(pool_);
    make_distinct(taken_);
    lent_.resize(rows_.size());
    lexical_shift_ = lend(lexical_, 0, pairs, &Lent::lexical) - lexical_pool_;
    vector_shift_ = lend(vector_, scale_.vector_floor, pairs, &Lent::vector) - vector_pool_;
    for (const std::uint32_t number : pool_) {
        lent_[number].is_set = true;
        scale_.lexical = std::max(scale_.lexical, lent_[number].lexical.score);
        scale_.vector = std::max(scale_.vector, lent_[number].vector.score);
    }
}

// Context may bring rows into the pool but never displaces the row with the highest score of its
// own.
void Hybrid::keep_first(std::span<Scored<Ref>> ranking, std::span<const double> own, double floor) {
    const auto first = std::min_element(
        ranking.begin(), ranking.end(), [own](const Scored<Ref> &a, const Scored<Ref> &b) {
            return better(Scored<NewerThenId>{own[a.key.number], a.key.order},
                          Scored<NewerThenId>{own[b.key.number], b.key.order});
        });
    if (first != ranking.begin()) {
        first->score = floor + ahead_of_lent * (ranking.front().score - floor);
        std::rotate(ranking.begin(), first, first + 1);
    }
}

// Ranks the pool anew by what it has with what it is lent. What all rows have, as cosines in a
// narrow band do, is not lent: it would count rows with neighbours. Returns how many are ranked.
template <class Name>
std::uint32_t Hybrid::lend(Arm<Name> &arm, double floor, std::span<const Neighbours> pairs,
                           Standing Lent::*part) {
    std::pmr::vector<double> own(rows_.size(), memory_);
    std::pmr::vector<SessionBest> sessions(memory_);
    for (std::uint32_t number = 0; number < rows_.size(); ++number)
        own[number] = std::max(arm.score(name_of<Name>(rows_[number])) - floor, 0.0);
    for (const std::uint32_t number : pool_) {
        const std::uint32_t session = rows_[number].session;
        sessions.resize(std::max<std::size_t>(sessions.size(), session + 1));
        sessions[session].add(own[number], number);
    }
    std::pmr::vector<double> lent(rows_.size(), memory_);
    for (const Neighbours &pair : pairs)
        lent[pair.row] += from_neighbour * own[pair.beside];
    std::pmr::vector<Scored<Ref>> ranking(memory_);
    for (const std::uint32_t number : pool_) {
        const Row &row = rows_[number];
        if (row.session != 0)
            lent[number] += from_session * sessions[row.session].best_of_others(number);
        const double score = own[number] + query_.context_weight * lent[number];
        if (score > 0)
            ranking.push_back({floor + score, {row.order, number}});
    }
    std::sort(ranking.begin(), ranking.end(), better<Ref>);
    keep_first(ranking, own, floor);
    for (std::uint32_t at = 0; at < ranking.size(); ++at)
        lent_[ranking[at].key.number].*part = {at + 1, ranking[at].score};
    return static_cast<std::uint32_t>(ranking.size());
}

// --- the best ----------------------------------------------------------------------------------

Standing Hybrid::shifted(const Standing &own, std::uint32_t shift) const {
    return own.ranked() ? Standing{own.rank + shift, own.score} : own;
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
    weighed.lexical.lent = lent.is_set ? lent.lexical : shifted(lexical, lexical_shift_);
    weighed.vector.lent = lent.is_set ? lent.vector : shifted(vector, vector_shift_);
    weighed.relevance = relevance(lexical.score, query_.most, vector.score);
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
    for (const Scored<std::uint32_t> &one : promising) {
        if (!top.may_enter(one.score))
            break;
        const HybridRow row = measure(one.key);
        top.offer({row.score, {row.row.order, static_cast<std::uint32_t>(measured.size())}});
        measured.push_back(row);
    }
}

// Whether a row may that was neither taken from an arm nor read by its time.
bool Hybrid::more_may_enter(const TopK<Ref> &top) const {
    if (all_dated_)
        return false;
    const Standing lexical = shifted(lexical_.next(), lexical_shift_);
    const Standing vector = shifted(vector_.next(), vector_shift_);
    const std::optional<double> rest = fuser_->score(lexical, vector);
    return rest && top.may_enter(*rest * most_left_) &&
           relevance(lexical.score, query_.most, vector.score) >= query_.min_relevance;
}

std::pmr::vector<HybridRow> Hybrid::best() {
    if (query_.context_weight > 0)
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

// Fetches those that may be among the best.
void Hybrid::take_promising(std::span<const Dated> rows, bool fading, const TopK<Ref> &top) {
    std::pmr::vector<std::uint64_t> promising(memory_);
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
            promising.push_back(one.place);
    }
    source_.fetch(std::span<const std::uint64_t>(promising), rows_);
    for (const std::uint64_t place : promising)
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
