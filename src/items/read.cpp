// memory.item, memory.items and memory.item_paths: items as they are.
#include "access/direct.h"
#include "access/page.h"
#include "items/choice.h"
#include "items/sql.h"
#include "items/tables.h"
#include "pg/statement.h"

namespace memory::items {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(find_one, R"(
    SELECT {item:i} FROM memory.items i WHERE {placed:i,$3} AND {not_expired:i})"_sql,
                 pg::Statement::once);

// Paths from $3 to $4 that begin with $5 and end with $6, where * is any name; of their first $7
// names. What expires and what is there is counted by paths first: matching names costs more.
MEMORY_STATEMENT(find_paths, R"(
    SELECT q.path, q.items, q.updated_at FROM (
        SELECT p.path[1:$7] AS path, sum(p.items)::int8 AS items, max(p.updated_at) AS updated_at
        FROM (SELECT i.path, count(*) AS items, max(i.updated_at) AS updated_at
              FROM memory.items i
              WHERE {tenant:i} AND {between:i,$3,$4} AND {not_expired:i}
              GROUP BY i.path) p
        WHERE memory_internal.path_matches(p.path, $5, $6)
        GROUP BY p.path[1:$7]) q
    ORDER BY q.path OFFSET $8 LIMIT $9)"_sql,
                 pg::Statement::for_each_values);

// The names that a prefix begins with and that mean themselves.
Path literal_part(Path prefix) {
    return prefix.first(
        static_cast<std::size_t>(std::ranges::find(prefix, place::any_name) - prefix.begin()));
}

} // namespace

MEMORY_CALL(memory_item, "path text[], key text, user_id text") {
    const Path path = required_path(call.list("path"));
    const std::string_view key = checked_key(call.text("key"));
    access::Reading reading(call, room);
    const access::Tenant &tenant = reading.tenant();
    reading.rows().add_from(access::reading(find_one, tenant), SnapshotOf::caller,
                            {tenant, place_of(path, key)});
    return call.nothing();
}

MEMORY_CALL(memory_item_paths, "prefix text[], suffix text[], depth bigint, k bigint, skip bigint,"
                               " user_id text") {
    const Path prefix = checked_path(call.list("prefix")).value_or(Path{});
    const Path suffix = checked_path(call.list("suffix")).value_or(Path{});
    const std::int32_t depth = call.bigint("depth")
                                   .within(1, std::numeric_limits<std::int32_t>::max())
                                   .or_else(std::numeric_limits<std::int32_t>::max());
    const std::int64_t k = access::row_limit(call.bigint("k"));
    const std::int64_t skip = access::rows_skipped(call.bigint("skip"));
    access::Reading reading(call, room);
    pg::ContextResource memory(CurrentMemoryContext);
    const place::Range range = place::under(literal_part(prefix), &memory);
    const access::Tenant &tenant = reading.tenant();
    reading.rows().add_from(
        access::reading(find_paths, tenant), SnapshotOf::caller,
        {tenant, pg::bytes_of(range.from), pg::bytes_of(range.to), prefix, suffix, depth, skip, k});
    return call.nothing();
}

} // namespace memory::items
