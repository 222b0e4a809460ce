// memory.prune_checkpoints(), and what a put does that keeps only a number of checkpoints.
#include "checkpoints/prune.h"

#include "checkpoints/arguments.h"
#include "checkpoints/sql.h"
#include "checkpoints/tables.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "pg/uuid.h"
#include "sessions/sessions.h"

namespace memory::checkpoints {

namespace {

using pg::SnapshotOf;

// The places of a path's checkpoints beyond the newest $5.
MEMORY_STATEMENT(find_older, R"(
    SELECT c.place FROM memory.checkpoints c WHERE {of_path:c}
    ORDER BY c.place DESC OFFSET $5)"_sql);

// $4 how many of a path stay, $5 runs, $6 a time, $7 what stays whatever else is said.
MEMORY_STATEMENT(find_meant, R"(
    SELECT c.place
    FROM (SELECT c.place, c.id, c.created_at, c.metadata ->> 'run_id' AS run_id,
              row_number() OVER (PARTITION BY c.path ORDER BY c.place DESC) AS newest
          FROM memory.checkpoints c WHERE {of_session:c}) c
    WHERE ($4::bigint IS NULL OR c.newest > $4) AND ($5::text[] IS NULL OR c.run_id = ANY ($5))
        AND ($6::timestamptz IS NULL OR c.created_at < $6)
        AND NOT c.id = ANY (coalesce($7, '{}'::text[])))"_sql);

// $4 places. With a checkpoint go the writes that belong to it.
MEMORY_STATEMENT(delete_places, R"(
    WITH gone AS (DELETE FROM memory.checkpoints c
                  WHERE {of_session:c} AND c.place = ANY ($4)
                  RETURNING c.path, c.id, c.state),
        writes AS (DELETE FROM memory.checkpoint_writes w USING gone g
                   WHERE {of_session:w} AND {same:w.path,g.path} AND {same:w.checkpoint,g.id})
    SELECT g.state FROM gone g)"_sql);

// Those that no checkpoint refers to.
MEMORY_STATEMENT(delete_parts, R"(
    DELETE FROM memory.checkpoint_parts p
    WHERE {of_session:p} AND NOT EXISTS (
        SELECT FROM memory.checkpoints c, jsonb_each_text(c.refs) r
        WHERE {of_session:c} AND c.path = p.path AND r.key = p.name AND r.value = p.version)
    RETURNING p.number)"_sql);

// Deletes these checkpoints of a session, and all that only they needed.
void delete_at(const Store &store, const Path &path, std::span<const std::int64_t> places,
               std::pmr::memory_resource *memory) {
    if (places.empty())
        return;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    const pg::Rows states = delete_places.run(SnapshotOf::now, {path.tenant, path.session, places});
    for (std::uint64_t row = 0; row < states.size(); ++row)
        least = std::min(least, states.get<pg::Int8>(row));
    const pg::Rows parts = delete_parts.run(SnapshotOf::now, {path.tenant, path.session});
    for (std::uint64_t row = 0; row < parts.size(); ++row)
        least = std::min(least, parts.get<pg::Int8>(row));
    drop_unneeded(store, least, memory);
}

std::pmr::vector<std::int64_t> numbers_in(const pg::Rows &rows, std::pmr::memory_resource *memory) {
    std::pmr::vector<std::int64_t> numbers(memory);
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        numbers.push_back(rows.get<pg::Int8>(row));
    return numbers;
}

} // namespace

void keep_newest(const Store &store, const Path &path, std::int64_t keep,
                 std::pmr::memory_resource *memory) {
    delete_at(store, path, numbers_in(find_older.run(SnapshotOf::now, {path, keep}), memory),
              memory);
}

namespace {

// $3 names of sessions, or NULL for all.
MEMORY_STATEMENT(find_sessions, R"(
    SELECT s.key, coalesce(s.store, s.key) FROM memory.sessions s
    WHERE {tenant:s} AND ($3::text[] IS NULL OR s.session_id = ANY ($3))
    ORDER BY s.session_id FOR NO KEY UPDATE)"_sql);

using Names = std::optional<std::span<const std::string_view>>;

pg::Parameter sent(const Names &names) {
    return names ? pg::array_as<pg::Text>(*names) : pg::Parameter::absent(TEXTARRAYOID);
}

struct Conditions {
    Names sessions;
    std::optional<std::int64_t> keep;
    Names runs;
    std::optional<pg::Instant> before;
    Names protect;
};

struct Owned {
    pg_uuid_t key;
    pg_uuid_t store;
};

// Locks the sessions that are meant, in the order of their names, and then their stores.
std::pmr::vector<Owned> lock_sessions(const access::Tenant &tenant, const Conditions &conditions,
                                      std::pmr::memory_resource *memory) {
    const pg::Rows rows = find_sessions.run(SnapshotOf::now, {tenant, sent(conditions.sessions)});
    std::pmr::vector<Owned> found(memory);
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto [key, store] = rows.get<pg::Uuid, pg::Uuid>(row);
        found.push_back({key, store});
    }
    std::pmr::vector<pg_uuid_t> stores(memory);
    for (const Owned &one : found)
        stores.push_back(one.store);
    for (const pg_uuid_t &store : pg::unique_ids(stores))
        lock({tenant, store}, 0);
    return found;
}

} // namespace

MEMORY_CALL(memory_prune_checkpoints, "session_ids text[], keep bigint, run_ids text[],"
                                      " before timestamptz, protect text[], user_id text") {
    const Conditions conditions{
        call.texts("session_ids"), call.bigint("keep").between(0, access::most_rows),
        call.texts("run_ids"), call.instant("before"), call.texts("protect")};
    if (!conditions.sessions && !conditions.keep && !conditions.runs && !conditions.before)
        throw pg::Error(ERRCODE_NULL_VALUE_NOT_ALLOWED,
                        "one of session_ids, keep, run_ids and before must not be null")
            .hint("keep => 0 with session_ids takes all checkpoints of these sessions.");
    const access::Writing writing(call, room);
    pg::ContextResource memory(CurrentMemoryContext);
    std::int64_t gone = 0;
    for (const Owned &session : lock_sessions(writing.tenant(), conditions, &memory)) {
        const std::pmr::vector<std::int64_t> places = numbers_in(
            find_meant.run(SnapshotOf::now,
                           {writing.tenant(), session.key, conditions.keep, sent(conditions.runs),
                            conditions.before, sent(conditions.protect)}),
            &memory);
        delete_at({writing.tenant(), session.store}, {writing.tenant(), session.key, {}}, places,
                  &memory);
        gone += static_cast<std::int64_t>(places.size());
    }
    return call.result(gone);
}

} // namespace memory::checkpoints
