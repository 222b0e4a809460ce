// Rows of the log, and their numbers; and how they go with their session.
#include "sessions/log.h"

#include "pg/statement.h"
#include "pg/trigger.h"
#include "sessions/sql.h"

extern "C" {
#include "access/xact.h"
}

namespace memory::sessions {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(find_last, R"(
    SELECT p.last_seq FROM memory.session_paths p WHERE {of_path:p})"_sql,
                 pg::Statement::once);

// $5 how many.
MEMORY_STATEMENT(take_of_path, R"(
    INSERT INTO memory.session_paths AS p (namespace, user_id, session, path, last_seq, messages)
    VALUES ($1, $2, $3, $4, $5, $5)
    ON CONFLICT (namespace, user_id, session, path) DO UPDATE
    SET last_seq = p.last_seq + $5, messages = p.messages + $5
    RETURNING p.last_seq)"_sql);

// $4 how many.
MEMORY_STATEMENT(take_of_session, R"(
    UPDATE memory.sessions s SET last_seq = s.last_seq + $4, messages = s.messages + $4
    WHERE {tenant:s} AND s.key = $3
    RETURNING s.last_seq)"_sql);

MEMORY_STATEMENT(insert_one, R"(
    INSERT INTO memory.messages
        (namespace, user_id, session, path, run_id, seq, id, role, message, key, occurred_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11))"_sql);

MEMORY_STATEMENT(insert_several, R"(
    INSERT INTO memory.messages
        (namespace, user_id, session, path, run_id, seq, id, role, message, key, occurred_at)
    SELECT $1, $2, $3, $4, $5, g.seq, g.id, g.role, g.message, g.key, g.occurred_at
    FROM ROWS FROM (unnest($6::bigint[]), unnest($7::uuid[]), unnest($8::text[]),
        unnest($9::jsonb[]), unnest($10::text[]), unnest($11::timestamptz[])) g
        (seq, id, role, message, key, occurred_at))"_sql);

MEMORY_STATEMENT(replace_one, R"(
    UPDATE memory.messages m
    SET run_id = coalesce($5, m.run_id), id = $7, role = $8, message = $9,
        key = coalesce($10, m.key), occurred_at = coalesce($11, m.occurred_at)
    WHERE {of_path:m} AND m.seq = $6)"_sql);

MEMORY_STATEMENT(change_id, R"(
    UPDATE memory.messages m SET id = $6 WHERE {of_path:m} AND m.seq = $5)"_sql);

// Deletes the messages that {0} says, and counts them off.
constexpr pg::sql::Fragment dropping[]{
    {"drop", "WITH gone AS (DELETE FROM memory.messages m WHERE {0} RETURNING m.session, m.path),"
             " counted AS (SELECT g.session, g.path, count(*) AS messages FROM gone g"
             " GROUP BY g.session, g.path),"
             " paths AS (UPDATE memory.session_paths p SET messages = p.messages - c.messages"
             " FROM counted c"
             " WHERE {tenant:p} AND p.session = c.session AND p.path = c.path),"
             " written AS (UPDATE memory.sessions s"
             " SET messages = s.messages - c.messages, version = s.version + 1"
             " FROM (SELECT c.session, coalesce(sum(c.messages) FILTER (WHERE c.path = ''), "
             "0)::bigint AS messages"
             " FROM counted c GROUP BY c.session) c"
             " WHERE {tenant:s} AND s.key = c.session)"
             " SELECT count(*) FROM gone"},
};
template <pg::SqlText written>
consteval pg::Sql operator""_dropping() {
    return pg::compose<written, access::fragments, filter::fragments, fragments, dropping>();
}

// $3 ids.
MEMORY_STATEMENT(drop_by_id, "{drop:{tenant:m} AND m.id = ANY ($3)}"_dropping, pg::Statement::once);

// $5 numbers.
MEMORY_STATEMENT(drop_by_seq, "{drop:{of_path:m} AND m.seq = ANY ($5)}"_dropping,
                 pg::Statement::once);

// What belongs to the log of a session that is gone.
MEMORY_STATEMENT(delete_log, R"(
    WITH operations AS (DELETE FROM memory.session_operations o WHERE {of_session:o}),
        paths AS (DELETE FROM memory.session_paths p WHERE {of_session:p})
    DELETE FROM memory.messages m WHERE {of_session:m})"_sql,
                 pg::Statement::once);

pg::Instant time_of(const Entry &entry) {
    return entry.occurred_at ? *entry.occurred_at
                             : pg::Instant{GetCurrentTransactionStartTimestamp()};
}

pg::Values one_row(const Path &path, std::optional<std::string_view> run_id, const Entry &entry) {
    return {path, run_id, entry.seq, entry.id, entry.role, entry.message, entry.key};
}

// A column of all entries as an array, in the current memory context.
template <class Value>
pg::Parameter column(Oid type, std::span<const Entry> entries, Value value) {
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<Datum> values(&memory);
    values.reserve(entries.size());
    const std::span<bool> nulls(static_cast<bool *>(memory.allocate(entries.size() + 1)),
                                entries.size());
    for (const Entry &entry : entries) {
        const std::optional<Datum> one = value(entry);
        nulls[values.size()] = !one;
        values.push_back(one.value_or(Datum{0}));
    }
    return pg::Parameter::array(type, values, nulls);
}

pg::Values columns(const Path &path, std::optional<std::string_view> run_id,
                   std::span<const Entry> entries) {
    const auto as = [&](Oid type, auto value) {
        return column(type, entries, [&](const Entry &entry) -> std::optional<Datum> {
            return pg::to_datum(value(entry));
        });
    };
    return {path,
            run_id,
            as(INT8OID, [](const Entry &entry) { return entry.seq; }),
            as(UUIDOID, [](const Entry &entry) { return entry.id; }),
            as(TEXTOID, [](const Entry &entry) { return entry.role; }),
            as(JSONBOID, [](const Entry &entry) { return entry.message; }),
            column(TEXTOID, entries,
                   [](const Entry &entry) {
                       return entry.key ? std::optional(pg::to_datum(*entry.key)) : std::nullopt;
                   }),
            as(TIMESTAMPTZOID, time_of)};
}

} // namespace

std::int64_t last_seq(const Path &path) {
    const pg::Rows rows = find_last.run(SnapshotOf::now, {path});
    return rows.empty() ? 0 : rows.get<pg::Int8>(0);
}

std::int64_t take_numbers(const Path &path, std::int64_t count) {
    if (path.name.empty())
        return take_of_session.write({path.tenant, path.session, count}, "sessions")
            .get<pg::Int8>(0);
    return take_of_path.write({path, count}, "session_paths").get<pg::Int8>(0);
}

void insert(const Path &path, std::optional<std::string_view> run_id,
            std::span<const Entry> entries) {
    if (entries.empty())
        return;
    if (entries.size() > 1) {
        insert_several.write(columns(path, run_id, entries), "messages", entries.size());
        return;
    }
    pg::Values row = one_row(path, run_id, entries.front());
    row.add(time_of(entries.front()));
    insert_one.write(row, "messages");
}

void replace(const Path &path, std::optional<std::string_view> run_id, const Entry &entry) {
    pg::Values row = one_row(path, run_id, entry);
    row.add(entry.occurred_at);
    replace_one.write(row, "messages");
}

void set_id(const Path &path, std::int64_t seq, const pg_uuid_t &id) {
    change_id.write({path, seq, id}, "messages");
}

std::int64_t drop(const access::Tenant &tenant, std::span<const pg_uuid_t> ids) {
    return drop_by_id.run(SnapshotOf::now, {tenant, ids}).get<pg::Int8>(0);
}

void drop(const Path &path, std::span<const std::int64_t> seqs) {
    drop_by_seq.run(SnapshotOf::now, {path, seqs});
}

MEMORY_FUNCTION(memory_drop_log) {
    const pg::TriggerRow row(arguments, {"sessions"});
    const pg::Spi spi;
    const access::Tenant tenant{row.get<pg::Text>("namespace"), row.get<pg::Text>("user_id")};
    delete_log.run(SnapshotOf::now, {tenant, row.get<pg::Uuid>("key")});
    return Datum{0};
}

} // namespace memory::sessions
