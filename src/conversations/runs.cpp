// memory.run, memory.runs and memory.delete_runs.
#include "access/page.h"
#include "conversations/log.h"
#include "conversations/run.h"
#include "conversations/sql.h"
#include "conversations/tables.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "sessions/sessions.h"

namespace memory::conversations {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(find_one, R"(
    SELECT {run:r} FROM memory.runs r
    WHERE {tenant:r} AND r.run_id = $3
        AND r.updated_at > memory_internal.alive_since($1, 'run'))"_sql);

// $3 an agent, $4 statuses, $5 and $6 times, each or NULL. {0} is what else they must be, and says
// which index they are read along.
constexpr pg::sql::Fragment page[]{
    {"newest", "SELECT {run:r} FROM memory.runs r"
               " WHERE {tenant:r} AND {0}"
               " AND r.updated_at > memory_internal.alive_since($1, 'run')"
               " AND ($3::text IS NULL OR r.agent_id = $3)"
               " AND ($4::text[] IS NULL OR r.status = ANY ($4))"
               " AND ($5::timestamptz IS NULL OR r.created_at >= $5)"
               " AND ($6::timestamptz IS NULL OR r.created_at <= $6)"
               " ORDER BY r.created_at DESC, r.run_id OFFSET $7 LIMIT $8"},
};
template <pg::SqlText written>
consteval pg::Sql operator""_page() {
    return pg::compose<written, access::fragments, fragments, page>();
}
MEMORY_STATEMENT(list, "{newest:r.created_at > '-infinity'}"_page, pg::Statement::for_each_values);
MEMORY_STATEMENT(list_session, "{newest:r.session = $9}"_page, pg::Statement::for_each_values);

// Runs $3 with the names of their sessions, in the order of these. Each is looked up by itself,
// however many there are.
MEMORY_STATEMENT(find_sessions, R"(
    SELECT s.session_id, n.run_id
    FROM unnest($3::text[]) n (run_id)
        CROSS JOIN LATERAL (SELECT r.session FROM memory.runs r
                            WHERE {tenant:r} AND r.run_id = n.run_id LIMIT 1) r
        CROSS JOIN LATERAL (SELECT s.session_id FROM memory.sessions s
                            WHERE {tenant:s} AND s.key = r.session LIMIT 1) s
    ORDER BY s.session_id)"_sql);

// $4 the session that is locked.
MEMORY_STATEMENT(delete_one, R"(
    DELETE FROM memory.runs r WHERE {tenant:r} AND r.run_id = $3 AND r.session = $4)"_sql);

struct RunOfSession {
    std::string_view session;
    std::string_view run_id;
};

std::pmr::vector<RunOfSession> found_runs(const access::Tenant &tenant,
                                          std::span<const std::string_view> run_ids,
                                          std::pmr::memory_resource *memory) {
    const pg::Rows rows = find_sessions.run(SnapshotOf::now, {tenant, run_ids});
    std::pmr::vector<RunOfSession> found(memory);
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto [session, run_id] = rows.get<pg::Text, pg::Text>(row);
        found.push_back({pg::copied_text(session), pg::copied_text(run_id)});
    }
    return found;
}

// With its messages; false when it is not there any more.
bool delete_run(const Place &place, std::string_view run_id) {
    if (delete_one.run(SnapshotOf::now, {place.tenant, run_id, place.session.key}).empty())
        return false;
    drop_run_messages(place, run_id);
    return true;
}

// All sessions are locked before the first run goes: a writer that waits for a run has its session
// locked.
std::int64_t delete_runs(const access::Tenant &tenant, std::span<const RunOfSession> runs,
                         std::pmr::memory_resource *memory) {
    std::pmr::vector<std::optional<sessions::Locked>> locked(memory);
    for (std::size_t n = 0; n < runs.size(); ++n)
        locked.push_back(n > 0 && runs[n].session == runs[n - 1].session
                             ? locked.back()
                             : sessions::lock_existing(tenant, runs[n].session));
    std::int64_t gone = 0;
    for (std::size_t n = 0; n < runs.size(); ++n)
        if (locked[n])
            gone +=
                delete_run({tenant, runs[n].session, *locked[n], {}, std::nullopt}, runs[n].run_id);
    return gone;
}

} // namespace

MEMORY_CALL(memory_run, "run_id text, user_id text") {
    const std::string_view run_id = sessions::checked_name(call.text("run_id"));
    access::Reading reading(call, room);
    reading.rows().add_from(find_one, SnapshotOf::caller, {reading.tenant(), run_id});
    return call.nothing();
}

MEMORY_CALL(memory_runs, "session_id text, agent_id text, statuses text[], since timestamptz,"
                         " until timestamptz, k bigint, skip bigint, user_id text") {
    const auto session_id = sessions::name_if_given(call.text("session_id"));
    const sessions::Names statuses = checked_statuses("statuses", call.texts("statuses"));
    const std::int64_t k = access::row_limit(call.bigint("k"));
    const std::int64_t skip = access::rows_skipped(call.bigint("skip"));
    access::Reading reading(call, room);
    pg::Values values{reading.tenant(),
                      call.text("agent_id").optional(),
                      statuses,
                      call.instant("since").optional(),
                      call.instant("until").optional(),
                      skip,
                      k};
    if (!session_id) {
        reading.rows().add_from(list, SnapshotOf::caller, values);
    } else if (const auto session =
                   sessions::find(SnapshotOf::caller, reading.tenant(), *session_id)) {
        values.add(session->key);
        reading.rows().add_from(list_session, SnapshotOf::caller, values);
    }
    return call.nothing();
}

MEMORY_CALL(memory_delete_runs, "run_ids text[], user_id text") {
    const auto run_ids = call.texts("run_ids").required();
    for (std::size_t n = 0; n < run_ids.size(); ++n)
        sessions::checked_name(pg::Given<std::string_view>({{}, "run_ids", n}, run_ids[n]));
    const access::Writing writing(call, room);
    pg::ContextResource memory(CurrentMemoryContext);
    const auto runs = found_runs(writing.tenant(), run_ids, &memory);
    return call.result(delete_runs(writing.tenant(), runs, &memory));
}

} // namespace memory::conversations
