// The ranking by words beyond BM25, against its definition (docs/recall.md) worked out over all
// rows.
#include "unit/hybrid_support.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace {

using namespace hybrid_test;

constexpr std::size_t term_count = 3;
constexpr double weights[term_count] = {2, 4, 1};

// A tenant whose rows have parts by term; numbers are such that sums are exact.
struct Talk {
    Tenant tenant;
    std::map<std::uint64_t, std::array<double, term_count>> parts; // by place

    void add(Row row, std::array<double, term_count> its) {
        parts[row.place] = its;
        tenant.all.push_back({row, its[0] + its[1] + its[2], 0});
    }
    double part(const Stored &one, std::size_t term) const { return parts.at(one.row.place)[term]; }
};

class Terms final : public TermSource {
  public:
    Terms(const Talk &talk, const std::vector<Scored<std::uint64_t>> &hits)
        : talk_(talk), hits_(hits) {}
    std::span<const double> weights() const override { return ::weights; }
    void read_parts(std::span<const std::uint32_t> hits, std::span<double> parts) override {
        for (std::size_t at = 0; at < hits.size(); ++at)
            for (std::size_t term = 0; term < term_count; ++term)
                parts[at * term_count + term] = talk_.parts.at(hits_[hits[at]].key)[term];
    }

  private:
    const Talk &talk_;
    const std::vector<Scored<std::uint64_t>> &hits_;
};

std::vector<HybridRow> best_of(Talk &talk, const HybridQuery &query,
                               bool *words_know_more = nullptr) {
    std::vector<Scored<std::uint64_t>> texts;
    for (const Stored &one : talk.tenant.all)
        if (one.lexical > 0)
            texts.push_back({one.lexical, one.row.place});
    auto *memory = std::pmr::get_default_resource();
    LexicalArm lexical(texts, memory);
    VectorArm vector({}, memory);
    Terms terms(talk, texts);
    Hybrid hybrid(query, lexical, vector, talk.tenant, memory, &terms);
    const auto best = hybrid.best();
    if (words_know_more != nullptr)
        *words_know_more = hybrid.scale().words_know_more;
    return {best.begin(), best.end()};
}

std::vector<std::pair<RowId, double>> ranked(Talk &talk, const HybridQuery &query) {
    std::vector<std::pair<RowId, double>> found;
    for (const HybridRow &one : best_of(talk, query))
        found.emplace_back(one.row.order.id, one.lexical.lent.score);
    return found;
}

// --- the definition ----------------------------------------------------------------------------

struct Definition {
    const Talk &talk;
    const HybridQuery &query;
    std::vector<const Stored *> best; // the best 64 by BM25
    std::set<const Stored *> pool;    // and those beside them

    const std::vector<Stored> &all() const { return talk.tenant.all; }
    auto besides(const Stored *one) const { return talk.tenant.besides(one->row); }

    Definition(const Talk &of, const HybridQuery &asked) : talk(of), query(asked) {
        for (const Stored &one : all())
            if (one.lexical > 0)
                best.push_back(&one);
        std::sort(best.begin(), best.end(), [](const Stored *a, const Stored *b) {
            return a->lexical != b->lexical ? a->lexical > b->lexical : a->row.order < b->row.order;
        });
        best.resize(std::min<std::size_t>(best.size(), 64));
        pool.insert(best.begin(), best.end());
        if (query.context_weight > 0)
            for (const Stored *one : best)
                for (const auto &[steps, beside] : besides(one))
                    pool.insert(beside);
    }

    double shortness() const { return std::clamp((100 - query.average_length) / 40, 0.0, 1.0); }
    double coverage(const Stored *one) const {
        double has = 0;
        for (std::size_t term = 0; term < term_count; ++term)
            has += talk.part(*one, term) > 0 ? weights[term] : 0;
        const double weight = shortness();
        return query.signals.coverage
                   ? 1 - weight + weight * std::sqrt(has / (weights[0] + weights[1] + weights[2]))
                   : 1;
    }
    // Of one of the best: more for each pair of the query that stands in its text.
    double order(const Stored *one, std::size_t term) const {
        double more = 1;
        if (query.signals.order && std::find(best.begin(), best.end(), one) != best.end()) {
            const auto [begin, end] = talk.tenant.in_texts.equal_range(one->row.order.id);
            for (auto at = begin; at != end; ++at)
                more +=
                    at->second.first == term || at->second.second == term ? 0.3 * shortness() : 0;
        }
        return more;
    }
    double own(const Stored *one, std::size_t term) const {
        return talk.part(*one, term) * coverage(one) * order(one, term);
    }
    double own(const Stored *one) const {
        double sum = 0;
        for (std::size_t term = 0; term < term_count; ++term)
            sum += own(one, term);
        return sum;
    }

    double evidence() const {
        double mean = 0;
        for (const Stored &one : all())
            mean += one.lexical / static_cast<double>(all().size());
        if (!query.signals.evidence || mean == 0)
            return 1;
        std::vector<double> scores;
        for (const Stored *one : best)
            for (const auto &[steps, beside] : besides(one))
                scores.push_back(beside->lexical);
        const double count = static_cast<double>(scores.size());
        const double sum = std::accumulate(scores.begin(), scores.end(), 0.0);
        double squares = 0;
        for (const double score : scores)
            squares += (score - sum / count) * (score - sum / count);
        const double ratio = (sum + 50 * mean - std::sqrt(squares)) / (20 + count) / mean;
        return std::clamp(ratio - 1, 0.0, 1.0);
    }

    // What others of its session have at most, by `has`.
    template <class Has>
    double session(const Stored *one, Has &&has) const {
        double most = 0;
        for (const Stored *other : pool)
            if (other != one && one->row.session != 0 && other->row.session == one->row.session)
                most = std::max(most, has(other));
        return most;
    }
    double lent(const Stored *one) const {
        // Pairs of which neither row is among the best are not looked for.
        const auto is_best = [&](const Stored *row) {
            return std::find(best.begin(), best.end(), row) != best.end();
        };
        double sum = 0;
        if (!query.signals.terms) {
            for (const auto &[steps, beside] : besides(one))
                if (std::abs(steps) == 1 && (is_best(one) || is_best(beside)))
                    sum += 0.2 * own(beside);
            return sum + 0.3 * session(one, [&](const Stored *other) { return own(other); });
        }
        for (std::size_t term = 0; term < term_count; ++term) {
            double most = 0;
            for (const auto &[steps, beside] : besides(one)) {
                if (!is_best(one) && !is_best(beside))
                    continue;
                const bool reply = query.signals.roles && steps == 1 &&
                                   one->row.voice == Voice::user &&
                                   beside->row.voice == Voice::other;
                const double part = reply ? 0.5 : std::abs(steps) == 1 ? 0.4 : 0.2;
                most = std::max(most, part * own(beside, term));
            }
            sum += most + 0.2 * session(one, [&](const Stored *other) { return own(other, term); });
        }
        return sum;
    }

    // The pool's rows with their scores, the best first.
    std::vector<std::pair<RowId, double>> ranked() const {
        struct Scored {
            const Stored *row;
            double score;
        };
        std::vector<Scored> scored;
        const double weight = query.context_weight * evidence();
        for (const Stored *one : pool)
            if (const double score = own(one) + (weight > 0 ? weight * lent(one) : 0); score > 0)
                scored.push_back({one, score});
        const auto better = [](double a, const Stored *x, double b, const Stored *y) {
            return a != b ? a > b : x->row.order < y->row.order;
        };
        std::sort(scored.begin(), scored.end(), [&](const Scored &a, const Scored &b) {
            return better(a.score, a.row, b.score, b.row);
        });
        const auto first =
            std::min_element(scored.begin(), scored.end(), [&](const Scored &a, const Scored &b) {
                return better(own(a.row), a.row, own(b.row), b.row);
            });
        if (first != scored.end() && first != scored.begin() &&
            scored.front().score <= 1.1 * first->score) {
            first->score = 1.15 * scored.front().score;
            std::rotate(scored.begin(), first, first + 1);
        }
        std::vector<std::pair<RowId, double>> found;
        for (const Scored &one : scored)
            found.emplace_back(one.row->row.order.id, one.score);
        return found;
    }
};

Talk random_talk(std::mt19937 &random, std::size_t size) {
    Talk talk;
    talk.tenant.asked = {{0, 1}, {1, 2}};
    const auto sessions = static_cast<std::uint32_t>(random() % 6);
    for (std::size_t n = 0; n < size; ++n) {
        Row made = row(n + 1, static_cast<std::int64_t>(random() % 40),
                       static_cast<std::uint8_t>(random() % 250),
                       sessions == 0 ? 0 : static_cast<std::uint32_t>(random() % (sessions + 1)));
        made.voice = static_cast<Voice>(random() % 3);
        std::array<double, term_count> parts{};
        for (std::size_t term = 0; term < term_count; ++term)
            if (random() % 3 == 0)
                parts[term] = weights[term] * static_cast<double>(1 + random() % 8) / 8;
        talk.add(made, parts);
        for (const TermPair &pair : talk.tenant.asked)
            if (parts[pair.first] > 0 && parts[pair.second] > 0 && random() % 2 == 0)
                talk.tenant.in_texts.emplace(made.order.id, pair);
    }
    return talk;
}

HybridQuery words_only(const Talk &talk, const Signals &signals, double context_weight) {
    HybridQuery query;
    query.k = 1000;
    query.fusion = Fusion::blend;
    query.alpha = 0;
    query.context_weight = context_weight;
    query.signals = signals;
    query.documents = talk.tenant.all.size();
    return query;
}

TEST(Signals, AreTheDefinitionOverRandomConversations) {
    std::mt19937 random(23);
    for (int round = 0; round < 300; ++round) {
        Talk talk = random_talk(random, random() % 250);
        const Signals signals{.coverage = round % 2 == 0,
                              .terms = round / 2 % 2 == 0,
                              .roles = round / 4 % 2 == 0,
                              .evidence = true,
                              .order = round / 5 % 2 == 0};
        HybridQuery query = words_only(talk, signals,
                                       round / 8 % 3 == 0   ? 0
                                       : round / 8 % 3 == 1 ? 1
                                                            : 0.5);
        query.average_length = static_cast<double>(random() % 120);
        const auto expected = Definition(talk, query).ranked();
        const auto found = ranked(talk, query);
        ASSERT_GE(found.size(), expected.size()) << round;
        std::map<RowId, double> scores(found.begin(), found.end());
        for (std::size_t at = 0; at < expected.size(); ++at) {
            ASSERT_NEAR(scores.at(expected[at].first), expected[at].second, 1e-9)
                << round << " at " << at;
        }
        if (!expected.empty()) { // of equal ones any: .3 of a part is not exact
            const std::map<RowId, double> defined(expected.begin(), expected.end());
            ASSERT_NEAR(defined.at(found[0].first), expected[0].second, 1e-9) << round;
        }
    }
}

TEST(Signals, TheFirstHasAllThatItsArmCanGive) {
    std::mt19937 random(25);
    for (int round = 0; round < 200; ++round) {
        Talk talk = random_talk(random, 1 + random() % 120);
        const Signals signals{true, round % 2 == 0, false, round / 2 % 2 == 0};
        const auto best = best_of(talk, words_only(talk, signals, round % 3 == 0));
        if (!best.empty()) {
            ASSERT_EQ(best[0].score, 1) << round;
        }
    }
}

TEST(Signals, RowsThatWereNotRankedAnewStayBehindTheBest) {
    std::mt19937 random(24);
    for (int round = 0; round < 200; ++round) {
        Talk talk = random_talk(random, 150 + random() % 250);
        const HybridQuery query = words_only(talk, {true, true, true, true}, 1);
        const Definition definition(talk, query);
        const auto found = ranked(talk, query);
        const std::map<RowId, double> scores(found.begin(), found.end());
        double least = std::numeric_limits<double>::infinity();
        for (const Stored *one : definition.best)
            least = std::min(least, scores.at(one->row.order.id));
        for (const Stored &one : talk.tenant.all)
            if (one.lexical > 0 && !definition.pool.contains(&one)) {
                EXPECT_LE(scores.at(one.row.order.id), least + 1e-12) << round;
            }
    }
}

TEST(Signals, AReplyLendsItsQuestionMore) {
    Talk talk;
    for (const auto &[n, voice] : {std::pair(1, Voice::user), std::pair(2, Voice::other)}) {
        Row made = row(static_cast<std::uint64_t>(n), n, 1, 1);
        made.voice = voice;
        talk.add(made, n == 2 ? std::array<double, 3>{2, 0, 0} : std::array<double, 3>{});
    }
    HybridQuery query = words_only(talk, {false, true, true, false}, 1);
    EXPECT_NEAR(ranked(talk, query)[1].second, 0.5 * 2 + 0.2 * 2, 1e-12);
    query.signals.roles = false;
    EXPECT_NEAR(ranked(talk, query)[1].second, 0.4 * 2 + 0.2 * 2, 1e-12);
}

TEST(Signals, WordsKnowMoreWhereRowsOfConversationsLend) {
    for (const bool together : {false, true}) {
        Talk talk;
        for (std::uint64_t n = 0; n < 40; ++n)
            talk.add(row(n + 1, static_cast<std::int64_t>(n), 0, together ? 1 : 0), {1, 0, 0});
        for (const double context_weight : {0, 1}) {
            for (const bool signals : {false, true}) {
                const HybridQuery query =
                    words_only(talk, {.coverage = signals, .terms = signals}, context_weight);
                bool known = false;
                best_of(talk, query, &known);
                EXPECT_EQ(known, together && context_weight > 0 && signals);
            }
        }
    }
}

TEST(Signals, ANamedSpeakersRowsHaveMoreUnlessTheirTextsHaveTheName) {
    Talk talk;
    const auto add = [&talk](std::uint8_t id, std::vector<std::uint32_t> named,
                             std::array<double, 3> parts) {
        talk.add(row(id, id, id), parts);
        for (const std::uint32_t term : named)
            talk.tenant.names.emplace(row(id, id, id).order.id, term);
    };
    add(1, {1}, {3, 0, 0});
    add(2, {1}, {2, 2, 0});
    add(3, {1, 2}, {1, 1, 0}); // has one of two names
    add(4, {}, {1, 0, 0.5});
    HybridQuery query = words_only(talk, {}, 0);
    query.signals.names = true;
    std::map<std::uint8_t, double> scores;
    for (const auto &[id, score] : ranked(talk, query))
        scores[id[0]] = score;
    EXPECT_DOUBLE_EQ(scores[1], 1.3 * 3);
    EXPECT_DOUBLE_EQ(scores[2], 4);
    EXPECT_DOUBLE_EQ(scores[3], 1.3 * 2);
    EXPECT_DOUBLE_EQ(scores[4], 1.5);
}

TEST(Signals, RowsThatHaveNothingToDoWithTheirNeighboursLendLittle) {
    // Matching rows stand alone among thousands that say nothing, or side by side.
    for (const bool together : {false, true}) {
        Talk talk;
        for (std::uint64_t n = 0; n < 2000; ++n) {
            const bool matches = together ? n < 50 : n % 40 == 0;
            talk.add(row(n + 1, static_cast<std::int64_t>(n), static_cast<std::uint8_t>(n >> 8), 1),
                     matches ? std::array<double, 3>{2, 0, 0} : std::array<double, 3>{});
        }
        const HybridQuery query = words_only(talk, {true, true, true, true}, 1);
        EXPECT_EQ(Definition(talk, query).evidence(), together ? 1 : 0);
        const auto found = ranked(talk, query);
        EXPECT_EQ(found.size(), together ? 52U : 50U);
    }
}

} // namespace
