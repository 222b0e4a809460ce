// memory.recall_scored() and memory.recall(): a call from its arguments to its rows.
#include "access/direct.h"
#include "access/visible.h"
#include "episodes/tables.h"
#include "pg/memory.h"
#include "recall/filter.h"
#include "recall/ranking.h"

namespace memory::recall {

namespace {

MEMORY_STATEMENT(scored_by_id, R"(
    SELECT {scored:e} FROM memory.episodes e WHERE {tenant:e} AND e.id = ANY ($3))"_sql,
                 pg::Statement::once);
MEMORY_STATEMENT(scored_newest, R"(
    SELECT {scored:e} FROM memory.episodes e WHERE {passes:e} {newest:e,$11,$12})"_sql,
                 pg::Statement::for_each_values);
MEMORY_STATEMENT(narrow_by_id, R"(
    SELECT {narrow:e} FROM memory.episodes e WHERE {tenant:e} AND e.id = ANY ($3))"_sql,
                 pg::Statement::once);
MEMORY_STATEMENT(narrow_newest, R"(
    SELECT {narrow:e} FROM memory.episodes e WHERE {passes:e} {newest:e,$11,$12})"_sql,
                 pg::Statement::for_each_values);

// What a set of rows is made of: statements for the columns that are the episode's own, and the
// numbers behind them, of a row that is not ranked and of one that is.
struct Shape {
    pg::Statement &by_id;
    pg::Statement &newest;
    pg::Values (*of_recent)();
    pg::Values (*of_ranked)(const rank::HybridRow &row);
};

// The columns score … match of a row that is not ranked.
pg::Values all_of_recent() {
    constexpr std::optional<double> no_score;
    constexpr std::optional<std::int64_t> no_rank;
    return {0.0, no_score, no_score, no_score, no_rank, no_rank, std::string_view("recent")};
}

std::string_view match_of(const rank::Standing &lexical, const rank::Standing &vector) {
    if (lexical.ranked())
        return vector.ranked() ? "both" : "lexical";
    return vector.ranked() ? "vector" : "context";
}

// The same of one that is; a component on which it is not ranked is NULL.
pg::Values all_of_ranked(const rank::HybridRow &row) {
    const auto score = [](const rank::Standing &one, double its) {
        return one.ranked() ? std::optional(its) : std::nullopt;
    };
    const auto rank = [](const rank::Standing &one) {
        return one.ranked() ? std::optional(static_cast<std::int64_t>(one.rank)) : std::nullopt;
    };
    const rank::Standing &lexical = row.lexical.own;
    const rank::Standing &vector = row.vector.own;
    return {row.score,     row.relevance, score(lexical, row.bm25), score(vector, vector.score),
            rank(lexical), rank(vector),  match_of(lexical, vector)};
}

constexpr Shape scored{scored_by_id, scored_newest, all_of_recent, all_of_ranked};
constexpr Shape narrow{narrow_by_id, narrow_newest, [] { return pg::Values{0.0}; },
                       [](const rank::HybridRow &row) { return pg::Values{row.score}; }};

void add_newest(pg::ResultSet &result, const Shape &shape, const Request &request,
                const access::Tenant &tenant) {
    const pg::Rows rows =
        shape.newest.run(pg::SnapshotOf::caller, {tenant, request.filter, request.k, request.skip});
    const pg::Values behind = shape.of_recent();
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        result.add_row(rows, row, behind);
}

void add_ranked(pg::ResultSet &result, const Shape &shape, const access::Tenant &tenant,
                std::span<const rank::HybridRow> ranked, std::pmr::memory_resource *memory) {
    std::pmr::vector<rank::RowId> ids(memory);
    for (const rank::HybridRow &row : ranked)
        ids.push_back(row.row.order.id);
    const pg::Rows rows =
        access::reading(shape.by_id, tenant).run(pg::SnapshotOf::caller, {tenant, uuids(ids)});
    rank::Positions<rank::RowId> places(memory);
    for (std::uint32_t row = 0; row < rows.size(); ++row)
        places.put(row_id(rows.get<pg::Uuid>(row, 0)), row);
    for (const rank::HybridRow &row : ranked)
        if (const auto place = places.find(row.row.order.id))
            result.add_row(rows, *place, shape.of_ranked(row));
}

void answer(access::Reading &reading, const Shape &shape, const Request &request) {
    const access::Tenant &tenant = reading.tenant();
    if (access::hides_all_episodes(tenant))
        return;
    if (!request.query && request.embedding == nullptr)
        return add_newest(reading.rows(), shape, request, tenant);
    pg::TemporaryContext temporary("memory.recall_scored");
    Ranking ranking(request, tenant, temporary.resource());
    const std::pmr::vector<rank::HybridRow> best = ranking.best();
    if (!ranking.matched() && request.fallback == Fallback::recent)
        return add_newest(reading.rows(), shape, request, tenant);
    add_ranked(reading.rows(), shape, tenant, best, temporary.resource());
}

} // namespace

MEMORY_CALL(memory_recall_scored, "query text, embedding vector, k bigint, alpha float8,"
                                  " user_id text, session_id text, agent_id text, kinds text[],"
                                  " filter jsonb, since timestamptz, until timestamptz,"
                                  " min_relevance float8, half_life interval, diversity float8,"
                                  " context_weight float8, fusion text, fallback text, skip bigint,"
                                  " model text, rrf_k bigint, fuzzy boolean") {
    Request request = scored_request(call);
    access::Reading reading(call, episodes::room);
    settle(request, reading.tenant().name_space);
    answer(reading, scored, request);
    return call.nothing();
}

MEMORY_CALL(memory_recall, "query text, k bigint, user_id text, since timestamptz,"
                           " until timestamptz, embedding vector, filter jsonb, fuzzy boolean") {
    Request request;
    request.query = text::unless_blank(call.text("query"));
    request.k = access::row_limit(call.bigint("k"));
    read_times(call.instant("since"), call.instant("until"), request.filter);
    request.filter.metadata = filter::conditions_of(call.json("filter"));
    request.embedding = models::checked_embedding(call.vector("embedding"));
    request.context_weight = context_weight_setting();
    request.fuzzy = call.boolean("fuzzy").or_else(fuzzy_setting());
    notice_vector(request);
    request.fusion = fusion_setting();
    access::Reading reading(call, episodes::room);
    settle(request, reading.tenant().name_space);
    answer(reading, narrow, request);
    return call.nothing();
}

} // namespace memory::recall
