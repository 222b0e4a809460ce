// Reads the owner of the tables from the catalog, and runs GRANT and REVOKE statements about them.
#include "access/owned_tables.h"

#include "access/sql.h"
#include "pg/error.h"
#include "pg/memory.h"
#include "schema/relations.h"

extern "C" {
#include "utils/acl.h"
}

namespace memory::access {

// Not by a statement: the one that runs may have made the tables.
Oid tables_owner() { return schema::owner_of("episodes"); }

Ownership ownership() {
    static constinit pg::Statement find(R"(
        SELECT quote_ident(pg_get_userbyid($1)), pg_has_role($1, 'USAGE'),
            coalesce(bool_and(has_table_privilege(c.oid, p || ' WITH GRANT OPTION')), false)
        FROM pg_catalog.pg_class c,
            unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[]) p
        WHERE {owners_table:c})"_sql);
    const Oid owner = tables_owner();
    const pg::Rows rows = find.run(pg::SnapshotOf::now, {owner});
    return {owner, pg::c_string(rows.get<pg::Text>(0, 0)), rows.get<pg::Bool>(0, 1),
            rows.get<pg::Bool>(0, 2)};
}

namespace {

bool has_rights(const char *table, AclMode rights) {
    const Oid id = schema::require_table(table);
    return pg::call([=] { return pg_class_aclmask(id, GetUserId(), rights, ACLMASK_ALL); }) ==
           rights;
}

} // namespace

// By a right that lets a role read nothing, and that others are not given.
void check_may_do_jobs() {
    if (!has_rights("model_tasks", ACL_REFERENCES))
        throw pg::Error(ERRCODE_INSUFFICIENT_PRIVILEGE, "permission denied to do jobs")
            .hint("Jobs are done by roles with 'worker' or 'admin' access, and by the owner of the "
                  "memory tables.");
}

void check_may_write_shared(const char *table, const char *what) {
    if (!has_rights(table, ACL_INSERT | ACL_UPDATE))
        throw pg::Error(ERRCODE_INSUFFICIENT_PRIVILEGE, "permission denied for table %s", table)
            .hint("%s by the owner of the memory tables and by roles with 'admin' access.", what);
}

void keep_for_admins(const char *table) {
    static constinit pg::Statement find(R"(
        SELECT DISTINCT CASE WHEN a.grantee = 0 THEN 'PUBLIC'
            ELSE quote_ident(pg_get_userbyid(a.grantee)) END
        FROM pg_catalog.pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a
        WHERE c.oid = $1 AND NOT a.is_grantable AND a.grantee <> c.relowner
            AND a.privilege_type = ANY ('{INSERT,UPDATE,DELETE}'))"_sql);
    const pg::Rows rows = find.run(pg::SnapshotOf::now, {schema::table_named(table)});
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::string script(&memory);
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        add(script, {"REVOKE INSERT, UPDATE, DELETE ON memory.", table, " FROM ",
                     pg::copied_text(rows.get<pg::Text>(row, 0))});
    if (!script.empty())
        pg::run_utility(script.c_str());
}

void add(std::pmr::string &script, std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts)
        script += part;
    script += ";\n";
}

} // namespace memory::access
