// Who may touch the tables: three kinds of access, given and taken as a whole.
#include "access/owned_tables.h"
#include "pg/error.h"
#include "pg/function.h"
#include "pg/handles.h"
#include "pg/memory.h"
#include "setup/schema.h"

namespace memory::access {

namespace {

struct Kind {
    std::string_view name;
    const char *privileges;
    const char *option;
};

constexpr Kind kinds[] = {
    {"reader", "SELECT", ""},
    {"writer", "SELECT, INSERT, UPDATE, DELETE", ""},
    {"admin", "ALL", " WITH GRANT OPTION"},
};

const Kind &kind_named(std::string_view name) {
    for (const Kind &kind : kinds)
        if (kind.name == name)
            return kind;
    const pg::Quoted given(name);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "access \"%.*s\" is unknown", given.length,
                    given.text)
        .hint("It is one of reader, writer, admin.");
}

// The quoted name of an existing role.
const char *quoted_role(Oid role) {
    return pg::call([role] { return quote_identifier(GetUserNameFromId(role, false)); });
}

const char *c_string(Datum value) {
    return pg::call([value] { return text_to_cstring(DatumGetTextPP(value)); });
}

using Text = std::pmr::string;

// The owner of the tables, and what the caller may do about them.
struct Ownership {
    Oid owner;
    const char *quoted_owner;
    bool acts_as_owner;
    bool is_admin;
};

// An admin is who may grant everything, as grant_access makes one: not who happens to have a grant
// option on something.
Ownership ownership() {
    static constinit pg::Statement find(
        "SELECT pg_catalog.quote_ident(pg_catalog.pg_get_userbyid($1)),"
        " pg_catalog.pg_has_role($1, 'USAGE'),"
        " pg_catalog.bool_and(pg_catalog.has_table_privilege(c.oid,"
        "  p OPERATOR(pg_catalog.||) ' WITH GRANT OPTION')) "
        "FROM pg_catalog.pg_class c, pg_catalog.unnest("
        " '{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::pg_catalog.text[]) p "
        "WHERE" OWNERS_TABLES);
    const Oid owner = tables_owner();
    const std::array parameters{pg::Parameter::of(OIDOID, ObjectIdGetDatum(owner))};
    const pg::Rows rows = find.run(parameters, pg::Access::read);
    return {owner, c_string(*rows.value(0, 0)), DatumGetBool(*rows.value(0, 1)),
            DatumGetBool(*rows.value(0, 2))};
}

// "memory.embeddings, memory.episodes, …"
std::string_view list_of_tables(Oid owner) {
    static constinit pg::Statement find(
        "SELECT pg_catalog.string_agg('memory.' OPERATOR(pg_catalog.||)"
        " pg_catalog.quote_ident(c.relname), ', ' ORDER BY c.relname) "
        "FROM pg_catalog.pg_class c WHERE" OWNERS_TABLES);
    const std::array parameters{pg::Parameter::of(OIDOID, ObjectIdGetDatum(owner))};
    return c_string(*find.run(parameters, pg::Access::write).value(0, 0));
}

void check_may_set_access(Oid role, const Ownership &tables) {
    if (!tables.acts_as_owner && !tables.is_admin)
        throw pg::Error(ERRCODE_INSUFFICIENT_PRIVILEGE, "permission denied to give or take access")
            .hint("Only the owner of the memory tables and roles with 'admin' access may.");
    if (role == tables.owner)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "role %s owns the memory tables",
                        tables.quoted_owner)
            .hint("An owner has every access; it cannot be given or taken.");
}

Text revocation(const char *role, std::string_view list, const char *owner,
                std::pmr::memory_resource *memory) {
    Text script(memory);
    add(script, {"REVOKE ALL ON ", list, " FROM ", role, " CASCADE"});
    add(script, {"REVOKE ALL ON SCHEMA memory FROM ", role, " CASCADE"});
    add(script, {"ALTER DEFAULT PRIVILEGES FOR ROLE ", owner,
                 " IN SCHEMA memory REVOKE ALL ON TABLES FROM ", role, " CASCADE"});
    return script;
}

Text grant(const char *role, std::string_view list, const char *owner, const Kind &kind,
           std::pmr::memory_resource *memory) {
    Text script(memory);
    add(script, {"GRANT USAGE ON SCHEMA memory TO ", role, kind.option});
    add(script, {"GRANT ", kind.privileges, " ON ", list, " TO ", role, kind.option});
    add(script, {"ALTER DEFAULT PRIVILEGES FOR ROLE ", owner, " IN SCHEMA memory GRANT ",
                 kind.privileges, " ON TABLES TO ", role, kind.option});
    return script;
}

// REVOKE takes what its own grantor gave. What another role has granted by hand must not look
// taken.
void check_nothing_is_left(Oid role, const char *name, Oid owner) {
    static constinit pg::Statement find(
        "SELECT c.oid::pg_catalog.regclass::pg_catalog.text,"
        " pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(a.grantor)) "
        "FROM pg_catalog.pg_class c CROSS JOIN LATERAL pg_catalog.aclexplode(c.relacl) a "
        "WHERE a.grantee OPERATOR(pg_catalog.=) $2 AND" OWNERS_TABLES "ORDER BY 1, 2 LIMIT 1");
    const std::array parameters{pg::Parameter::of(OIDOID, ObjectIdGetDatum(owner)),
                                pg::Parameter::of(OIDOID, ObjectIdGetDatum(role))};
    const pg::Rows rows = find.run(parameters, pg::Access::write);
    if (!rows.empty())
        throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                        "role %s has privileges on table %s that role %s granted", name,
                        c_string(*rows.value(0, 0)), c_string(*rows.value(0, 1)))
            .hint("REVOKE them as that role, or take that role's access first.");
}

// Replaces what `role` may do by `kind`; by nothing when there is none. Whoever asks, the owner is
// the grantor: so that the owner and every admin can take what any of them gave.
void set_access(Oid role, const Kind *kind) {
    setup::require_tables(setup::Need::to_write);
    const pg::Spi spi;
    const Ownership tables = ownership();
    check_may_set_access(role, tables);
    setup::lock_tables();
    pg::ContextResource memory(CurrentMemoryContext);
    const char *name = quoted_role(role);
    const std::string_view list = list_of_tables(tables.owner);
    std::optional<pg::ActingAs> owner;
    if (!tables.acts_as_owner)
        owner.emplace(tables.owner);
    pg::run_utility(revocation(name, list, tables.quoted_owner, &memory).c_str());
    check_nothing_is_left(role, name, tables.owner);
    if (kind != nullptr)
        pg::run_utility(grant(name, list, tables.quoted_owner, *kind, &memory).c_str());
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
