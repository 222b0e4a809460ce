// Tenants in memory, what ranking all of their rows by the definition gives, and random ones.
#pragma once

#include "rank/diversity.h"
#include "rank/hybrid.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace hybrid_test {

using namespace memory::rank;

// A tenant in memory: every row with its two scores (0: the arm does not know it).
struct Stored {
    Row row;
    double lexical = 0;
    double vector = 0;
};

class Tenant final : public ConversationSource {
  public:
    std::vector<Stored> all;
    std::size_t fetched = 0;
    bool has_times = false; // an index by time
    std::size_t dated = 0;  // rows that it gave

    void fetch(std::span<const std::uint64_t> places, KnownRows &rows) override {
        for (const std::uint64_t place : places) {
            for (const Stored &one : all) {
                if (one.row.place == place) {
                    rows.add(one.row);
                    ++fetched;
                }
            }
        }
    }
    void fetch(std::span<const RowId> ids, KnownRows &rows) override {
        for (const RowId &id : ids) {
            for (const Stored &one : all) {
                if (one.row.order.id == id) {
                    rows.add(one.row);
                    ++fetched;
                }
            }
        }
    }
    void neighbours(std::span<const std::uint32_t> of, KnownRows &rows,
                    std::pmr::vector<Neighbours> &pairs) override {
        for (const std::uint32_t number : of) {
            const Row row = rows[number];
            for (const auto &[steps, beside] : besides(row))
                pairs.push_back({number, rows.add(beside->row), steps});
        }
    }

    std::multimap<RowId, std::uint32_t> names; // terms of them, by rows
    void find_named(std::span<const std::uint32_t> of, const KnownRows &rows,
                    std::pmr::vector<RowTerm> &found) override {
        for (const std::uint32_t number : of) {
            const auto [begin, end] = names.equal_range(rows[number].order.id);
            for (auto one = begin; one != end; ++one)
                found.push_back({number, one->second});
        }
    }

    std::vector<TermPair> asked;
    std::multimap<RowId, TermPair> in_texts; // pairs that stand there, by rows
    std::span<const TermPair> pairs_of_query() const override { return asked; }
    void find_pairs(std::span<const std::uint32_t> of, const KnownRows &rows,
                    std::pmr::vector<RowTerm> &found) override {
        for (const std::uint32_t number : of) {
            const auto [begin, end] = in_texts.equal_range(rows[number].order.id);
            for (auto one = begin; one != end; ++one) {
                found.push_back({number, one->second.first});
                found.push_back({number, one->second.second});
            }
        }
    }

    bool knows_times() const override { return has_times; }
    void lasting(std::pmr::vector<Dated> &rows) override {
        for (const Stored &one : all)
            if (!one.row.fades)
                rows.push_back({one.row.place, one.row.order});
    }
    void newest(std::size_t count, std::pmr::vector<Dated> &rows) override {
        if (dated == 0) {
            for (const Stored &one : all)
                by_time.push_back({one.row.place, one.row.order});
            std::sort(by_time.begin(), by_time.end(),
                      [](const Dated &a, const Dated &b) { return a.order < b.order; });
        }
        for (; count > 0 && dated < by_time.size(); --count)
            rows.push_back(by_time[dated++]);
    }

    // The rows up to two before and two after, by time and id, with how many steps away.
    std::vector<std::pair<std::int8_t, const Stored *>> besides(const Row &row) const {
        if (row.session == 0)
            return {};
        const auto place = [](const Row &r) { return std::pair(r.order.time, r.order.id); };
        std::vector<const Stored *> session;
        for (const Stored &one : all)
            if (one.row.session == row.session)
                session.push_back(&one);
        std::sort(session.begin(), session.end(),
                  [&](const Stored *a, const Stored *b) { return place(a->row) < place(b->row); });
        const auto its = std::find_if(session.begin(), session.end(), [&](const Stored *one) {
            return one->row.order.id == row.order.id;
        });
        std::vector<std::pair<std::int8_t, const Stored *>> found;
        for (const int steps : {-2, -1, 1, 2})
            if (const auto at = its - session.begin() + steps;
                at >= 0 && at < static_cast<std::ptrdiff_t>(session.size()))
                found.emplace_back(static_cast<std::int8_t>(steps),
                                   session[static_cast<std::size_t>(at)]);
        return found;
    }

  private:
    std::vector<Dated> by_time;
};

inline Row row(std::uint64_t place, std::int64_t time, std::uint8_t id, std::uint32_t session = 0) {
    Row made;
    made.place = place;
    made.order = {time,
                  {id, static_cast<std::uint8_t>(place), static_cast<std::uint8_t>(place >> 8)}};
    made.session = session;
    return made;
}

// Both arms over what a tenant has, and the answer.
struct Answered {
    std::vector<Scored<std::uint64_t>> texts;
    std::vector<Scored<RowId>> vectors;
    std::pmr::vector<HybridRow> best;

    Answered(Tenant &tenant, const HybridQuery &query, const std::vector<Row> *keep = nullptr) {
        for (const Stored &one : tenant.all) {
            if (one.lexical > 0)
                texts.push_back({one.lexical, one.row.place});
            if (one.vector > 0)
                vectors.push_back({one.vector, one.row.order.id});
        }
        auto *memory = std::pmr::get_default_resource();
        LexicalArm lexical(texts, memory);
        VectorArm vector(vectors, memory);
        Hybrid hybrid(query, lexical, vector, tenant, memory);
        if (keep != nullptr)
            hybrid.keep(*keep);
        best = hybrid.best();
    }
};

inline std::optional<double> height_by_definition(const std::vector<Stored> &rows) {
    std::vector<double> cosines;
    for (const Stored &one : rows)
        if (one.vector > 0)
            cosines.push_back(one.vector);
    const auto count = static_cast<double>(cosines.size());
    const double mean = std::accumulate(cosines.begin(), cosines.end(), 0.0) / count;
    const double squares =
        std::accumulate(cosines.begin(), cosines.end(), 0.0, [&](double sum, double cosine) {
            return sum + (cosine - mean) * (cosine - mean);
        });
    const double best = cosines.empty() ? 0 : *std::max_element(cosines.begin(), cosines.end());
    return height_of(best, mean, std::sqrt(squares / count), cosines.size());
}

// The same by the definition, all rows measured and sorted; no context.
inline std::vector<std::pair<double, RowId>>
by_definition(const Tenant &tenant, const HybridQuery &query, const std::set<std::uint64_t> &kept) {
    std::vector<Stored> rows;
    for (const Stored &one : tenant.all)
        if (kept.contains(one.row.place))
            rows.push_back(one);
    std::map<RowId, Standing> standings[2];
    Scale scale;
    for (int arm = 0; arm < 2; ++arm) {
        const auto score = [arm](const Stored &one) { return arm == 0 ? one.lexical : one.vector; };
        std::sort(rows.begin(), rows.end(), [&](const Stored &a, const Stored &b) {
            return score(a) != score(b) ? score(a) > score(b) : a.row.order < b.row.order;
        });
        for (std::uint32_t at = 0; at < rows.size() && score(rows[at]) > 0; ++at) {
            standings[arm][rows[at].row.order.id] = {at + 1, score(rows[at])};
            auto &most = arm == 0 ? scale.lexical : scale.vector;
            most = std::max(most, score(rows[at]));
            if (arm == 1)
                scale.vector_floor = floor_under(score(rows[at]), most, at + 1);
        }
        std::vector<double> best;
        for (const Stored &one : rows)
            if (score(one) > 0 && best.size() < lead_sample)
                best.push_back(score(one));
        (arm == 0 ? scale.lexical_lead : scale.vector_lead) = lead_of(best);
    }
    scale.vector_height = height_by_definition(rows);
    const Fuser fuser(query.fusion, query.alpha, scale);
    std::vector<std::pair<double, NewerThenId>> scored;
    for (const Stored &one : rows) {
        const auto fused =
            fuser.score(standings[0][one.row.order.id], standings[1][one.row.order.id]);
        if (fused && relevance(one.lexical, query.most, one.vector) >= query.min_relevance) {
            const double age = static_cast<double>(query.now - one.row.order.time);
            scored.emplace_back(
                *fused * one.row.importance *
                    (query.half_life > 0 && one.row.fades ? decay(age, query.half_life) : 1),
                one.row.order);
        }
    }
    std::sort(scored.begin(), scored.end(), [](const auto &a, const auto &b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    scored.resize(std::min(scored.size(), query.k));
    std::vector<std::pair<double, RowId>> found;
    for (const auto &[score, order] : scored)
        found.emplace_back(score, order.id);
    return found;
}

inline std::vector<std::pair<double, RowId>> short_form(const std::pmr::vector<HybridRow> &best) {
    std::vector<std::pair<double, RowId>> found;
    for (const HybridRow &one : best)
        found.emplace_back(one.score, one.row.order.id);
    return found;
}

inline Tenant random_tenant(std::mt19937 &random, std::size_t size) {
    Tenant tenant;
    const auto sessions = static_cast<std::uint32_t>(random() % 6);
    for (std::size_t n = 0; n < size; ++n) {
        Stored one;
        one.row = row(n + 1, static_cast<std::int64_t>(random() % 20),
                      static_cast<std::uint8_t>(random() % 250),
                      sessions == 0 ? 0 : static_cast<std::uint32_t>(random() % (sessions + 1)));
        one.row.importance = random() % 3 == 0 ? 0.5 : 1.0;
        // Few distinct values, so that there are ties.
        one.lexical = random() % 3 == 0 ? 0 : static_cast<double>(1 + random() % 12) / 4;
        one.vector = random() % 3 == 0 ? 0 : static_cast<double>(1 + random() % 40) / 50;
        tenant.all.push_back(one);
    }
    std::shuffle(tenant.all.begin(), tenant.all.end(), random);
    return tenant;
}

inline HybridQuery random_query(std::mt19937 &random) {
    HybridQuery query;
    query.k = 1 + random() % 20;
    query.fusion = static_cast<Fusion>(random() % 3);
    query.alpha = static_cast<double>(random() % 5) / 4;
    query.most = 3;
    query.min_relevance = random() % 3 == 0 ? 0.5 : 0;
    query.half_life = random() % 3 == 0 ? 2 : 0;
    query.now = 20;
    return query;
}

} // namespace hybrid_test
