// Ranks the best rows of both arms and their neighbours anew: by what conversations lend them, and
// words by more than BM25.
#include "rank/hybrid.h"

namespace memory::rank {

namespace {

// So many of the best of each arm are ranked anew, whatever k is: an order that depended on k would
// repeat rows on the next page.
constexpr std::size_t best_of_arm = 64;

// How far the row with the highest score of its own stays ahead of one that is lent more: further
// than a second arm without knowledge turns round.
constexpr double ahead_of_lent = 1.15;

// What a row is worth of a date, and of a speaker, that the query names.
constexpr double of_named_date = 1.5;
constexpr double of_named_speaker = 1.3;

// What a term is worth more for each word beside which it stands in the query and in a row.
constexpr double of_pair = 0.3;

// It gives way to a row that has so many times what it has, both with what they are lent: by words,
// and never by vectors.
constexpr double words_give_way = 1.1;
constexpr double vectors_give_way = std::numeric_limits<double>::infinity();

} // namespace

std::uint32_t Hybrid::Pool::member(std::uint32_t number) const {
    return static_cast<std::uint32_t>(std::lower_bound(numbers.begin(), numbers.end(), number) -
                                      numbers.begin());
}

// --- the rows of it ----------------------------------------------------------------------------

// The best of each arm, of those of one score not more than there is room for. An arm without
// weight has no part in the ranking, and none in what is lent.
std::pmr::vector<std::uint32_t> Hybrid::take_best_of_arms() {
    std::pmr::vector<std::uint32_t> best(memory_);
    const auto add = [&](auto &arm) {
        const std::size_t before = taken_.size();
        arm.take(best_of_arm, rows_, source_, taken_);
        const std::size_t end = std::min(taken_.size(), before + best_of_arm);
        best.insert(best.end(), taken_.begin() + static_cast<std::ptrdiff_t>(before),
                    taken_.begin() + static_cast<std::ptrdiff_t>(end));
        return end - before;
    };
    const bool both = query_.fusion == Fusion::rrf_replicated;
    if (both || query_.alpha < 1)
        add(lexical_);
    best_words_ = best;
    std::sort(best_words_.begin(), best_words_.end());
    if (both || query_.alpha > 0)
        best_vectors_ = add(vector_);
    make_distinct(best);
    return best;
}

// Both directions of every pair, each once.
std::pmr::vector<Neighbours> Hybrid::neighbours_of(std::span<const std::uint32_t> numbers) {
    std::pmr::vector<std::uint32_t> in_sessions(memory_);
    std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(in_sessions),
                 [this](std::uint32_t number) { return rows_[number].session != 0; });
    std::pmr::vector<Neighbours> pairs(memory_);
    if (in_sessions.empty())
        return pairs;
    source_.neighbours(in_sessions, rows_, pairs);
    const std::size_t one_way = pairs.size();
    for (std::size_t at = 0; at < one_way; ++at) {
        const Neighbours &pair = pairs[at];
        pairs.push_back({pair.beside, pair.row, static_cast<std::int8_t>(-pair.steps)});
    }
    make_distinct(pairs);
    return pairs;
}

void Hybrid::gather(std::span<const std::uint32_t> best, std::span<const Neighbours> pairs) {
    pool_.numbers.assign(best.begin(), best.end());
    for (const Neighbours &pair : pairs) // both ways: each is the first of one
        pool_.numbers.push_back(pair.row);
    make_distinct(pool_.numbers);
    for (const Neighbours &pair : pairs)
        pool_.pairs.push_back({pool_.member(pair.row), pool_.member(pair.beside), pair.steps});
    for (const std::uint32_t number : pool_.numbers) {
        pool_.lenders.push_back({rows_[number].session, rows_[number].voice});
        if (number < kept_)
            taken_.push_back(number);
    }
    make_distinct(taken_);
    number_sessions();
}

// Anew, so that their numbers are few.
void Hybrid::number_sessions() {
    std::pmr::vector<std::uint32_t> sessions(1, 0, memory_);
    for (const Lender &lender : pool_.lenders)
        sessions.push_back(lender.session);
    make_distinct(sessions);
    for (Lender &lender : pool_.lenders)
        lender.session = static_cast<std::uint32_t>(
            std::lower_bound(sessions.begin(), sessions.end(), lender.session) - sessions.begin());
}

void Hybrid::lend() {
    const std::pmr::vector<std::uint32_t> best = take_best_of_arms();
    std::pmr::vector<Neighbours> pairs(memory_);
    if (query_.context_weight > 0)
        pairs = neighbours_of(best);
    if (pairs.empty() && (!has_signals() || best_words_.empty())) {
        make_distinct(taken_);
        return;
    }
    gather(best, pairs);
    lent_.resize(rows_.size());
    rank_words();
    if (!pairs.empty())
        rank_vectors();
}

// --- each arm anew -----------------------------------------------------------------------------

// What all rows have, as cosines in a narrow band do, is not lent: it would count rows with
// neighbours.
template <class Name>
void Hybrid::read_own(Arm<Name> &arm, double floor) {
    if (arm.has_rest()) {
        std::pmr::vector<Name> names(memory_);
        for (const std::uint32_t number : pool_.numbers)
            names.push_back(name_of<Name>(rows_[number]));
        arm.bring(names);
    }
    pool_.own.clear();
    for (const std::uint32_t number : pool_.numbers)
        pool_.own.push_back(std::max(arm.score(name_of<Name>(rows_[number])) - floor, 0.0));
    pool_.lent.assign(pool_.numbers.size(), 0);
    pool_.lifts.assign(pool_.numbers.size(), Lifts{});
}

void Hybrid::rank_vectors() {
    read_own(vector_, scale_.vector_floor);
    lend_sums(pool_.circle(), pool_.own, pool_.lent);
    std::pmr::vector<Scored<Ref>> ranking = ranked_anew(scale_.vector_floor);
    keep_first(ranking, scale_.vector_floor, vectors_give_way);
    set_standings(ranking, &Lent::vector);
    if (!ranking.empty())
        scale_.vector = std::max(scale_.vector, ranking.front().score);
    vector_shift_ = static_cast<std::uint32_t>(ranking.size() - best_vectors_);
}

void Hybrid::rank_words() {
    read_own(lexical_, 0);
    if (has_signals() && !best_words_.empty())
        read_words();
    const double weight = words_ ? words_->evidence : 1;
    if (words_ && query_.signals.terms) {
        lend_terms(pool_.circle(), words_->own, query_.signals.roles, words_->lent);
        for (std::size_t member = 0; member < pool_.lent.size(); ++member)
            pool_.lent[member] = weight * words_->lent.sum(member);
    } else {
        lend_sums(pool_.circle(), pool_.own, pool_.lent);
        for (double &lent : pool_.lent)
            lent *= weight;
    }
    std::pmr::vector<Scored<Ref>> ranking = ranked_anew(0);
    keep_first(ranking, 0, words_ ? words_give_way : vectors_give_way);
    set_standings(ranking, &Lent::lexical);
    lexical_shift_ = static_cast<std::uint32_t>(ranking.size() - best_words_.size());
    if (words_) {
        put_others_behind(ranking);
        scale_.words_know_more = !pool_.pairs.empty();
        words_->own_sums = pool_.own; // before the vectors take its place
        words_->lent_sums = pool_.lent;
        words_->lifts = pool_.lifts;
    }
    // All others are behind these, whatever they had before.
    if (!ranking.empty() && !best_words_.empty())
        scale_.lexical = ranking.front().score;
}

// What each term adds to the own scores of the pool, and what follows from it.
void Hybrid::read_words() {
    const std::size_t terms = terms_->weights().size();
    words_.emplace(Words{TermParts(pool_.numbers.size(), terms, memory_),
                         TermParts(pool_.numbers.size(), terms, memory_),
                         std::pmr::vector<double>(pool_.numbers.size(), 1, memory_),
                         std::pmr::vector<double>(pool_.numbers.size(), 0, memory_),
                         std::pmr::vector<double>(memory_), std::pmr::vector<double>(memory_),
                         std::pmr::vector<Lifts>(memory_)});
    if (query_.signals.evidence)
        words_->evidence = evidence_of_words();
    std::pmr::vector<std::uint32_t> hits(memory_);
    std::pmr::vector<std::uint32_t> members(memory_);
    for (std::uint32_t member = 0; member < pool_.numbers.size(); ++member) {
        if (const auto hit = lexical_.hit(rows_[pool_.numbers[member]].place)) {
            hits.push_back(*hit);
            members.push_back(member);
        }
    }
    std::pmr::vector<double> parts(hits.size() * terms, memory_);
    terms_->read_parts(hits, parts);
    for (std::size_t at = 0; at < members.size(); ++at)
        std::copy_n(parts.begin() + static_cast<std::ptrdiff_t>(at * terms), terms,
                    words_->own.of(members[at]).begin());
    if (const double weight = weight_of_coverage(query_.average_length);
        query_.signals.coverage && weight > 0)
        cover_words(weight);
    if (query_.signals.order)
        order_words();
    lift_words();
}

// Words that stand beside each other count more where they do so in the query, too. Of the best
// rows by words: no others are read, and none where texts are too long for coverage: to read them
// would cost more than the rest of the call.
void Hybrid::order_words() {
    const double part = of_pair * weight_of_coverage(query_.average_length);
    if (part == 0)
        return;
    const std::span<const TermPair> pairs = source_.pairs_of_query();
    std::pmr::vector<std::uint32_t> asked(memory_);
    for (const std::uint32_t number : best_words_) {
        const std::span<const double> has = words_->own.of(pool_.member(number));
        if (std::any_of(pairs.begin(), pairs.end(), [has](const TermPair &pair) {
                return has[pair.first] > 0 && has[pair.second] > 0;
            }))
            asked.push_back(number);
    }
    std::pmr::vector<RowTerm> found(memory_);
    source_.find_pairs(asked, rows_, found);
    std::pmr::vector<double> more(memory_); // before any has changed
    for (const RowTerm &one : found)
        more.push_back(part * words_->own.of(pool_.member(one.row))[one.term]);
    for (std::size_t at = 0; at < found.size(); ++at) {
        const std::uint32_t member = pool_.member(found[at].row);
        words_->own.of(member)[found[at].term] += more[at];
        pool_.own[member] += more[at];
        words_->order[member] += more[at];
    }
}

void Hybrid::lift_words() {
    if (query_.signals.dates)
        for (std::uint32_t member = 0; member < pool_.lifts.size(); ++member)
            if (source_.is_of_named_date(rows_[pool_.numbers[member]]))
                pool_.lifts[member].dates = of_named_date;
    if (query_.signals.names)
        lift_named();
}

// Rows whose speakers the query names by a word that their texts do not have: what they have counts
// already.
void Hybrid::lift_named() {
    std::pmr::vector<std::uint32_t> asked(memory_);
    for (std::uint32_t member = 0; member < pool_.numbers.size(); ++member) {
        const std::span<const double> says = words_->own.of(member);
        if (std::find(says.begin(), says.end(), 0) != says.end())
            asked.push_back(pool_.numbers[member]);
    }
    std::pmr::vector<RowTerm> named(memory_);
    source_.find_named(asked, rows_, named);
    for (const RowTerm &one : named) {
        const std::uint32_t member = pool_.member(one.row);
        if (words_->own.of(member)[one.term] == 0)
            pool_.lifts[member].names = of_named_speaker;
    }
}

void Hybrid::cover_words(double weight) {
    for (std::uint32_t member = 0; member < pool_.own.size(); ++member) {
        const double covered = coverage(words_->own.of(member), terms_->weights());
        const double part = 1 - weight * (1 - covered);
        words_->coverage[member] = part;
        pool_.own[member] *= part;
        for (double &own : words_->own.of(member))
            own *= part;
    }
}

// By BM25 alone: no signal makes another look like knowledge.
double Hybrid::evidence_of_words() {
    std::pmr::vector<std::uint32_t> best(memory_);
    for (const std::uint32_t number : best_words_)
        best.push_back(pool_.member(number));
    const double mean = query_.documents == 0
                            ? 0
                            : lexical_.sum_of_scores() / static_cast<double>(query_.documents);
    return evidence(pool_.circle(), best, pool_.own, mean);
}

// The pool by what its rows have with what they are lent. Others lend, but are not ranked.
std::pmr::vector<Scored<Hybrid::Ref>> Hybrid::ranked_anew(double floor) const {
    std::pmr::vector<Scored<Ref>> ranking(memory_);
    for (std::size_t member = 0; member < pool_.numbers.size(); ++member) {
        const std::uint32_t number = pool_.numbers[member];
        const double score = (pool_.own[member] + query_.context_weight * pool_.lent[member]) *
                             pool_.lifts[member].product();
        if (score > 0 && number < kept_)
            ranking.push_back({floor + score, {rows_[number].order, number}});
    }
    std::sort(ranking.begin(), ranking.end(), better<Ref>);
    return ranking;
}

// Context may bring rows into the pool, but the row with the highest score of its own stays first
// unless another has `given_way` times as much.
void Hybrid::keep_first(std::span<Scored<Ref>> ranking, double floor, double given_way) const {
    const auto own = [this](const Scored<Ref> &one) {
        const std::uint32_t member = pool_.member(one.key.number);
        return Scored<NewerThenId>{pool_.own[member] * pool_.lifts[member].product(),
                                   one.key.order};
    };
    const auto first = std::min_element(
        ranking.begin(), ranking.end(),
        [own](const Scored<Ref> &a, const Scored<Ref> &b) { return better(own(a), own(b)); });
    if (first == ranking.begin() || first == ranking.end())
        return;
    const double most = ranking.front().score - floor;
    if (most > given_way * (first->score - floor))
        return;
    first->score = floor + ahead_of_lent * most;
    std::rotate(ranking.begin(), first, first + 1);
}

void Hybrid::set_standings(std::span<const Scored<Ref>> ranking, Standing Lent::*part) {
    for (std::uint32_t at = 0; at < ranking.size(); ++at)
        lent_[ranking[at].key.number].*part = {at + 1, ranking[at].score};
}

// The rows that were not ranked anew matched less well than the arm's best; so that this stays so
// where signals lower scores, theirs are lowered as much as those of the best were at most.
void Hybrid::put_others_behind(std::span<const Scored<Ref>> ranking) {
    double least_own = std::numeric_limits<double>::infinity();
    double least = least_own;
    for (const Scored<Ref> &one : ranking) {
        if (!std::binary_search(best_words_.begin(), best_words_.end(), one.key.number))
            continue;
        least_own = std::min(least_own, lexical_.score(rows_[one.key.number].place));
        least = std::min(least, one.score);
    }
    if (least < least_own)
        lexical_behind_ = least / least_own;
}

std::optional<LexicalReasons> Hybrid::reasons(const RowId &id) const {
    const auto number = rows_.find(id);
    if (!words_ || !number ||
        !std::binary_search(pool_.numbers.begin(), pool_.numbers.end(), *number))
        return std::nullopt;
    const std::uint32_t member = pool_.member(*number);
    LexicalReasons reasons{words_->coverage[member],  words_->evidence,
                           words_->order[member],     words_->own_sums[member],
                           words_->lent_sums[member], words_->lifts[member],
                           words_->own.of(member),    {}};
    if (query_.signals.terms)
        reasons.lent = words_->lent.of(member);
    return reasons;
}

} // namespace memory::rank
