// See tables.h.
#include "access/tables.h"

#include "pg/call.h"
#include "pg/error.h"

extern "C" {
#include "utils/acl.h"
#include "utils/rls.h"
}

namespace memory::access {

Oid table_named(const char *name) {
    return pg::call([name] { return get_relname_relid(name, get_namespace_oid("memory", false)); });
}

Oid index_named(const char *name) {
    const Oid found = table_named(name);
    if (!OidIsValid(found))
        throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, "index memory.%s is missing",
                        name)
            .hint("Run SELECT memory.init(); as the owner of schema memory.");
    return found;
}

AttrNumber column(Relation table, const char *name) {
    const AttrNumber found = pg::call([=] { return get_attnum(RelationGetRelid(table), name); });
    if (found == InvalidAttrNumber)
        throw pg::Error(ERRCODE_UNDEFINED_COLUMN, "column \"%s\" of memory.%s is missing", name,
                        RelationGetRelationName(table));
    return found;
}

Oid primary_key(Relation table) {
    return pg::call([table] {
        RelationGetIndexList(table);
        return table->rd_pkindex;
    });
}

bool readable_whole(Oid table) {
    return pg::call([table] {
        return pg_class_aclcheck(table, GetUserId(), ACL_SELECT) == ACLCHECK_OK &&
               check_enable_rls(table, InvalidOid, false) != RLS_ENABLED;
    });
}

} // namespace memory::access
