// The row of a session: made, locked, found.
#include "sessions/sessions.h"

#include "pg/statement.h"
#include "pg/uuid.h"
#include "sessions/sql.h"

namespace memory::sessions {

namespace {

using pg::SnapshotOf;

// $4 the agent, $5 how many numbers.
MEMORY_STATEMENT(lock_and_take, R"(
    UPDATE memory.sessions s
    SET last_seq = s.last_seq + $5, messages = s.messages + $5,
        agent_id = coalesce(s.agent_id, $4), updated_at = {touched:s}
    WHERE {named:s}
    RETURNING {found:s}, s.last_seq)"_sql,
                 pg::Statement::once);

// A session that another transaction has just made is locked.
MEMORY_STATEMENT(make_or_lock, R"(
    INSERT INTO memory.sessions AS s (namespace, user_id, session_id, agent_id, last_seq, messages)
    VALUES ($1, $2, $3, $4, $5, $5)
    ON CONFLICT (namespace, user_id, session_id) DO UPDATE
    SET last_seq = s.last_seq + $5, messages = s.messages + $5,
        agent_id = coalesce(s.agent_id, excluded.agent_id), updated_at = {later:s}
    RETURNING {found:s}, s.last_seq)"_sql);

MEMORY_STATEMENT(lock_one, R"(
    SELECT {found:s}, s.last_seq FROM memory.sessions s WHERE {named:s} FOR UPDATE)"_sql,
                 pg::Statement::once);

// $3 its key.
MEMORY_STATEMENT(raise_version, R"(
    UPDATE memory.sessions s SET version = s.version + 1 WHERE {tenant:s} AND s.key = $3)"_sql);

// $3 names, or NULL for all.
MEMORY_STATEMENT(lock_several, R"(
    SELECT {found:s}, s.last_seq FROM memory.sessions s
    WHERE {tenant:s} AND ($3::text[] IS NULL OR s.session_id = ANY ($3))
    ORDER BY s.session_id FOR NO KEY UPDATE)"_sql);

MEMORY_STATEMENT(find_one, "SELECT {found:s} FROM memory.sessions s WHERE {named:s}"_sql);

Locked locked_in(const pg::Rows &rows, std::uint64_t row = 0) {
    const auto [key, store, last_seq] = rows.get<pg::Uuid, pg::Uuid, pg::Int8>(row);
    return {{key, store}, last_seq};
}

} // namespace

std::optional<std::string_view> name_if_given(const pg::Given<std::string_view> &given) {
    return given.not_empty().at_most(longest_name);
}

std::string_view checked_name(const pg::Given<std::string_view> &given) {
    name_if_given(given);
    return given.required();
}

std::string_view written_session(const pg::Given<std::string_view> &session) {
    if (session)
        return checked_name(session);
    const auto setting = access::session_setting();
    return setting ? *setting : session.required();
}

Locked lock(const access::Tenant &tenant, std::string_view session,
            std::optional<std::string_view> agent, std::int64_t numbers) {
    const pg::Values values{tenant, session, agent, numbers};
    const pg::Rows found = lock_and_take.run(SnapshotOf::now, values);
    if (!found.empty())
        return locked_in(found);
    return locked_in(make_or_lock.write(values, "sessions"));
}

// While a statement waits, another transaction may delete the session and make it anew: only a
// later snapshot has that one. (One that is read and cannot be locked is hidden by a policy of the
// owner's.)
std::optional<Locked> lock_existing(const access::Tenant &tenant, std::string_view session) {
    std::optional<Found> seen;
    for (;;) {
        const pg::Rows rows = lock_one.run(pg::SnapshotOf::now, {tenant, session});
        if (!rows.empty())
            return locked_in(rows);
        const auto other = find(pg::SnapshotOf::now, tenant, session);
        if (!other || (seen && pg::compare(seen->key, other->key) == 0))
            return std::nullopt;
        seen = other;
    }
}

std::pmr::vector<Locked> lock_existing(const access::Tenant &tenant, const Names &names,
                                       std::pmr::memory_resource *memory) {
    const pg::Rows rows = lock_several.run(SnapshotOf::now, {tenant, names});
    std::pmr::vector<Locked> locked(memory);
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        locked.push_back(locked_in(rows, row));
    return locked;
}

void note_drop(const access::Tenant &tenant, const Found &session) {
    raise_version.write({tenant, session.key}, "sessions");
}

std::optional<Found> find(pg::SnapshotOf snapshot, const access::Tenant &tenant,
                          std::string_view session) {
    const pg::Rows rows = find_one.run(snapshot, {tenant, session});
    if (rows.empty())
        return std::nullopt;
    const auto [key, store] = rows.get<pg::Uuid, pg::Uuid>(0);
    return Found{key, store};
}

} // namespace memory::sessions
