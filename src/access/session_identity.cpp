// Finds the identity's expression in the policy on memory.episodes, and evaluates it as it is
// there: already analyzed, so that no name in it is looked up again.
#include "access/session_identity.h"

#include "access/protect.h"
#include "pg/error.h"
#include "pg/handles.h"
#include "schema/relations.h"

extern "C" {
#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "rewrite/rewriteHandler.h"
#include "rewrite/rowsecurity.h"
#include "tcop/dest.h"
#include "tcop/tcopprot.h"
#include "utils/builtins.h"
#include "utils/rls.h"
}

namespace memory::access {

namespace {

// The condition of protect() is "user_id = (SELECT identity)": that query, or nullptr. Inside
// call().
Query *identity_query(Relation episodes) {
    const ListCell *cell;
    foreach (cell, episodes->rd_rsdesc == nullptr ? nullptr : episodes->rd_rsdesc->policies) {
        const auto *policy = static_cast<const RowSecurityPolicy *>(lfirst(cell));
        if (policy_name != policy->policy_name || policy->qual == nullptr ||
            !IsA(policy->qual, OpExpr))
            continue;
        const List *sides = reinterpret_cast<const OpExpr *>(policy->qual)->args;
        if (list_length(sides) != 2 || !IsA(lsecond(sides), SubLink))
            continue;
        return static_cast<Query *>(copyObjectImpl(lsecond_node(SubLink, sides)->subselect));
    }
    return nullptr;
}

// The one value of a query, as a text; nothing when it is NULL. Inside call().
std::optional<std::string_view> value_of(Query *query) {
    AcquireRewriteLocks(query, true, false);
    List *rewritten = QueryRewrite(query);
    PlannedStmt *plan = pg_plan_query(linitial_node(Query, rewritten), "", 0, nullptr);
    QueryDesc *running = CreateQueryDesc(plan, "", GetActiveSnapshot(), InvalidSnapshot,
                                         None_Receiver, nullptr, nullptr, 0);
    ExecutorStart(running, 0);
    std::optional<std::string_view> value;
    TupleTableSlot *row = ExecProcNode(running->planstate);
    bool is_null = true;
    const Datum identity = TupIsNull(row) ? Datum{0} : slot_getattr(row, 1, &is_null);
    if (!is_null)
        value = TextDatumGetCString(identity);
    ExecutorFinish(running);
    ExecutorEnd(running);
    FreeQueryDesc(running);
    return value;
}

} // namespace

SessionIdentity::SessionIdentity() {
    const Oid table = schema::table_named("episodes");
    if (!OidIsValid(table) ||
        pg::call([=] { return check_enable_rls(table, InvalidOid, true); }) != RLS_ENABLED)
        return;
    const pg::OpenRelation episodes(table, AccessShareLock);
    Query *query = pg::call([&] { return identity_query(episodes.get()); });
    if (query == nullptr)
        return; // policies of the owner's own
    is_protected_ = true;
    identity_ = pg::call([=] { return value_of(query); });
}

void SessionIdentity::refuse() const {
    if (!identity_)
        throw pg::Error(ERRCODE_INSUFFICIENT_PRIVILEGE,
                        "this session may write no memories: its identity is null "
                        "(memory.protect)");
    const pg::Quoted identity(*identity_);
    throw pg::Error(ERRCODE_INSUFFICIENT_PRIVILEGE,
                    "this session may only write the memories of \"%.*s\" (memory.protect)",
                    identity.length, identity.text);
}

} // namespace memory::access
