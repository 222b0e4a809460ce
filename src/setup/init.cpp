// memory.init(): makes what is missing of the tables, one session at a time.
#include "access/owned_tables.h"
#include "access/protect.h"
#include "models/models.h"
#include "models/tasks.h"
#include "pg/error.h"
#include "pg/function_call.h"
#include "pg/local_settings.h"
#include "pg/spi.h"
#include "recall/vector_index.h"
#include "schema/make.h"
#include "schema/require.h"
#include "schema/rooms.h"
#include "schema/statistics.h"
#include "setup/dictionary.h"

extern "C" {
#include "commands/dbcommands.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/guc.h"
}

namespace memory::schema {

namespace {

// Before the lock is asked for, so that a role without rights cannot hold up those that have them.
void check_may_create() {
    if (!may_make())
        throw pg::Error(ERRCODE_INSUFFICIENT_PRIVILEGE, "permission denied for schema memory")
            .hint("memory.init() is for the owner of schema memory.");
}

} // namespace

void make_whole() {
    const pg::Spi spi;
    check_may_create();
    lock_tables();
    // What descriptions mean by a plain name is PostgreSQL's own, whatever the caller's path says.
    pg::LocalSettings settings;
    settings.set("search_path", "pg_catalog, pg_temp");
    const char *const vector = vector_schema();
    const setup::KeptDictionary dictionary;
    each_table([vector](const Table &table) {
        if (make(table, vector) && !of_users(table))
            access::keep_for_admins(table.name);
    });
    dictionary.give_to_new_indexes();
    remove_statistics();
    access::protect_new_tables();
}

} // namespace memory::schema

namespace memory::setup {

namespace {

// An admin declares dimensions where the tables are there, and makes none.
bool only_declares() {
    if (!schema::some_exist())
        return false;
    const pg::Spi spi;
    return !schema::may_make() && access::ownership().is_admin;
}

bool is_preloaded(const char *setting) {
    const char *libraries = pg::call([=] { return GetConfigOption(setting, true, false); });
    return libraries != nullptr && std::strstr(libraries, "memory") != nullptr;
}

// Once, when the tables are new: what a session does not know before its first call.
void tell_when_settings_are_known() {
    if (is_preloaded("session_preload_libraries") || is_preloaded("shared_preload_libraries"))
        return;
    pg::call([] {
        ereport(NOTICE, (errmsg("a session knows the settings memory.* from its first call on"),
                         errhint("To know and check them from its beginning: ALTER DATABASE %s SET "
                                 "session_preload_libraries = 'memory', as a superuser.",
                                 quote_identifier(get_database_name(MyDatabaseId)))));
    });
}

} // namespace

MEMORY_CALL(memory_init, "dimensions bigint") {
    const std::optional<int> dimensions =
        call.bigint("dimensions").within(1, pg::Vector::most_dimensions);
    const bool is_new = !schema::some_exist();
    if (!dimensions || !only_declares())
        schema::make_whole();
    if (dimensions) {
        const pg::Spi spi;
        const std::string_view model =
            models::in_use(access::namespace_setting(), std::nullopt).name;
        models::declare_dimensions(model, *dimensions);
        recall::make_vector_index(model, *dimensions);
    }
    if (is_new)
        tell_when_settings_are_known();
    return call.nothing();
}

} // namespace memory::setup
