// Acting as the owner of the tables.
#include "lifecycle/past_row_security.h"

#include "access/owned_tables.h"
#include "pg/error.h"

extern "C" {
#include "catalog/pg_authid.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/plancache.h"
}

namespace memory::lifecycle {

namespace {

using Of = PastRowSecurity::Of;

bool may_monitor() {
    return pg::call([] { return has_privs_of_role(GetUserId(), ROLE_PG_MONITOR); });
}

Oid checked_owner(const char *name, Of what) {
    const access::Ownership tables = access::ownership();
    if (tables.acts_as_owner || tables.is_admin || (what == Of::view && may_monitor()))
        return tables.owner;
    throw pg::Error(ERRCODE_INSUFFICIENT_PRIVILEGE, "permission denied for %s %s",
                    what == Of::view ? "view" : "function", name)
        .hint("It is for %sthe owner of the memory tables and for roles with 'admin' access.",
              what == Of::view ? "members of pg_monitor, for " : "");
}

} // namespace

PastRowSecurity::PastRowSecurity(const char *name, Of what)
    : owner_(checked_owner(name, what), SECURITY_LOCAL_USERID_CHANGE | SECURITY_NOFORCE_RLS) {
    pg::call([] { ResetPlanCache(); });
}

PastRowSecurity::~PastRowSecurity() { ResetPlanCache(); }

} // namespace memory::lifecycle
