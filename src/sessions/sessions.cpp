// The row of a session: made, locked, found.
#include "sessions/sessions.h"

#include "pg/statement.h"
#include "sessions/sql.h"

namespace memory::sessions {

namespace {

// A session that another transaction has just deleted is made again.
MEMORY_STATEMENT(make_or_lock, R"(
    INSERT INTO memory.sessions AS s (namespace, user_id, session_id, agent_id)
    VALUES ($1, $2, $3, $4)
    ON CONFLICT (namespace, user_id, session_id) DO UPDATE
    SET updated_at = {later:s}, agent_id = coalesce(s.agent_id, excluded.agent_id)
    RETURNING s.key, {store_of:s})"_sql);

MEMORY_STATEMENT(find_keys, R"(
    SELECT s.key, {store_of:s} FROM memory.sessions s WHERE {named:s})"_sql);

Found read_keys(const pg::Rows &rows) {
    const auto [key, store] = rows.get<pg::Uuid, pg::Uuid>(0);
    return {key, store};
}

} // namespace

std::string_view checked_name(const pg::Given<std::string_view> &given) {
    return given.not_empty().at_most(longest_name).required();
}

std::string_view written_session(const pg::Given<std::string_view> &session) {
    if (session)
        return checked_name(session);
    const auto setting = access::session_setting();
    return setting ? *setting : session.required();
}

Locked lock(const access::Tenant &tenant, std::string_view session,
            std::optional<std::string_view> agent) {
    return {read_keys(make_or_lock.write({tenant, session, agent}, "sessions"))};
}

std::optional<Found> find(pg::SnapshotOf snapshot, const access::Tenant &tenant,
                          std::string_view session) {
    const pg::Rows rows = find_keys.run(snapshot, {tenant, session});
    return rows.empty() ? std::nullopt : std::optional(read_keys(rows));
}

} // namespace memory::sessions
