// Reads at most one row of a user, with row security. The plan is one for all users: one made for a
// user would depend on how many rows the user has.
#include "access/visible.h"

#include "access/sql.h"
#include "pg/statement.h"
#include "schema/relations.h"

namespace memory::access {

namespace {

using pg::Statement;

MEMORY_STATEMENT(find_episode, "SELECT 1 FROM memory.episodes e WHERE {tenant:e} LIMIT 1"_sql,
                 Statement::once);
MEMORY_STATEMENT(find_fact, "SELECT 1 FROM memory.facts f WHERE {tenant:f} LIMIT 1"_sql,
                 Statement::once);
MEMORY_STATEMENT(find_item, "SELECT 1 FROM memory.items i WHERE {tenant:i} LIMIT 1"_sql,
                 Statement::once);

bool hides_all(const char *table, Statement &find, const Tenant &tenant) {
    if (schema::readable_whole(schema::table_named(table))) [[likely]]
        return false;
    return find.run(pg::SnapshotOf::caller, {tenant}).empty();
}

} // namespace

bool hides_all_episodes(const Tenant &tenant) {
    return hides_all("episodes", find_episode, tenant);
}

bool hides_all_facts(const Tenant &tenant) { return hides_all("facts", find_fact, tenant); }

bool hides_all_items(const Tenant &tenant) { return hides_all("items", find_item, tenant); }

} // namespace memory::access
