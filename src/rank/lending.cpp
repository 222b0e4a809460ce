// The parts that are lent, row by row and term by term.
#include "rank/lending.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace memory::rank {

namespace {

// Of scores as wholes: from each neighbour, and from the session's best other row.
constexpr double sum_from_neighbour = 0.2;
constexpr double sum_from_session = 0.3;

// Of a term: from one neighbour, the one that gives most; and from the session's best other row.
constexpr double term_from_next = 0.4;
constexpr double term_from_second = 0.2;
constexpr double term_from_session = 0.2;
// From its reply to a question.
constexpr double term_from_reply = 0.5;

// Up to where all of coverage counts, and from where on none.
constexpr double short_text = 60;
constexpr double long_text = 100;

// What is expected of neighbours before any was seen, as often as this.
constexpr double expected_evidence = 2.5;
constexpr double expected_weight = 20;
// Where neighbours know no more than other rows do, in the mean of all rows. Twice as much, and all
// is lent.
constexpr double no_evidence = 1;

// The best and the second best score of a session, and whose the best is.
struct SessionBest {
    double best = 0;
    double second = 0;
    std::size_t whose = SIZE_MAX;

    void add(double score, std::size_t row) {
        if (score > best) {
            second = std::exchange(best, score);
            whose = row;
        } else {
            second = std::max(second, score);
        }
    }
    double best_of_others(std::size_t row) const { return row == whose ? second : best; }
};

std::size_t sessions_of(const Circle &circle) {
    std::size_t count = 0;
    for (const Lender &row : circle.rows)
        count = std::max<std::size_t>(count, row.session + 1);
    return count;
}

// Adds to what each row is lent its part of the best that another row of its session has.
template <class Has, class Lend>
void lend_of_sessions(const Circle &circle, std::span<SessionBest> bests, Has &&has, Lend &&lend) {
    std::fill(bests.begin(), bests.end(), SessionBest{});
    for (std::size_t row = 0; row < circle.rows.size(); ++row)
        bests[circle.rows[row].session].add(has(row), row);
    for (std::size_t row = 0; row < circle.rows.size(); ++row)
        if (const std::uint32_t session = circle.rows[row].session; session != 0)
            lend(row, bests[session].best_of_others(row));
}

bool is_reply(const Circle &circle, const Neighbours &pair) {
    return pair.steps == 1 && circle.rows[pair.row].voice == Voice::user &&
           circle.rows[pair.beside].voice == Voice::other;
}

} // namespace

double TermParts::sum(std::size_t row) const {
    const std::span<const double> its = of(row);
    return std::accumulate(its.begin(), its.end(), 0.0);
}

double coverage(std::span<const double> parts, std::span<const double> weights) {
    double has = 0;
    double all = 0;
    for (std::size_t term = 0; term < weights.size(); ++term) {
        all += weights[term];
        has += parts[term] > 0 ? weights[term] : 0;
    }
    return all > 0 ? std::sqrt(has / all) : 0;
}

double weight_of_coverage(double average_length) {
    return std::clamp((long_text - average_length) / (long_text - short_text), 0.0, 1.0);
}

void lend_sums(const Circle &circle, std::span<const double> own, std::span<double> lent) {
    for (const Neighbours &pair : circle.pairs)
        if (std::abs(pair.steps) == 1)
            lent[pair.row] += sum_from_neighbour * own[pair.beside];
    std::pmr::vector<SessionBest> bests(sessions_of(circle), circle.memory);
    lend_of_sessions(
        circle, bests, [own](std::size_t row) { return own[row]; },
        [lent](std::size_t row, double best) { lent[row] += sum_from_session * best; });
}

void lend_terms(const Circle &circle, const TermParts &own, bool roles, TermParts &lent) {
    for (const Neighbours &pair : circle.pairs) {
        const double part = roles && is_reply(circle, pair) ? term_from_reply
                            : std::abs(pair.steps) == 1     ? term_from_next
                                                            : term_from_second;
        const std::span<const double> has = own.of(pair.beside);
        const std::span<double> gets = lent.of(pair.row);
        for (std::size_t term = 0; term < has.size(); ++term)
            gets[term] = std::max(gets[term], part * has[term]);
    }
    std::pmr::vector<SessionBest> bests(sessions_of(circle), circle.memory);
    for (std::size_t term = 0; term < own.terms(); ++term)
        lend_of_sessions(
            circle, bests, [&](std::size_t row) { return own.of(row)[term]; },
            [&](std::size_t row, double best) { lent.of(row)[term] += term_from_session * best; });
}

double evidence(const Circle &circle, std::span<const std::uint32_t> asked,
                std::span<const double> own, double mean) {
    if (!(mean > 0))
        return 1;
    std::pmr::vector<double> scores(circle.memory);
    for (const Neighbours &pair : circle.pairs)
        if (std::binary_search(asked.begin(), asked.end(), pair.row))
            scores.push_back(own[pair.beside]);
    std::sort(scores.begin(), scores.end()); // the order of rows must not show in the last bit
    const double sum = std::accumulate(scores.begin(), scores.end(), 0.0);
    const double usual = scores.empty() ? 0 : sum / static_cast<double>(scores.size());
    double squares = 0;
    for (const double score : scores)
        squares += (score - usual) * (score - usual);
    const double count = expected_weight + static_cast<double>(scores.size());
    const double ratio = (sum + expected_weight * expected_evidence * mean) / (count * mean);
    const double error = std::sqrt(squares) / (count * mean);
    return std::clamp(ratio - error - no_evidence, 0.0, 1.0);
}

} // namespace memory::rank
