// Reads at most one row of a user, with row security. The plan is one for all users: one made for a
// user would depend on how many rows the user has.
#include "access/visible.h"

#include "access/sql.h"
#include "pg/statement.h"
#include "schema/relations.h"

extern "C" {
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "rewrite/rowsecurity.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
}

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

// Whether a policy's condition is the same for all rows of a user: whatever else it asks, of a row
// it asks for namespace and user. Inside call().
bool is_of_users(Relation table, Node *condition) {
    if (contain_volatile_functions(condition))
        return false;
    const ListCell *cell;
    foreach (cell, pull_vars_of_level(condition, 0)) {
        const Node *node = static_cast<const Node *>(lfirst(cell));
        if (!IsA(node, Var))
            return false;
        const AttrNumber column = reinterpret_cast<const Var *>(node)->varattno;
        if (column != get_attnum(RelationGetRelid(table), "namespace") &&
            column != get_attnum(RelationGetRelid(table), "user_id"))
            return false;
    }
    return true;
}

// Inside call().
bool policies_ask_for_users_alone(Relation table) {
    if (row_security_policy_hook_permissive != nullptr ||
        row_security_policy_hook_restrictive != nullptr || table->rd_rsdesc == nullptr)
        return false;
    const ListCell *cell;
    foreach (cell, table->rd_rsdesc->policies) {
        const auto *policy = static_cast<const RowSecurityPolicy *>(lfirst(cell));
        const bool reading = policy->polcmd == '*' || policy->polcmd == ACL_SELECT_CHR;
        if (reading && !is_of_users(table, reinterpret_cast<Node *>(policy->qual)))
            return false;
    }
    return true;
}

} // namespace

bool reads_whole_users(Oid table) {
    if (schema::readable_whole(table)) [[likely]]
        return true;
    if (pg::call([table] { return pg_class_aclcheck(table, GetUserId(), ACL_SELECT); }) !=
        ACLCHECK_OK)
        return false;
    const pg::OpenRelation open(table, AccessShareLock);
    return pg::call([&] { return policies_ask_for_users_alone(open.get()); });
}

bool hides_all_episodes(const Tenant &tenant) {
    return hides_all("episodes", find_episode, tenant);
}

bool hides_all_facts(const Tenant &tenant) { return hides_all("facts", find_fact, tenant); }

bool hides_all_items(const Tenant &tenant) { return hides_all("items", find_item, tenant); }

} // namespace memory::access
