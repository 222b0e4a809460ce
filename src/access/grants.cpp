// memory.grant_access() and memory.revoke_access(): four kinds of access to the tables, granted
// and revoked as a whole.
#include "access/owned_tables.h"
#include "access/sql.h"
#include "pg/error.h"
#include "pg/function.h"
#include "pg/handles.h"
#include "pg/memory.h"
#include "schema/make.h"
#include "schema/require.h"

namespace memory::access {

namespace {

// A worker reads no table: the functions that do jobs know it by a right on one of them
// (owned_tables.h), by which nothing can be read.
struct Kind {
    std::string_view name;
    const char *privileges; // empty: none
    const char *on_shared;  // on tables that all users share
    const char *option;
};

constexpr std::string_view workers_table = "memory.model_tasks";
constexpr std::string_view workers_right = "REFERENCES";

constexpr Kind kinds[] = {
    {"reader", "SELECT", "SELECT", ""},
    {"writer", "SELECT, INSERT, UPDATE, DELETE", "SELECT", ""},
    {"admin", "ALL", "ALL", " WITH GRANT OPTION"},
    {"worker", "", "", ""},
};

const Kind &kind_named(std::string_view name) {
    for (const Kind &kind : kinds)
        if (kind.name == name)
            return kind;
    const pg::Quoted given(name);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "access \"%.*s\" is unknown", given.length,
                    given.text)
        .hint("It is one of reader, writer, admin, worker.");
}

// The quoted name of an existing role.
const char *quoted_role(Oid role) {
    return pg::call([role] { return quote_identifier(GetUserNameFromId(role, false)); });
}

const char *c_string(const pg::Rows &rows, int column) {
    return pg::c_string(rows.get<pg::Text>(0, column));
}

using Text = std::pmr::string;

// The owner's tables, as GRANT lists them.
struct Lists {
    std::string_view others; // than the shared ones: "memory.embeddings, memory.episodes, …"
    std::string_view shared; // empty when there is none yet
};

std::string_view list_of_tables(Oid owner, bool shared, std::pmr::memory_resource *memory) {
    static constinit pg::Statement find(R"(
        SELECT coalesce(string_agg('memory.' || quote_ident(c.relname), ', ' ORDER BY c.relname), '')
        FROM pg_catalog.pg_class c
        WHERE {owners_table:c} AND (c.relname = ANY (string_to_array($2, ' '))) = $3)"_sql);
    Text names(memory);
    schema::each_table([&](const schema::Table &table) {
        if (!schema::of_users(table))
            names.append(table.name).append(" ");
    });
    return c_string(find.run(pg::SnapshotOf::now, {owner, std::string_view(names), shared}), 0);
}

void check_may_set_access(Oid role, const Ownership &tables) {
    if (!tables.acts_as_owner && !tables.is_admin)
        throw pg::Error(ERRCODE_INSUFFICIENT_PRIVILEGE,
                        "permission denied to grant or revoke access")
            .hint("Only the owner of the memory tables and roles with 'admin' access may.");
    if (role == tables.owner)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "role %s owns the memory tables",
                        tables.quoted_owner)
            .hint("The owner has every access; it is neither granted nor revoked.");
}

Text revocation(const char *role, const Lists &tables, const char *owner,
                std::pmr::memory_resource *memory) {
    Text script(memory);
    for (const std::string_view list : {tables.others, tables.shared})
        if (!list.empty())
            add(script, {"REVOKE ALL ON ", list, " FROM ", role, " CASCADE"});
    add(script, {"REVOKE ALL ON SCHEMA memory FROM ", role, " CASCADE"});
    add(script, {"ALTER DEFAULT PRIVILEGES FOR ROLE ", owner,
                 " IN SCHEMA memory REVOKE ALL ON TABLES FROM ", role, " CASCADE"});
    return script;
}

// Default privileges are those on tables that are not shared; init() takes care of the others.
Text grant(const char *role, const Lists &tables, const char *owner, const Kind &kind,
           std::pmr::memory_resource *memory) {
    Text script(memory);
    add(script, {"GRANT USAGE ON SCHEMA memory TO ", role, kind.option});
    if (*kind.privileges == '\0') {
        add(script, {"GRANT ", workers_right, " ON ", workers_table, " TO ", role});
        return script;
    }
    add(script, {"GRANT ", kind.privileges, " ON ", tables.others, " TO ", role, kind.option});
    if (!tables.shared.empty())
        add(script, {"GRANT ", kind.on_shared, " ON ", tables.shared, " TO ", role, kind.option});
    add(script, {"ALTER DEFAULT PRIVILEGES FOR ROLE ", owner, " IN SCHEMA memory GRANT ",
                 kind.privileges, " ON TABLES TO ", role, kind.option});
    return script;
}

// Default privileges stay with the role that gave them, also where its tables have got another
// owner (REASSIGN OWNED). Takes those away that the current user may; returns the quoted name of a
// role whose default privileges are left, or nullptr.
const char *take_defaults_of_others(Oid role, const char *name, Oid owner,
                                    std::pmr::memory_resource *memory) {
    static constinit pg::Statement find(R"(
        SELECT DISTINCT quote_ident(pg_get_userbyid(d.defaclrole)),
            pg_has_role(d.defaclrole, 'USAGE')
        FROM pg_catalog.pg_default_acl d CROSS JOIN LATERAL aclexplode(d.defaclacl) a
        WHERE d.defaclnamespace = 'memory'::regnamespace AND d.defaclobjtype = 'r'
            AND d.defaclrole <> $1 AND a.grantee = $2)"_sql);
    const pg::Rows rows = find.run(pg::SnapshotOf::now, {owner, role});
    Text script(memory);
    const char *left = nullptr;
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const char *giver = pg::c_string(rows.get<pg::Text>(row, 0));
        if (rows.get<pg::Bool>(row, 1))
            add(script, {"ALTER DEFAULT PRIVILEGES FOR ROLE ", giver,
                         " IN SCHEMA memory REVOKE ALL ON TABLES FROM ", name, " CASCADE"});
        else
            left = giver;
    }
    if (!script.empty())
        pg::run_utility(script.c_str());
    return left;
}

[[noreturn]] void throw_defaults_left(const char *name, const char *giver) {
    throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                    "role %s has default privileges in schema memory that role %s granted", name,
                    giver)
        .hint("As that role or a superuser: ALTER DEFAULT PRIVILEGES FOR ROLE %s IN SCHEMA memory "
              "REVOKE ALL ON TABLES FROM %s.",
              giver, name);
}

// REVOKE takes what its own grantor gave. What another role has granted by hand must not look
// taken.
void check_nothing_is_left(Oid role, const char *name, Oid owner) {
    static constinit pg::Statement find(R"(
        SELECT c.oid::regclass::text, quote_ident(pg_get_userbyid(a.grantor))
        FROM pg_catalog.pg_class c CROSS JOIN LATERAL (
                SELECT c.relacl AS acl UNION ALL SELECT t.attacl FROM pg_catalog.pg_attribute t
                WHERE t.attrelid = c.oid AND NOT t.attisdropped) held
            CROSS JOIN LATERAL aclexplode(held.acl) a
        WHERE a.grantee = $2 AND {owners_table:c} ORDER BY 1, 2 LIMIT 1)"_sql);
    const pg::Rows rows = find.run(pg::SnapshotOf::now, {owner, role});
    if (!rows.empty())
        throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                        "role %s has privileges on table %s that role %s granted", name,
                        c_string(rows, 0), c_string(rows, 1))
            .hint("REVOKE them as that role, or take that role's access first.");
}

// Replaces the privileges of `role` by those of `kind`; none if that is null. The owner is always
// the grantor, so that the owner and every admin can revoke what any of them has granted.
void set_access(Oid role, const Kind *kind) {
    schema::require_all(schema::Need::to_write);
    const pg::Spi spi;
    const Ownership tables = ownership();
    check_may_set_access(role, tables);
    schema::lock_tables();
    pg::ContextResource memory(CurrentMemoryContext);
    const char *name = quoted_role(role);
    const Lists lists{list_of_tables(tables.owner, false, &memory),
                      list_of_tables(tables.owner, true, &memory)};
    const InOwnersPlace owner(tables);
    pg::run_utility(revocation(name, lists, tables.quoted_owner, &memory).c_str());
    check_nothing_is_left(role, name, tables.owner);
    const char *giver = take_defaults_of_others(role, name, tables.owner, &memory);
    if (kind == nullptr && giver != nullptr)
        throw_defaults_left(name, giver);
    if (kind != nullptr)
        pg::run_utility(grant(name, lists, tables.quoted_owner, *kind, &memory).c_str());
}

} // namespace

MEMORY_FUNCTION(memory_grant_access) {
    const Kind &kind = kind_named(*arguments.text(1));
    set_access(DatumGetObjectId(arguments.datum(0)), &kind);
    return Datum{0};
}

MEMORY_FUNCTION(memory_revoke_access) {
    set_access(DatumGetObjectId(arguments.datum(0)), nullptr);
    return Datum{0};
}

} // namespace memory::access
