// memory.set_session: what an application notes of a session, and whose it is.
#include "access/call.h"
#include "pg/statement.h"
#include "sessions/sessions.h"
#include "sessions/sql.h"
#include "sessions/tables.h"

namespace memory::sessions {

namespace {

using pg::SnapshotOf;

struct Note {
    std::string_view session;
    std::optional<std::string_view> agent; // null: as it was
    bool replaces;                         // the metadata whole, not key by key
    pg::Document metadata;
};

constexpr pg::Choice<bool> modes[]{{"update", false}, {"replace", true}};

// $4 is the agent that was given, $5 the one of the settings.
MEMORY_STATEMENT(make, R"(
    INSERT INTO memory.sessions (namespace, user_id, session_id, agent_id, metadata)
    VALUES ($1, $2, $3, coalesce($4::text, $5::text), $6)
    ON CONFLICT (namespace, user_id, session_id) DO NOTHING)"_sql);

MEMORY_STATEMENT(make_or_change, R"(
    INSERT INTO memory.sessions AS s (namespace, user_id, session_id, agent_id, metadata)
    VALUES ($1, $2, $3, coalesce($4::text, $5::text), $6)
    ON CONFLICT (namespace, user_id, session_id) DO UPDATE
    SET agent_id = coalesce($4::text, s.agent_id, $5::text),
        metadata = CASE WHEN $7 THEN excluded.metadata ELSE s.metadata || excluded.metadata END,
        version = s.version + 1, updated_at = {later:s}
    RETURNING s.version)"_sql);

MEMORY_STATEMENT(lock_version, R"(
    SELECT s.version FROM memory.sessions s WHERE {named:s} FOR UPDATE)"_sql);

std::optional<std::int64_t> locked_version(const access::Tenant &tenant, std::string_view session) {
    const pg::Rows rows = lock_version.run(SnapshotOf::now, {tenant, session});
    return rows.empty() ? std::nullopt : std::optional(rows.get<pg::Int8>(0));
}

// Its first version.
std::int64_t make_new(const access::Tenant &tenant, const Note &note) {
    const pg::Values values{tenant, note.session, note.agent, access::agent_setting(),
                            note.metadata};
    if (make.run(SnapshotOf::now, values).size() == 1)
        return 1;
    if (!locked_version(tenant, note.session))
        pg::throw_kept_out("sessions", 0, 1);
    const pg::Quoted name(note.session);
    throw pg::Error(ERRCODE_UNIQUE_VIOLATION, "session \"%.*s\" is there already", name.length,
                    name.text)
        .hint("expected_version => 0 makes a session that is not there.");
}

// The version after it.
std::int64_t set(const access::Tenant &tenant, const Note &note) {
    const pg::Rows rows = make_or_change.write(
        {tenant, note.session, note.agent, access::agent_setting(), note.metadata, note.replaces},
        "sessions");
    return rows.get<pg::Int8>(0);
}

// An error unless the session has this version; it stays so until the transaction ends.
void lock_as_expected(const access::Tenant &tenant, std::string_view session,
                      std::int64_t expected) {
    const std::optional<std::int64_t> found = locked_version(tenant, session);
    if (found == expected)
        return;
    const pg::Quoted name(session);
    if (!found)
        throw pg::Error(ERRCODE_T_R_SERIALIZATION_FAILURE, "there is no session \"%.*s\"",
                        name.length, name.text)
            .hint("It was deleted, or never made; expected_version => 0 makes it.");
    throw pg::Error(ERRCODE_T_R_SERIALIZATION_FAILURE,
                    "session \"%.*s\" has version %lld, not expected_version %lld", name.length,
                    name.text, static_cast<long long>(*found), static_cast<long long>(expected))
        .hint("Read it again, and set what is to change.");
}

} // namespace

MEMORY_CALL(memory_set_session, "session_id text, metadata jsonb, user_id text, agent_id text,"
                                " mode text, expected_version bigint") {
    const Note note{
        written_session(call.text("session_id")), call.text("agent_id").at_most(access::longest_id),
        call.text("mode").one_of(modes).or_else(false), call.json("metadata").object().required()};
    const auto expected = call.bigint("expected_version")
                              .between(0, std::numeric_limits<std::int64_t>::max())
                              .optional();
    const access::Writing writing(call, room);
    if (expected == 0)
        return call.result(make_new(writing.tenant(), note));
    if (expected)
        lock_as_expected(writing.tenant(), note.session, *expected);
    return call.result(set(writing.tenant(), note));
}

} // namespace memory::sessions
