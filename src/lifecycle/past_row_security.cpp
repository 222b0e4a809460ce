// Acting as the owner of the tables.
#include "lifecycle/past_row_security.h"

#include "access/owned_tables.h"
#include "pg/error.h"

extern "C" {
#include "utils/plancache.h"
}

namespace memory::lifecycle {

namespace {

Oid checked_owner(const char *function) {
    const access::Ownership tables = access::ownership();
    if (!tables.acts_as_owner && !tables.is_admin)
        throw pg::Error(ERRCODE_INSUFFICIENT_PRIVILEGE, "permission denied for function %s",
                        function)
            .hint("It is for the owner of the memory tables and for roles with 'admin' access.");
    return tables.owner;
}

} // namespace

PastRowSecurity::PastRowSecurity(const char *function)
    : owner_(checked_owner(function), SECURITY_LOCAL_USERID_CHANGE | SECURITY_NOFORCE_RLS) {
    pg::call([] { ResetPlanCache(); });
}

PastRowSecurity::~PastRowSecurity() { ResetPlanCache(); }

} // namespace memory::lifecycle
