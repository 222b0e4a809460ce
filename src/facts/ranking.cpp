// Finds facts by text and by vectors, and ranks both arms' hits as one.
#include "facts/ranking.h"

#include "facts/held.h"
#include "facts/sql.h"
#include "facts/vectors.h"
#include "models/coded_vectors.h"
#include "models/tasks.h"
#include "pg/statement.h"
#include "text/interruption_sql.h"
#include "text/settings_sql.h"

extern "C" {
#include "utils/snapmgr.h"
}

namespace memory::facts {

namespace {

using pg::SnapshotOf;

// $3 query, $4 valid at; the index ranks among the current facts of the user.
MEMORY_STATEMENT(rank_texts_now, R"(
    SELECT f.id, f.valid_from, - (f.statement OPERATOR(memory.<@>) memory.query($3))
    FROM memory.facts f
    WHERE {tenant:f} AND {known_now:f} AND {valid_at:f,$4}
        AND f.statement OPERATOR(memory.@@@) memory.query($3)
    ORDER BY f.statement OPERATOR(memory.<@>) memory.query($3))"_sql);

// $3 valid at, $4 how many, $5 known at.
MEMORY_STATEMENT(find_newest_now, R"(
    SELECT f.id, f.valid_from FROM memory.facts f
    WHERE {tenant:f} AND {known_now:f} AND {valid_at:f,$3} {newest:f,$4})"_sql);
MEMORY_STATEMENT(find_newest_then, R"(
    SELECT f.id, f.valid_from FROM memory.facts f
    WHERE {tenant:f} AND {known_at:f,$5} AND {valid_at:f,$3} {newest:f,$4})"_sql);

class Ranking {
  public:
    Ranking(const Request &request, std::pmr::memory_resource *memory)
        : request_(request), memory_(memory), found_(text::server_interruption, memory) {}

    std::pmr::vector<RankedFact> best();

  private:
    void add_texts();
    std::pmr::vector<FoundText> current_texts(std::size_t wanted) const;
    std::pmr::vector<rank::HybridRow> ranked();
    bool has_words() const { return text::unless_blank(request_.query).has_value(); }
    rank::HybridQuery query() const;
    std::pmr::vector<RankedFact> newest() const;

    const Request &request_;
    std::pmr::memory_resource *memory_;
    rank::Gathered found_;
};

// Of texts as many as can decide: alone the first k, beside vectors so many that what a rank
// further down adds is little; and all that score as the last of these, as newness decides between
// them.
void Ranking::add_texts() {
    const auto wanted = static_cast<std::size_t>(
        request_.embedding != nullptr ? std::max<std::int64_t>(1000, 10 * request_.k) : request_.k);
    std::pmr::vector<FoundText> texts =
        request_.known_at ? held_texts(request_, wanted, memory_) : current_texts(wanted);
    double least = 0;
    if (wanted < texts.size()) {
        const auto last = texts.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
        std::ranges::nth_element(texts, last, std::ranges::greater{}, &FoundText::score);
        least = last->score;
    }
    for (const FoundText &fact : texts)
        if (fact.score >= least)
            found_.add_text({fact.valid_from, ranked_id(fact.id)}, fact.score);
}

// At least the best of them and all that score as the last of these.
std::pmr::vector<FoundText> Ranking::current_texts(std::size_t wanted) const {
    const pg::Values values{request_.tenant, request_.query, request_.valid_at};
    std::pmr::vector<FoundText> texts(memory_);
    for (std::size_t limit = 2 * wanted;; limit *= 8) {
        texts.clear();
        const pg::Rows rows =
            rank_texts_now.run(SnapshotOf::caller, values, static_cast<long>(limit));
        for (std::uint64_t row = 0; row < rows.size(); ++row) {
            const auto [id, valid_from, score] = rows.get<pg::Uuid, pg::Time, pg::Float8>(row);
            texts.push_back({id, valid_from, score});
        }
        if (texts.size() < limit || texts.back().score < texts[wanted - 1].score)
            return texts;
    }
}

std::pmr::vector<rank::HybridRow> Ranking::ranked() {
    if (request_.embedding == nullptr)
        return found_.best(query());
    const std::string_view model = models::in_use(request_.tenant.name_space, std::nullopt).name;
    FactVectors vectors(request_, model, found_, memory_);
    return models::best_with_vectors(
        found_, query(), {request_.tenant, model, *request_.embedding, GetActiveSnapshot()},
        vectors, static_cast<std::size_t>(request_.k),
        {.beside_words = has_words(), .by_scores = false}, memory_);
}

rank::HybridQuery Ranking::query() const {
    constexpr double both = 0.5;
    const bool has_vector = request_.embedding != nullptr;
    rank::HybridQuery query;
    query.k = static_cast<std::size_t>(request_.k);
    query.alpha =
        has_vector && has_words() ? both : rank::single_arm_alpha(query.fusion, has_vector, both);
    return query;
}

std::pmr::vector<RankedFact> Ranking::newest() const {
    const pg::Rows rows = (request_.known_at ? find_newest_then : find_newest_now)
                              .run(SnapshotOf::caller, {request_.tenant, request_.valid_at,
                                                        request_.k, request_.known_at});
    std::pmr::vector<RankedFact> newest(memory_);
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        newest.push_back({.id = rows.get<pg::Uuid>(row, 0)});
    return newest;
}

std::pmr::vector<RankedFact> Ranking::best() {
    if (!has_words() && request_.embedding == nullptr)
        return newest();
    if (has_words())
        add_texts();
    std::pmr::vector<RankedFact> best(memory_);
    for (const rank::HybridRow &row : ranked())
        best.push_back({fact_id(row.row.order.id), row.score, row.lexical.own, row.vector.own});
    return best;
}

} // namespace

std::pmr::vector<RankedFact> best_facts(const Request &request, std::pmr::memory_resource *memory) {
    return Ranking(request, memory).best();
}

} // namespace memory::facts
