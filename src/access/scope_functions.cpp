// The SQL face of the scope: reading it, setting it, and the defaults of our tables' columns.
#include "access/scope.h"
#include "pg/function_call.h"

extern "C" {
#include "access/xact.h"
#include "nodes/execnodes.h"
#include "tcop/pquery.h"
}

namespace memory::access {

namespace {

// The room `models` declares it; GetConfigOption and set_config_option take names.
constexpr const char *model_setting = "memory.embedding_model";

// NULL gives the setting back to what the role, the database or the configuration says.
void set_setting(const char *name, std::optional<std::string_view> value, bool local) {
    const char *setting = value ? pg::c_string(*value) : nullptr;
    pg::call([=] {
        set_config_option(name, setting, PGC_USERSET, PGC_S_SESSION,
                          local ? GUC_ACTION_LOCAL : GUC_ACTION_SET, true, 0, false);
    });
}

Datum text_or_null(pg::Arguments &arguments, std::optional<std::string_view> value) {
    return value ? pg::to_datum(*value) : arguments.null_result();
}

// In FROM the executor prefers a materialized set, in a select list it does not.
bool stands_in_from(const ReturnSetInfo &place) {
    return (place.allowedModes & SFRM_Materialize_Preferred) != 0;
}

// Whether the caller is the client's own statement. Statements that run inside a function or a DO
// block have another executor state than the portal, and others may follow in their transaction.
bool is_clients_statement(const ReturnSetInfo &place) {
    return ActivePortal != nullptr && ActivePortal->queryDesc != nullptr &&
           ActivePortal->queryDesc->estate == place.econtext->ecxt_estate;
}

// As SET LOCAL does: outside a transaction block the setting ends with the statement. In FROM that
// is meant, since the rest of the statement reads what was set.
void warn_unless_others_follow(const pg::Arguments &arguments) {
    const auto &place = *reinterpret_cast<const ReturnSetInfo *>(arguments.raw()->resultinfo);
    if (stands_in_from(place) || !is_clients_statement(place))
        return;
    pg::call([] {
        if (IsTransactionBlock() ||
            (static_cast<unsigned>(MyXactFlags) & XACT_FLAGS_PIPELINING) != 0)
            return;
        ereport(WARNING, (errcode(ERRCODE_NO_ACTIVE_SQL_TRANSACTION),
                          errmsg("this scope ends with this statement: is_local has no "
                                 "transaction block to be local to"),
                          errhint("BEGIN one first, or call set_scope in FROM of the statement "
                                  "that the scope is for.")));
    });
}

pg::Values scope() {
    const char *model = pg::call([] { return GetConfigOption(model_setting, true, false); });
    return {namespace_setting(), user_setting(), agent_setting(), session_setting(),
            model == nullptr || *model == '\0' ? std::nullopt
                                               : std::optional<std::string_view>(model)};
}

} // namespace

MEMORY_FUNCTION(memory_current_user_id) { return text_or_null(arguments, user_setting()); }

MEMORY_CALL(memory_set_scope, "user_id text, agent_id text, session_id text, namespace text, "
                              "is_local boolean, model text") {
    const bool local = call.boolean("is_local").or_else(false);
    pg::ResultSet rows(call.arguments());
    if (local)
        warn_unless_others_follow(call.arguments());
    set_setting("memory.user_id", call.text("user_id"), local);
    set_setting("memory.agent_id", call.text("agent_id"), local);
    set_setting("memory.session_id", call.text("session_id"), local);
    set_setting("memory.namespace", call.text("namespace"), local);
    set_setting(model_setting, call.text("model"), local);
    rows.add(scope());
    return call.nothing();
}

MEMORY_FUNCTION(memory_scope) {
    pg::ResultSet(arguments).add(scope());
    return Datum{0};
}

MEMORY_FUNCTION(memory_default_namespace) { return pg::to_datum(namespace_setting()); }
MEMORY_FUNCTION(memory_default_user_id) { return pg::to_datum(tenant(std::nullopt).user); }
MEMORY_FUNCTION(memory_default_agent_id) { return text_or_null(arguments, agent_setting()); }
MEMORY_FUNCTION(memory_default_session_id) { return text_or_null(arguments, session_setting()); }

} // namespace memory::access
