// Statements about tables as their descriptions say. They are made of constants of the library,
// with every operator by its schema, as the caller's search_path may have others.
#include "lifecycle/rows.h"

#include "lifecycle/sql.h"
#include "pg/spi.h"
#include "schema/relations.h"

extern "C" {
#include "utils/rel.h"
}

namespace memory::lifecycle {

namespace {

using pg::SnapshotOf;
using Text = std::pmr::string;

constexpr const char *of_tenant = "WHERE {tenant:t}"_sql.text;

// Sessions that have been made since those were locked: the rows that belong to them stay, or half
// of a session would.
constexpr const char *stays_with_session =
    "AND t.session <> ALL (ARRAY(SELECT s.key FROM memory.sessions s"
    " WHERE {tenant:s} AND s.key <> ALL ($3)))"_sql.text;
constexpr const char *stays_with_store =
    "AND t.store <> ALL (ARRAY(SELECT coalesce(s.store, s.key) FROM memory.sessions s"
    " WHERE {tenant:s} AND s.key <> ALL ($3)))"_sql.text;

// The same for episodes that have messages in such a session, and for what belongs to these.
constexpr const char *stays_with_messages =
    "<> ALL (ARRAY(SELECT m.id FROM memory.messages m WHERE {tenant:m}"
    " AND m.session = ANY (ARRAY(SELECT s.key FROM memory.sessions s"
    " WHERE {tenant:s} AND s.key <> ALL ($3)))))"_sql.text;

constexpr const char *is_one_of_third = "= ANY ($3)"_sql.text;

void add_what_stays(const schema::Table &table, Text &to) {
    switch (table.of) {
    case schema::Of::session:
        to.append(" ").append(stays_with_session);
        break;
    case schema::Of::store:
        to.append(" ").append(stays_with_store);
        break;
    case schema::Of::episode:
        to.append(" AND t.episode_id ").append(stays_with_messages);
        break;
    case schema::Of::user:
        if (std::string_view(table.name) == "episodes")
            to.append(" AND t.id ").append(stays_with_messages);
        break;
    }
}

// Whose ids callers know.
bool has_ids(const schema::Table &table) {
    constexpr std::array<std::string_view, 3> names{"episodes", "messages", "facts"};
    return std::find(names.begin(), names.end(), table.name) != names.end();
}

// FROM … WHERE … of the rows that go with all of a user; $3 are the sessions that are locked. Every
// statement has the same parameters.
Text meant_of_all(const schema::Table &table, std::pmr::memory_resource *memory) {
    Text text(" FROM memory.", memory);
    text.append(table.name).append(" t ").append(of_tenant);
    add_what_stays(table, text);
    if (*table.forgotten_when != '\0')
        text.append(" AND ").append(table.forgotten_when);
    return text.append(" AND $3::pg_catalog.uuid[] IS NOT NULL");
}

// A BEFORE trigger of the owner's can keep rows from being deleted, and says nothing.
bool may_keep_rows(const schema::Place &place) {
    const schema::OpenTable table(place, AccessShareLock);
    const TriggerDesc *const triggers = table.get()->trigdesc;
    return triggers != nullptr && triggers->trig_delete_before_row;
}

pg::Rows run(const Text &statement, const pg::Values &values) {
    return pg::run_once(statement.c_str(), SnapshotOf::now, values);
}

void check_none_kept(const access::Tenant &tenant, const schema::Table &table,
                     std::span<const pg_uuid_t> locked, const Text &meant, std::int64_t deleted) {
    pg::ContextResource memory(CurrentMemoryContext);
    Text statement("SELECT pg_catalog.count(*)", &memory);
    const auto left = run(statement.append(meant), {tenant, locked}).get<pg::Int8>(0);
    if (left > 0)
        pg::throw_kept_out(table.name, static_cast<std::uint64_t>(deleted),
                           static_cast<std::uint64_t>(deleted + left));
}

} // namespace

Deleted delete_all(const access::Tenant &tenant, const schema::Table &table,
                   std::span<const pg_uuid_t> locked) {
    pg::ContextResource memory(CurrentMemoryContext);
    const char *const id = has_ids(table) ? "t.id" : "NULL::pg_catalog.uuid";
    const Text meant = meant_of_all(table, &memory);
    Text statement("WITH gone AS (DELETE", &memory);
    statement.append(meant).append(" RETURNING ").append(id);
    statement.append(" AS id) SELECT pg_catalog.count(*), pg_catalog.array_agg(g.id)"
                     " FILTER (WHERE g.id IS NOT NULL) FROM gone g");
    const pg::Rows rows = run(statement, {tenant, locked});
    const auto [count, ids] = rows.get<pg::Int8, std::optional<pg::Uuids>>(0);
    const Deleted deleted{count, ids.value_or(std::span<const pg_uuid_t>())};
    if (may_keep_rows(tenant.place(table.name)))
        check_none_kept(tenant, table, locked, meant, count);
    return deleted;
}

std::int64_t delete_of_episodes(const access::Tenant &tenant, const schema::Table &table,
                                std::span<const pg_uuid_t> episodes) {
    pg::ContextResource memory(CurrentMemoryContext);
    Text statement("DELETE FROM memory.", &memory);
    statement.append(table.name)
        .append(" t ")
        .append(of_tenant)
        .append(" AND t.episode_id ")
        .append(is_one_of_third);
    return static_cast<std::int64_t>(run(statement, {tenant, episodes}).size());
}

std::int64_t count_of(const access::Tenant &tenant, const schema::Table &table,
                      std::span<const pg_uuid_t> keys) {
    pg::ContextResource memory(CurrentMemoryContext);
    Text statement("SELECT pg_catalog.count(*) FROM memory.", &memory);
    statement.append(table.name)
        .append(" t ")
        .append(of_tenant)
        .append(table.of == schema::Of::store ? " AND t.store " : " AND t.session ")
        .append(is_one_of_third);
    return run(statement, {tenant, keys}).get<pg::Int8>(0);
}

} // namespace memory::lifecycle
