// memory.set_summary and memory.summary: what a session was about, in short.
#include "access/call.h"
#include "conversations/policy.h"
#include "conversations/sql.h"
#include "conversations/summary.h"
#include "conversations/tables.h"
#include "episodes/settings.h"
#include "pg/statement.h"
#include "sessions/sessions.h"

namespace memory::conversations {

namespace {

using pg::SnapshotOf;

// Locks a session that is there.
MEMORY_STATEMENT(lock_session, R"(
    SELECT s.key, s.last_seq, s.agent_id FROM memory.sessions s WHERE {named:s}
    FOR NO KEY UPDATE)"_sql);

MEMORY_STATEMENT(set, R"(
    INSERT INTO memory.summaries AS u (namespace, user_id, session, summary, upto, topics)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (namespace, user_id, session) DO UPDATE
    SET summary = excluded.summary, upto = excluded.upto, topics = excluded.topics,
        updated_at = greatest(u.updated_at, now()))"_sql);

MEMORY_STATEMENT(find, R"(
    SELECT $3::text, u.summary, u.upto, u.topics,
        (SELECT count(*) FROM memory.messages m
         WHERE {tenant:m} AND m.session = u.session AND m.path = '' AND m.seq > u.upto),
        u.updated_at
    FROM memory.summaries u
    WHERE {tenant:u} AND u.session = (SELECT s.key FROM memory.sessions s WHERE {named:s}))"_sql);

struct Session {
    pg_uuid_t key;
    std::int64_t last_seq;
    std::optional<std::string_view> agent;
};

Session locked(const access::Tenant &tenant, std::string_view session_id) {
    const pg::Rows rows = lock_session.run(SnapshotOf::now, {tenant, session_id});
    if (rows.empty()) {
        const pg::Quoted name(session_id);
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "session_id: there is no session \"%.*s\"",
                        name.length, name.text)
            .hint("A session is there once something is written into it.");
    }
    const auto [key, last_seq, agent] = rows.get<pg::Uuid, pg::Int8, std::optional<pg::Text>>(0);
    return {key, last_seq, agent ? std::optional(pg::copied_text(*agent)) : std::nullopt};
}

std::int64_t checked_upto(std::optional<std::int64_t> upto, const Session &session) {
    if (upto.value_or(0) > session.last_seq)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                        "upto is %lld, but the session's last message is number %lld",
                        static_cast<long long>(*upto), static_cast<long long>(session.last_seq))
            .hint("It is the seq of the last message that the summary covers.");
    return upto.value_or(session.last_seq);
}

} // namespace

void put_summary(const access::Tenant &tenant, const Summary &summary) {
    set.write({tenant, summary.session, summary.text, summary.upto, summary.topics}, "summaries");
}

MEMORY_CALL(memory_set_summary,
            "session_id text, summary text, upto bigint, topics text[], user_id text") {
    const std::string_view session_id = sessions::written_session(call.text("session_id"));
    const std::string_view summary =
        call.text("summary")
            .not_empty()
            .at_most(episodes::max_content(), "memory.max_content is the limit.")
            .required();
    const std::optional<std::int64_t> upto =
        call.bigint("upto").between(0, std::numeric_limits<std::int64_t>::max());
    const std::span<const std::string_view> topics = call.list("topics").or_else({});
    const access::Writing writing(call, room);
    const Session session = locked(writing.tenant(), session_id);
    const std::int64_t covered = checked_upto(upto, session);
    if (!policy_of(SnapshotOf::now, writing.tenant(), session.agent).save_summary) {
        pg::call([] {
            ereport(NOTICE, (errmsg("the summary is not kept: save_summary is false"),
                             errhint("memory.set_policy says what is kept.")));
        });
        return call.nothing();
    }
    put_summary(writing.tenant(), {session.key, summary, covered, topics});
    return call.nothing();
}

MEMORY_CALL(memory_summary, "session_id text, user_id text") {
    const std::string_view session_id = sessions::checked_name(call.text("session_id"));
    access::Reading reading(call, room);
    reading.rows().add_from(find, SnapshotOf::caller, {reading.tenant(), session_id});
    return call.nothing();
}

} // namespace memory::conversations
