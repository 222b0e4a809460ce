// The SQL face of the scope: reading it, setting it, and the defaults of our tables' columns.
#include "access/scope.h"
#include "pg/rows.h"

namespace memory::access {

namespace {

// NULL gives the setting back to what the role, the database or the configuration says.
void set_setting(const char *name, std::optional<Datum> value, bool local) {
    pg::call([&] {
        const char *setting = value ? text_to_cstring(DatumGetTextPP(*value)) : nullptr;
        set_config_option(name, setting, PGC_USERSET, PGC_S_SESSION,
                          local ? GUC_ACTION_LOCAL : GUC_ACTION_SET, true, 0, false);
    });
}

Datum text_or_null(pg::Arguments &arguments, std::optional<std::string_view> value) {
    return value ? pg::to_datum(*value) : arguments.null_result();
}

} // namespace

MEMORY_FUNCTION(memory_current_user_id) { return text_or_null(arguments, user_setting()); }

MEMORY_FUNCTION(memory_set_scope) {
    const bool local = DatumGetBool(arguments.optional(4).value_or(BoolGetDatum(false)));
    set_setting("memory.user_id", arguments.optional(0), local);
    set_setting("memory.agent_id", arguments.optional(1), local);
    set_setting("memory.session_id", arguments.optional(2), local);
    set_setting("memory.namespace", arguments.optional(3), local);
    return Datum{0};
}

MEMORY_FUNCTION(memory_scope) {
    const std::array<std::optional<std::string_view>, 4> parts{namespace_setting(), user_setting(),
                                                               agent_setting(), session_setting()};
    std::array<Datum, 4> values{};
    std::array<bool, 4> nulls{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        nulls[i] = !parts[i];
        if (parts[i])
            values[i] = pg::to_datum(*parts[i]);
    }
    return pg::composite_datum(arguments, values, nulls);
}

MEMORY_FUNCTION(memory_default_namespace) { return pg::to_datum(namespace_setting()); }
MEMORY_FUNCTION(memory_default_user_id) { return pg::to_datum(tenant(std::nullopt).user); }
MEMORY_FUNCTION(memory_default_agent_id) { return text_or_null(arguments, agent_setting()); }
MEMORY_FUNCTION(memory_default_session_id) { return text_or_null(arguments, session_setting()); }

} // namespace memory::access
