// The row of a session: made, locked, found.
#include "sessions/sessions.h"

#include "pg/statement.h"
#include "pg/uuid.h"
#include "retention/rules.h"
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

// A session of this name that has expired, with the episodes that were written into it. A row when
// there was one.
MEMORY_STATEMENT(drop_expired, R"(
    WITH gone AS (DELETE FROM memory.sessions s
                  WHERE {tenant:s} AND s.session_id = $3 AND NOT {alive:s} RETURNING s.session_id),
        episodes AS (DELETE FROM memory.episodes e
                     WHERE {tenant:e} AND e.session_id = (SELECT g.session_id FROM gone g))
    SELECT FROM gone g)"_sql,
                 pg::Statement::once);

// $3 its key.
MEMORY_STATEMENT(raise_version, R"(
    UPDATE memory.sessions s SET version = s.version + 1 WHERE {tenant:s} AND s.key = $3)"_sql);

// $3 names, or NULL for all.
MEMORY_STATEMENT(lock_several, R"(
    SELECT {found:s}, s.last_seq FROM memory.sessions s
    WHERE {tenant:s} AND ($3::text[] IS NULL OR s.session_id = ANY ($3))
    ORDER BY s.session_id FOR NO KEY UPDATE)"_sql);

// $3 names, or NULL for all.
MEMORY_STATEMENT(lock_to_go, R"(
    SELECT {found:s}, s.last_seq FROM memory.sessions s
    WHERE {tenant:s} AND ($3::text[] IS NULL OR s.session_id = ANY ($3))
    ORDER BY s.session_id FOR UPDATE)"_sql);

// The ids are looked for one by one: not where the user has no messages, as when all of a user is
// deleted.
MEMORY_STATEMENT(lock_by_message, R"(
    SELECT {found:s}, s.last_seq FROM memory.sessions s
    WHERE {tenant:s} AND s.key = ANY (SELECT m.session FROM memory.messages m
                                      WHERE {tenant:m} AND m.id = ANY ($3)
                                          AND EXISTS (SELECT FROM memory.messages x
                                                      WHERE {tenant:x}))
    ORDER BY s.session_id FOR UPDATE)"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(find_one, "SELECT {found:s} FROM memory.sessions s WHERE {named:s}"_sql);

Locked locked_in(const pg::Rows &rows, std::uint64_t row = 0) {
    const auto [key, store, last_seq] = rows.get<pg::Uuid, pg::Uuid, pg::Int8>(row);
    return {{key, store}, last_seq};
}

std::pmr::vector<Locked> all_locked_in(const pg::Rows &rows, std::pmr::memory_resource *memory) {
    std::pmr::vector<Locked> locked(memory);
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        locked.push_back(locked_in(rows, row));
    return locked;
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
    if (retention::rules_of(tenant.name_space).of(retention::Thing::session).ttl)
        drop_expired.run(SnapshotOf::now, {tenant, session});
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
    return all_locked_in(lock_several.run(SnapshotOf::now, {tenant, names}), memory);
}

std::pmr::vector<Locked> lock_to_delete(const access::Tenant &tenant, const Names &names,
                                        std::pmr::memory_resource *memory) {
    return all_locked_in(lock_to_go.run(SnapshotOf::now, {tenant, names}), memory);
}

std::pmr::vector<Locked> lock_sessions_of(const access::Tenant &tenant,
                                          std::span<const pg_uuid_t> ids,
                                          std::pmr::memory_resource *memory) {
    return all_locked_in(lock_by_message.run(SnapshotOf::now, {tenant, ids}), memory);
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
