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
using sessions::Names;

// $3 those that are meant. (One that is not there yet has no checkpoints.)
MEMORY_STATEMENT(lock_stores, R"(
    SELECT FROM memory.checkpoint_stores t WHERE {tenant:t} AND t.store = ANY ($3)
    ORDER BY t.store FOR UPDATE)"_sql);

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
    WHERE {of_session:p} AND p.number = ANY ({parts_referred_to:true,= 1})
    RETURNING p.number)"_sql);

using Numbers = std::pmr::vector<std::int64_t>;

Numbers numbers_in(const pg::Rows &rows, std::pmr::memory_resource *memory) {
    Numbers numbers(memory);
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        numbers.push_back(rows.get<pg::Int8>(row));
    return numbers;
}

std::int64_t least(const Numbers &numbers) {
    return numbers.empty() ? std::numeric_limits<std::int64_t>::max() : std::ranges::min(numbers);
}

// Deletes these checkpoints of a session, and all that only they needed. Returns how many there
// were.
std::size_t delete_at(const Store &store, const Path &path, std::span<const std::int64_t> places,
                      std::pmr::memory_resource *memory) {
    if (places.empty())
        return 0;
    const Numbers states =
        numbers_in(delete_places.run(SnapshotOf::now, {path.tenant, path.session, places}), memory);
    const Numbers parts =
        numbers_in(delete_parts.run(SnapshotOf::now, {path.tenant, path.session}), memory);
    drop_unneeded(store, std::min(least(states), least(parts)), memory);
    sessions::note_drop(path.tenant, {path.session, store.id});
    return states.size();
}

} // namespace

void keep_newest(const Store &store, const Path &path, std::int64_t keep,
                 std::pmr::memory_resource *memory) {
    delete_at(store, path, numbers_in(find_older.run(SnapshotOf::now, {path, keep}), memory),
              memory);
}

namespace {

struct Conditions {
    Names sessions;
    std::optional<std::int64_t> keep;
    Names runs;
    std::optional<pg::Instant> before;
    Names protect;
};

// What meets the conditions goes, of sessions that are locked in the order of their names. Returns
// how many there were.
std::size_t prune(const access::Tenant &tenant, std::span<const sessions::Locked> locked,
                  const Conditions &conditions, std::pmr::memory_resource *memory) {
    std::pmr::vector<pg_uuid_t> stores(memory);
    for (const sessions::Found &session : locked)
        stores.push_back(session.store);
    lock_stores.run(SnapshotOf::now, {tenant, pg::unique_ids(stores)});
    std::size_t gone = 0;
    for (const sessions::Found &session : locked) {
        const Numbers places = numbers_in(
            find_meant.run(SnapshotOf::now, {tenant, session.key, conditions.keep, conditions.runs,
                                             conditions.before, conditions.protect}),
            memory);
        gone += delete_at({tenant, session.store}, {tenant, session.key, {}}, places, memory);
    }
    return gone;
}

} // namespace

void prune_before(const access::Tenant &tenant, std::span<const sessions::Locked> locked,
                  pg::Instant before, std::pmr::memory_resource *memory) {
    prune(tenant, locked, {{}, {}, {}, before, {}}, memory);
}

void prune_to(const access::Tenant &tenant, std::span<const sessions::Locked> locked,
              std::int64_t keep, std::pmr::memory_resource *memory) {
    prune(tenant, locked, {{}, keep, {}, {}, {}}, memory);
}

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
    const auto locked = sessions::lock_existing(writing.tenant(), conditions.sessions, &memory);
    const std::size_t gone = prune(writing.tenant(), locked, conditions, &memory);
    return call.result(static_cast<std::int64_t>(gone));
}

} // namespace memory::checkpoints
