// memory.items: a user's items under a prefix, ranked, or the newest first.
#include "access/direct.h"
#include "access/page.h"
#include "access/visible.h"
#include "items/newest.h"
#include "items/ranking.h"
#include "items/rows.h"
#include "items/sql.h"
#include "items/tables.h"
#include "models/comparison.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "text/settings_sql.h"

namespace memory::items {

namespace {

MEMORY_STATEMENT(find_by_id, R"(
    SELECT r.* FROM unnest($3::uuid[]) w (id) CROSS JOIN LATERAL (
        SELECT {item:i}, i.id FROM memory.items i WHERE {tenant:i} AND i.id = w.id OFFSET 0) r)"_sql,
                 pg::Statement::once);

void add_ranked(const Request &request, pg::ResultSet &result) {
    pg::ContextResource memory(CurrentMemoryContext);
    const std::pmr::vector<rank::HybridRow> best = best_items(request, &memory);
    std::pmr::vector<pg_uuid_t> ids(&memory);
    for (const rank::HybridRow &row : best)
        std::ranges::copy(row.row.order.id, ids.emplace_back().data);
    add_rows(request.tenant, ids, result, [&](std::size_t n) {
        return pg::Values{best[n].score, best[n].relevance};
    });
}

} // namespace

pg::Rows detail::rows_of(const access::Tenant &tenant, std::span<const pg_uuid_t> ids) {
    return access::reading(find_by_id, tenant).run(pg::SnapshotOf::caller, {tenant, ids});
}

MEMORY_CALL(memory_items, "prefix text[], query text, embedding vector, filter jsonb, keys text[],"
                          " k bigint, skip bigint, alpha float8, min_relevance float8,"
                          " user_id text") {
    Request request;
    request.choice.prefix = checked_path(call.list("prefix")).value_or(Path{});
    request.query = text::unless_blank(text::checked_query(call.text("query").optional()));
    request.embedding = models::checked_embedding(call.vector("embedding"));
    request.choice.filter = filter::conditions_of(call.json("filter"));
    request.choice.keys = checked_keys(call.list("keys"));
    request.k = access::row_limit(call.bigint("k"));
    request.skip = access::rows_skipped(call.bigint("skip"));
    request.alpha = call.real("alpha").between(0, 1);
    request.min_relevance = call.real("min_relevance").between(0, 1).or_else(0);
    access::Reading reading(call, room);
    request.tenant = reading.tenant();
    if (!request.ranks())
        add_newest({request.tenant, request.choice, request.skip, request.k}, reading.rows());
    else if (!access::hides_all_items(request.tenant))
        add_ranked(request, reading.rows());
    return call.nothing();
}

} // namespace memory::items
