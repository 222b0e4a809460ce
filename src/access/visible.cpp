// Reads at most one row of a user, with row security. The plan is one for all users: one made for a
// user would depend on how many rows the user has.
#include "access/visible.h"

#include "schema/relations.h"

namespace memory::access {

namespace {

using pg::Statement;

constinit Statement find_episode("SELECT FROM memory.episodes"
                                 " WHERE namespace OPERATOR(pg_catalog.=) $1"
                                 " AND user_id OPERATOR(pg_catalog.=) $2 LIMIT 1",
                                 Statement::Planned::once);
constinit Statement find_fact("SELECT FROM memory.facts"
                              " WHERE namespace OPERATOR(pg_catalog.=) $1"
                              " AND user_id OPERATOR(pg_catalog.=) $2 LIMIT 1",
                              Statement::Planned::once);

bool hides_all(const char *table, Statement &find, const Tenant &tenant) {
    if (schema::readable_whole(schema::table_named(table))) [[likely]]
        return false;
    const std::array parameters{tenant.name_space_parameter(), tenant.user_parameter()};
    return find.run(parameters, pg::Access::read).empty();
}

} // namespace

bool hides_all_episodes(const Tenant &tenant) {
    return hides_all("episodes", find_episode, tenant);
}

bool hides_all_facts(const Tenant &tenant) { return hides_all("facts", find_fact, tenant); }

} // namespace memory::access
