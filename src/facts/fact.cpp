// What makes an assertion acceptable.
#include "facts/fact.h"

#include "access/direct.h"
#include "facts/sql.h"
#include "pg/json.h"
#include "pg/statement.h"

namespace memory::facts {

namespace {

MEMORY_STATEMENT(find_missing_source, R"(
    SELECT s FROM unnest($3::uuid[]) s
    WHERE NOT EXISTS (SELECT FROM memory.episodes e WHERE {tenant:e} AND e.id = s
        AND (e.expires_at IS NULL OR e.expires_at > statement_timestamp()))
    LIMIT 1)"_sql);

} // namespace

void check_sources(const Fact &fact) {
    if (fact.sources.empty())
        return;
    const pg::Rows missing = access::reading(find_missing_source, fact.tenant)
                                 .run(pg::SnapshotOf::now, {fact.tenant, fact.sources});
    if (missing.empty())
        return;
    const pg_uuid_t id = missing.get<pg::Uuid>(0);
    throw pg::Error(ERRCODE_FOREIGN_KEY_VIOLATION, "sources: there is no episode %s",
                    pg::call([&id] {
                        return DatumGetCString(DirectFunctionCall1(uuid_out, UUIDPGetDatum(&id)));
                    }))
        .hint("Sources are ids of episodes of the same user.");
}

void check_span(const pg::Place &place, Instant from, Instant until) {
    // PostgreSQL's infinities are the algebra's.
    static_assert(DT_NOBEGIN == algebra::beginning && DT_NOEND == algebra::forever);
    if (until <= from)
        throw place.error_of_whole(
            pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "valid_until must be after valid_from"));
}

Instant instant_or_now(const pg::Given<pg::Instant> &given) {
    return given.or_else({GetCurrentTransactionStartTimestamp()}).time;
}

std::optional<Instant> instant(const pg::Given<pg::Instant> &given) {
    return given ? std::optional<Instant>(given.required().time) : std::nullopt;
}

bool overrides(const Fact &fact) {
    if (!fact.metadata)
        return false;
    pg::JsonWalk walk(pg::json_root(fact.metadata->jsonb));
    while (const auto member = walk.next_member())
        if (member->key == "override")
            return member->value.is_true();
    return false;
}

} // namespace memory::facts
