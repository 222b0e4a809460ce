// memory.checkpoint() and memory.checkpoints().
#include "access/page.h"
#include "checkpoints/arguments.h"
#include "checkpoints/payload.h"
#include "checkpoints/sql.h"
#include "checkpoints/store.h"
#include "checkpoints/tables.h"
#include "filter/filter.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "sessions/sessions.h"

namespace memory::checkpoints {

namespace {

using pg::SnapshotOf;

// What is read of every row, before its payload.
constexpr pg::sql::Fragment rows[]{
    {"shown", "s.session_id, c.path, c.id, c.parent, c.metadata, c.created_at, {found:s}, c.state,"
              " c.refs"},
    // Written before id {0} of path {1}, where one is given. One that is gone counts by its text.
    {"before", "({0}::text IS NULL OR coalesce("
               "c.place < (SELECT b.place FROM memory.checkpoints b"
               " WHERE {of_session:b} AND {same:b.path,{1}} AND {same:b.id,{0}}),"
               " c.id < {0}))"},
    {"joined", "memory.checkpoints c JOIN memory.sessions s ON {of_living:s,c}"},
    // Neither has expired.
    {"of_living", "{tenant:{0}} AND {0}.key = {1}.session AND {alive:{0}}"
                  " AND {1}.created_at > memory_internal.alive_since($1, 'checkpoint')"},
};
template <pg::SqlText written>
consteval pg::Sql operator""_rows() {
    return compose_with<written, rows>();
}

// $3 the session's key, $4 a path, $5 an id.
MEMORY_STATEMENT(find_one, R"(
    SELECT {shown} FROM {joined} WHERE {of_path:c} AND {same:c.id,$5})"_rows);
MEMORY_STATEMENT(find_newest, R"(
    SELECT {shown} FROM {joined} WHERE {of_path:c} ORDER BY c.place DESC LIMIT 1)"_rows);
// $3 an id, $4 a path.
MEMORY_STATEMENT(find_by_id, R"(
    SELECT {shown} FROM {joined} WHERE {tenant:c} AND {same:c.id,$3} AND c.path = $4
    ORDER BY c.created_at DESC, c.session DESC LIMIT 1)"_rows);

// $3 the session's key, $4 a path or NULL, $5 an id before which they are and $6 its path, $7 how
// many, $8 to $10 the filter.
MEMORY_STATEMENT(list_session, R"(
    SELECT {shown} FROM {joined}
    WHERE {of_session:c} AND ($4::text IS NULL OR {same:c.path,$4}) AND {before:$5,$6}
        AND {filtered:c.metadata,$8,$9,$10}
    ORDER BY c.place DESC LIMIT $7)"_rows,
                 pg::Statement::for_each_values);

// Of all sessions: $3 a path or NULL, $4 how many, $5 to $7 the filter.
MEMORY_STATEMENT(list_all, R"(
    SELECT {shown} FROM {joined}
    WHERE {tenant:c} AND ($3::text IS NULL OR c.path = $3) AND {filtered:c.metadata,$5,$6,$7}
    ORDER BY c.created_at DESC, s.session_id, c.path, c.place DESC LIMIT $4)"_rows,
                 pg::Statement::for_each_values);

// The chain of parents of $5 on path $4, the nearest first, up to the first that is gone; $6 how
// far, $7 how many, $8 to $10 the filter, $11 an id before which they are. Parents may go in a
// circle: the distance ends it. Each step goes by an index, as in versions.cpp.
MEMORY_STATEMENT(list_ancestors, R"(
    WITH RECURSIVE ancestor AS (
        SELECT c.place, c.parent, 0 AS distance FROM memory.checkpoints c
        WHERE {of_path:c} AND {same:c.id,$5}
        UNION ALL
        SELECT c.place, c.parent, a.distance + 1
        FROM ancestor a
            CROSS JOIN LATERAL (SELECT c.place, c.parent FROM memory.checkpoints c
                                WHERE {of_path:c} AND {same:c.id,a.parent} LIMIT 1) c
        WHERE a.distance < $6)
    SELECT {shown} FROM (SELECT a.place, min(a.distance) AS distance FROM ancestor a
                         WHERE a.distance > 0 GROUP BY a.place) a
        CROSS JOIN LATERAL (SELECT c.* FROM memory.checkpoints c
                            WHERE {of_session:c} AND c.place = a.place LIMIT 1) c
        JOIN memory.sessions s ON {of_living:s,c}
    WHERE c.id <> $5 AND {filtered:c.metadata,$8,$9,$10} AND {before:$11,$4}
    ORDER BY a.distance LIMIT $7)"_rows,
                 pg::Statement::for_each_values);

MEMORY_STATEMENT(count_path, R"(
    SELECT count(*) FROM memory.checkpoints c WHERE {of_path:c})"_sql);

Shown shown_in(const pg::Rows &found, std::uint64_t row) {
    const auto [session_id, path, id, parent, metadata, created_at, key, store, state, refs] =
        found.get<pg::Text, pg::Text, pg::Text, std::optional<pg::Text>, pg::Json, pg::Time,
                  pg::Uuid, pg::Uuid, pg::Int8, pg::Json>(row);
    return {pg::copied_text(session_id),
            pg::copied_text(path),
            pg::copied_text(id),
            parent ? std::optional(pg::copied_text(*parent)) : std::nullopt,
            pg::copied({metadata}),
            {created_at},
            key,
            store,
            state,
            pg::copied({refs})};
}

void add(access::Reading &reading, const pg::Rows &found, bool with_payload) {
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<Shown> all(&memory);
    for (std::uint64_t row = 0; row < found.size(); ++row)
        all.push_back(shown_in(found, row));
    for (const Shown &one : all) {
        pg::TemporaryContext of_row("memory: one checkpoint");
        const pg::SwitchedContext switched(of_row.get());
        reading.rows().add(with_payload ? whole_row(reading.tenant(), one, of_row.resource())
                                        : bare_row(one));
    }
}

} // namespace

MEMORY_CALL(memory_checkpoint, "session_id text, id text, path text, user_id text") {
    const std::optional<std::string_view> session_id =
        sessions::name_if_given(call.text("session_id"));
    const std::optional<std::string_view> id = sessions::name_if_given(call.text("id"));
    const std::string_view path = path_of(call.text("path"));
    if (!session_id)
        call.text("id").required();
    access::Reading reading(call, room);
    const access::Tenant &tenant = reading.tenant();
    if (!session_id) {
        add(reading, find_by_id.run(SnapshotOf::caller, {tenant, *id, path}), true);
        return call.nothing();
    }
    const auto session = sessions::find(SnapshotOf::caller, tenant, *session_id);
    if (!session)
        return call.nothing();
    pg::Values values{Path{tenant, session->key, path}};
    if (id)
        values.add(*id);
    add(reading, (id ? find_one : find_newest).run(SnapshotOf::caller, values), true);
    return call.nothing();
}

namespace {

// What a list is of.
struct List {
    std::optional<std::string_view> session_id;
    std::optional<std::string_view> path;
    std::optional<std::string_view> before;
    std::optional<std::string_view> ancestors_of;
    filter::Conditions filter;
    std::int64_t k;
};

void check_has_session(const List &list, const std::optional<std::string_view> &id,
                       const char *argument) {
    if (id && !list.session_id)
        throw pg::Error(ERRCODE_NULL_VALUE_NOT_ALLOWED, "%s needs a session_id", argument)
            .hint("It is the id of a checkpoint within a session and path.");
}

template <class Call>
List read_list(const Call &call) {
    List list;
    list.session_id = sessions::name_if_given(call.text("session_id"));
    list.path = checked_path(call.text("path"));
    list.before = sessions::name_if_given(call.text("before"));
    list.ancestors_of = sessions::name_if_given(call.text("ancestors_of"));
    list.filter = filter::conditions_of(call.json("filter"));
    list.k = access::row_limit(call.bigint("k"));
    check_has_session(list, list.before, "before");
    check_has_session(list, list.ancestors_of, "ancestors_of");
    return list;
}

pg::Rows ancestors(const List &list, const Path &path) {
    const bool all = list.filter.any() || list.before || list.k == access::no_limit;
    const std::int64_t distance =
        all ? count_path.run(SnapshotOf::caller, {path}).get<pg::Int8>(0) : list.k;
    return list_ancestors.run(
        SnapshotOf::caller, {path, *list.ancestors_of, distance, list.k, list.filter, list.before});
}

pg::Rows found(const List &list, const access::Tenant &tenant, const sessions::Found &session) {
    const std::string_view path = list.path.value_or("");
    if (list.ancestors_of)
        return ancestors(list, {tenant, session.key, path});
    return list_session.run(SnapshotOf::caller, {tenant, session.key, list.path, list.before, path,
                                                 list.k, list.filter});
}

} // namespace

MEMORY_CALL(memory_checkpoints, "session_id text, k bigint, path text, before text,"
                                " ancestors_of text, filter jsonb, full_rows boolean,"
                                " user_id text") {
    const List list = read_list(call);
    const bool full_rows = call.boolean("full_rows").or_else(false);
    access::Reading reading(call, room);
    const access::Tenant &tenant = reading.tenant();
    if (!list.session_id) {
        add(reading, list_all.run(SnapshotOf::caller, {tenant, list.path, list.k, list.filter}),
            full_rows);
        return call.nothing();
    }
    if (const auto session = sessions::find(SnapshotOf::caller, tenant, *list.session_id))
        add(reading, found(list, tenant, *session), full_rows);
    return call.nothing();
}

} // namespace memory::checkpoints
