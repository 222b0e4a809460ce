// memory.overview(): what there is of a user, at a glance.
#include "access/call.h"
#include "context/sql.h"
#include "episodes/tables.h"
#include "facts/ranking.h"
#include "facts/tables.h"
#include "pg/json_writer.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "sessions/tables.h"

namespace memory::context {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(count_kinds, R"(
    SELECT e.kind, count(*) FROM memory.episodes e WHERE {tenant:e} AND {not_expired:e}
    GROUP BY e.kind)"_sql);

// Of what happened and of what was written.
MEMORY_STATEMENT(find_last_seen, R"(
    SELECT {json_time:l.seen} FROM (SELECT greatest(
        (SELECT e.occurred_at FROM memory.episodes e WHERE {tenant:e} AND {not_expired:e}
         ORDER BY e.occurred_at DESC, e.id DESC LIMIT 1),
        (SELECT s.updated_at FROM memory.sessions s WHERE {tenant:s} AND {tenant_by_key:s}
         ORDER BY s.updated_at DESC, s.session_id LIMIT 1)) AS seen) l)"_sql);

MEMORY_STATEMENT(newest_sessions, R"(
    SELECT {session:s}, {json_time:s.updated_at} FROM memory.sessions s
    WHERE {tenant:s} AND {tenant_by_key:s}
    ORDER BY s.updated_at DESC, s.session_id LIMIT $3)"_sql);

// $3: now.
MEMORY_STATEMENT(count_facts, R"(
    SELECT count(*) FROM memory.facts f
    WHERE {tenant:f} AND {known_now:f} AND {valid_at:f,$3})"_sql);
MEMORY_STATEMENT(newest_facts, R"(
    SELECT f.id::text, f.subject, f.predicate, f.object, {json_time:{end_of:f.valid_from}}
    FROM memory.facts f WHERE {tenant:f} AND {known_now:f} AND {valid_at:f,$3} {newest:f,$4})"_sql);

constexpr std::int64_t shown = 10;

void add(pg::JsonWriter &json, const char *name, const std::optional<std::string_view> &text) {
    if (text)
        json.add(name, *text);
    else
        json.add_null(name);
}

void add_episodes(pg::JsonWriter &json, const access::Tenant &tenant) {
    const pg::Rows rows = count_kinds.run(SnapshotOf::caller, {tenant});
    std::int64_t all = 0;
    json.begin_object("kinds");
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto [kind, count] = rows.get<pg::Text, pg::Int8>(row);
        json.add(pg::c_string(kind), count);
        all += count;
    }
    json.end_object();
    json.add("episodes", all);
}

void add_sessions(pg::JsonWriter &json, const access::Tenant &tenant) {
    const pg::Rows rows = newest_sessions.run(SnapshotOf::caller, {tenant, shown});
    json.begin_array("sessions");
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        json.begin_element();
        json.add("session_id", rows.get<pg::Text>(row, 0));
        add(json, "agent_id", rows.find<pg::Text>(row, 1));
        json.add("messages", rows.get<pg::Int8>(row, 2));
        json.add("updated_at", rows.get<pg::Text>(row, 9));
        json.end_object();
    }
    json.end_array();
}

void add_facts(pg::JsonWriter &json, const access::Tenant &tenant) {
    const pg::Instant now{GetCurrentTransactionStartTimestamp()};
    json.add("facts", count_facts.run(SnapshotOf::caller, {tenant, now}).get<pg::Int8>(0));
    const pg::Rows rows = newest_facts.run(SnapshotOf::caller, {tenant, now, shown});
    json.begin_array("sample_facts");
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto [id, subject, predicate, object, since] =
            rows.get<pg::Text, pg::Text, pg::Text, pg::Text, std::optional<pg::Text>>(row);
        json.begin_element();
        json.add("id", id);
        json.add("subject", subject);
        json.add("predicate", predicate);
        json.add("object", object);
        add(json, "valid_from", since);
        json.end_object();
    }
    json.end_array();
}

} // namespace

MEMORY_CALL(memory_overview, "user_id text") {
    schema::require(schema::Need::to_read, facts::room);
    schema::require(schema::Need::to_read, sessions::room);
    access::Reading reading(call, episodes::room);
    pg::JsonWriter json;
    add_episodes(json, reading.tenant());
    add_facts(json, reading.tenant());
    add_sessions(json, reading.tenant());
    add(json, "last_seen",
        find_last_seen.run(SnapshotOf::caller, {reading.tenant()}).find<pg::Text>(0, 0));
    return call.result(pg::Document{json.finish()});
}

} // namespace memory::context
