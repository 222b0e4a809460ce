// Who may touch the tables: three kinds of access, given and taken as a whole.
#include "pg/error.h"
#include "pg/function.h"
#include "pg/memory.h"
#include "pg/spi.h"
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

// "memory.episodes, memory.embeddings, …"
std::pmr::string all_tables(std::pmr::memory_resource *memory) {
    std::pmr::string list(memory);
    for (const char *table : setup::table_names()) {
        if (!list.empty())
            list += ", ";
        list += "memory.";
        list += table;
    }
    return list;
}

// The owner of the tables, and what the caller may do about them.
struct Ownership {
    Oid owner;
    const char *quoted_owner;
    bool acts_as_owner;
    bool may_grant;
};

Ownership ownership() {
    static constinit pg::Statement find(
        "SELECT relowner, pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(relowner)),"
        " pg_catalog.pg_has_role(relowner, 'USAGE'),"
        " pg_catalog.has_table_privilege(oid, 'SELECT WITH GRANT OPTION') "
        "FROM pg_catalog.pg_class "
        "WHERE oid OPERATOR(pg_catalog.=) 'memory.episodes'::pg_catalog.regclass");
    const pg::Rows rows = find.run({}, pg::Access::read);
    const Datum owner = *rows.value(0, 1);
    return {DatumGetObjectId(*rows.value(0, 0)),
            pg::call([owner] { return text_to_cstring(DatumGetTextPP(owner)); }),
            DatumGetBool(*rows.value(0, 2)), DatumGetBool(*rows.value(0, 3))};
}

void check_may_set_access(Oid role, const Ownership &tables) {
    if (!tables.may_grant)
        throw pg::Error(ERRCODE_INSUFFICIENT_PRIVILEGE, "permission denied to give or take access")
            .hint("Only the owner of the memory tables and roles with 'admin' access may.");
    if (role == tables.owner)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "role %s owns the memory tables",
                        tables.quoted_owner)
            .hint("An owner has every access; it cannot be given or taken.");
}

using Text = std::pmr::string;

void add(Text &script, std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts)
        script += part;
    script += ";\n";
}

void add_revoke(Text &script, const char *role, const Text &list, const char *owner) {
    add(script, {"REVOKE ALL ON ", list, " FROM ", role, " CASCADE"});
    add(script, {"REVOKE ALL ON SCHEMA memory FROM ", role, " CASCADE"});
    if (owner != nullptr)
        add(script, {"ALTER DEFAULT PRIVILEGES FOR ROLE ", owner,
                     " IN SCHEMA memory REVOKE ALL ON TABLES FROM ", role, " CASCADE"});
}

void add_grant(Text &script, const char *role, const Text &list, const char *owner,
               const Kind &kind) {
    add(script, {"GRANT USAGE ON SCHEMA memory TO ", role, kind.option});
    add(script, {"GRANT ", kind.privileges, " ON ", list, " TO ", role, kind.option});
    if (owner != nullptr)
        add(script, {"ALTER DEFAULT PRIVILEGES FOR ROLE ", owner, " IN SCHEMA memory GRANT ",
                     kind.privileges, " ON TABLES TO ", role, kind.option});
}

// Replaces what `role` may do by `kind`; by nothing when there is none.
void set_access(Oid role, const Kind *kind) {
    setup::require_tables(setup::Need::to_write);
    const pg::Spi spi;
    pg::ContextResource memory(CurrentMemoryContext);
    const Ownership found = ownership();
    check_may_set_access(role, found);
    const char *name = quoted_role(role);
    const Text list = all_tables(&memory);
    // Tables that a later init() makes belong to the owner, whose defaults only he may change.
    const char *owner = found.acts_as_owner ? found.quoted_owner : nullptr;
    Text script(&memory);
    add_revoke(script, name, list, owner);
    if (kind != nullptr)
        add_grant(script, name, list, owner, *kind);
    pg::run_utility(script.c_str());
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
