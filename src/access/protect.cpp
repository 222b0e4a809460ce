// memory.protect() and memory.unprotect(): two policies on every table with a user_id, both with
// the condition "the row's user_id is the session's identity". The permissive policy shows a
// session its rows; the restrictive one keeps policies that are added later from showing it more.
#include "access/protect.h"

#include "access/identity.h"
#include "access/owned_tables.h"
#include "access/sql.h"
#include "pg/error.h"
#include "pg/function.h"
#include "pg/memory.h"
#include "schema/make.h"
#include "schema/require.h"
#include "schema/rooms.h"

extern "C" {
#include "utils/acl.h"
#include "utils/builtins.h"
}

namespace memory::access {

namespace {

using Text = std::pmr::string;

// The default, and what it stands for: DROP EXTENSION … CASCADE would take policies along that call
// the extension's function.
constexpr std::string_view by_setting = "memory.current_user_id()";
constexpr std::string_view setting = "pg_catalog.current_setting('memory.user_id', true)";

// Which of the owner's tables have a user_id; whether they have each of our policies, and others.
constinit pg::Statement find_tables(R"(
    SELECT 'memory.' || quote_ident(c.relname), c.oid,
        EXISTS (SELECT FROM pg_catalog.pg_policy p
            WHERE p.polrelid = c.oid AND p.polname = 'memory_identity'),
        EXISTS (SELECT FROM pg_catalog.pg_policy p
            WHERE p.polrelid = c.oid AND p.polname = 'memory_identity_only'),
        EXISTS (SELECT FROM pg_catalog.pg_policy p
            WHERE p.polrelid = c.oid AND p.polname <> ALL ('{memory_identity,memory_identity_only}'))
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a
        ON a.attrelid = c.oid AND a.attname = 'user_id' AND NOT a.attisdropped
    WHERE {owners_table:c} AND c.relkind = ANY ('{r,p}'::"char"[]) ORDER BY 1)"_sql);

// The condition by which memory.episodes is protected; no row when it is not.
constinit pg::Statement find_condition(R"(
    SELECT pg_get_expr(p.polqual, p.polrelid) FROM pg_catalog.pg_policy p
    WHERE p.polrelid = 'memory.episodes'::regclass AND p.polname = 'memory_identity')"_sql);

struct Table {
    std::string_view name;
    Oid id;
    bool has_identity;
    bool has_identity_only;
    bool has_other_policies;
};

std::pmr::vector<Table> tables(std::pmr::memory_resource *memory) {
    const pg::Rows rows = find_tables.run(pg::SnapshotOf::now, {tables_owner()});
    std::pmr::vector<Table> found(memory);
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto [name, id, has_identity, has_identity_only, has_others] =
            rows.get<pg::Text, pg::ObjectId, pg::Bool, pg::Bool, pg::Bool>(row);
        found.push_back({pg::copied_text(name), id, has_identity, has_identity_only, has_others});
    }
    return found;
}

void add_removal(Text &script, const Table &table) {
    if (table.has_identity)
        add(script, {"DROP POLICY ", policy_name, " ON ", table.name});
    if (table.has_identity_only)
        add(script, {"DROP POLICY ", policy_name, "_only ON ", table.name});
}

void add_protection(Text &script, const Table &table, std::string_view condition) {
    add_removal(script, table);
    add(script, {"CREATE POLICY ", policy_name, " ON ", table.name, " USING (", condition, ")"});
    add(script, {"CREATE POLICY ", policy_name, "_only ON ", table.name, " AS RESTRICTIVE USING (",
                 condition, ")"});
    add(script, {"ALTER TABLE ", table.name, " ENABLE ROW LEVEL SECURITY"});
    add(script, {"ALTER TABLE ", table.name, " FORCE ROW LEVEL SECURITY"});
}

// Evaluated once per statement, not per row. A setting is '' after SET LOCAL has ended: that must
// match no row, and not those of the anonymous user.
Text condition_of(std::string_view identity, std::pmr::memory_resource *memory) {
    Text condition("user_id OPERATOR(pg_catalog.=) (SELECT nullif((", memory);
    condition += identity;
    condition += "\n)::pg_catalog.text, ''))";
    return condition;
}

// Tables of the rooms that belong to another role than memory.episodes.
constinit pg::Statement find_other_owner(R"(
    SELECT quote_ident(c.relname), quote_ident(pg_get_userbyid(c.relowner))
    FROM pg_catalog.pg_class c
    WHERE c.relnamespace = 'memory'::regnamespace AND c.relowner <> $1
        AND c.relname = ANY (string_to_array($2, ' ')) ORDER BY 1 LIMIT 1)"_sql);

// Before anything is looked at or changed: all tables are protected or none.
void check_is_owner() {
    const Ownership tables = ownership();
    if (!tables.acts_as_owner)
        throw pg::Error(ERRCODE_INSUFFICIENT_PRIVILEGE,
                        "permission denied to protect the memory tables")
            .hint("Their owner, %s, may, and a member of that role.", tables.quoted_owner);
    pg::ContextResource memory(CurrentMemoryContext);
    Text names(&memory);
    schema::each_table([&](const schema::Table &table) { names.append(table.name).append(" "); });
    const pg::Rows rows =
        find_other_owner.run(pg::SnapshotOf::now, {tables.owner, std::string_view(names)});
    if (rows.empty())
        return;
    const char *table = pg::c_string(rows.get<pg::Text>(0, 0));
    const char *other = pg::c_string(rows.get<pg::Text>(0, 1));
    throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                    "memory.%s belongs to %s, and memory.episodes to %s", table, other,
                    tables.quoted_owner)
        .hint("Give all tables of memory one owner: ALTER TABLE memory.%s OWNER TO %s.", table,
              tables.quoted_owner);
}

// What protect() does not reach, said to the role that would look in vain for its effect.
void tell_who_stands_outside() {
    pg::call([] {
        if (has_bypassrls_privilege(GetUserId()))
            ereport(NOTICE,
                    (errmsg("row-level security does not apply to role %s",
                            quote_identifier(GetUserNameFromId(GetUserId(), false))),
                     errdetail("Superusers and roles with BYPASSRLS stand outside of "
                               "memory.protect: they see and write the memories of all users."),
                     errhint("Let applications connect as another role.")));
    });
}

} // namespace

void protect_new_tables() {
    const pg::Rows rows = find_condition.run(pg::SnapshotOf::now, {});
    if (rows.empty())
        return;
    const std::string_view condition = pg::copied_text(rows.get<pg::Text>(0, 0));
    pg::ContextResource memory(CurrentMemoryContext);
    Text script(&memory);
    for (const Table &table : tables(&memory))
        if (!table.has_identity || !table.has_identity_only)
            add_protection(script, table, condition);
    if (!script.empty())
        pg::run_utility(script.c_str());
}

MEMORY_FUNCTION(memory_protect) {
    schema::require_all(schema::Need::to_write);
    const pg::Spi spi;
    check_is_owner();
    const auto identity = arguments.text(0);
    if (!identity)
        throw pg::Error(ERRCODE_NULL_VALUE_NOT_ALLOWED, "identity must not be null");
    schema::lock_tables();
    pg::ContextResource memory(CurrentMemoryContext);
    const std::pmr::vector<Table> protected_tables = tables(&memory);
    std::pmr::vector<Oid> ids(&memory);
    for (const Table &table : protected_tables)
        ids.push_back(table.id);
    const std::string_view asked = *identity == by_setting ? setting : *identity;
    check_identity(asked, ids);
    Text script(&memory);
    const Text condition = condition_of(asked, &memory);
    for (const Table &table : protected_tables)
        add_protection(script, table, condition);
    pg::run_utility(script.c_str());
    tell_who_stands_outside();
    return Datum{0};
}

MEMORY_FUNCTION(memory_unprotect) {
    schema::require_all(schema::Need::to_write);
    const pg::Spi spi;
    check_is_owner();
    schema::lock_tables();
    pg::ContextResource memory(CurrentMemoryContext);
    Text script(&memory);
    for (const Table &table : tables(&memory)) {
        if (!table.has_identity && !table.has_identity_only)
            continue;
        add_removal(script, table);
        // Policies that are not ours stay in force.
        if (table.has_other_policies)
            continue;
        add(script, {"ALTER TABLE ", table.name, " NO FORCE ROW LEVEL SECURITY"});
        add(script, {"ALTER TABLE ", table.name, " DISABLE ROW LEVEL SECURITY"});
    }
    if (!script.empty())
        pg::run_utility(script.c_str());
    return Datum{0};
}

} // namespace memory::access
