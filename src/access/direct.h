// Statements about the rows of a tenant, which name its partitions where it pays (schema/direct.h).
#pragma once

#include "access/scope.h"
#include "schema/direct.h"

namespace memory::access {

inline pg::Statement &reading(pg::Statement &statement, const Tenant &tenant) {
    return schema::direct(statement, schema::Does::read, tenant.name_space, tenant.user);
}
inline pg::Statement &writing(pg::Statement &statement, const Tenant &tenant) {
    return schema::direct(statement, schema::Does::write, tenant.name_space, tenant.user);
}
inline pg::Statement &erasing(pg::Statement &statement, const Tenant &tenant) {
    return schema::direct(statement, schema::Does::erase, tenant.name_space, tenant.user);
}

} // namespace memory::access
