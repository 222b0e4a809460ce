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
#include "schema/partitions.h"
#include "schema/require.h"
#include "schema/rooms.h"
#include "schema/statistics.h"
#include "setup/dictionary.h"

extern "C" {
#include "access/twophase.h"
#include "commands/dbcommands.h"
#include "miscadmin.h"
#include "storage/lock.h"
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

// What this transaction makes stays locked to its end: of a table of users some eight things a
// partition (itself, what is behind its long values, its indexes, constraints and type), and as
// many of the whole. Ten leave some to other sessions.
void check_has_locks_for(int partitions) {
    int tables = 0;
    each_table([&](const Table &table) { tables += of_users(table) ? 1 : 0; });
    const int needed = 10 * tables * (partitions + 1);
    const int there = max_locks_per_xact * (MaxBackends + max_prepared_xacts);
    if (needed > there)
        throw pg::Error(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED,
                        "%d partitions need more locks than the server has", partitions)
            .hint("Set max_locks_per_transaction to %d or more, restart the server, and call "
                  "memory.init() again.",
                  max_locks_per_xact * (needed / there + 1));
}

// Tables of users get so many partitions; without a number as many as those have that are there.
void make_all(std::optional<int> partitions) {
    const pg::Spi spi;
    check_may_create();
    lock_tables();
    if (partitions)
        check_has_locks_for(*partitions);
    // What descriptions mean by a plain name is PostgreSQL's own, whatever the caller's path says.
    pg::LocalSettings settings;
    settings.set("search_path", "pg_catalog, pg_temp");
    const char *const vector = vector_schema();
    setup::KeptDictionary dictionary;
    const bool anew = partitions && drop_spread_otherwise(*partitions);
    if (anew)
        dictionary.all_indexes_are_new();
    const int count = partitions.value_or(partition_count());
    each_table([=](const Table &table) {
        if (make(table, vector, count) && !of_users(table))
            access::keep_for_admins(table.name);
    });
    dictionary.give_to_new_indexes();
    remove_statistics();
    access::protect_new_tables();
    if (anew)
        recall::make_vector_indexes();
}

} // namespace

void make_whole() { make_all(std::nullopt); }
void make_whole(int partitions) { make_all(partitions); }

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

MEMORY_CALL(memory_init, "dimensions bigint, partitions bigint") {
    const std::optional<int> dimensions =
        call.bigint("dimensions").within(1, pg::Vector::most_dimensions);
    const std::optional<int> partitions =
        call.bigint("partitions").within(1, schema::most_partitions);
    const bool is_new = !schema::some_exist();
    if (!dimensions || partitions || !only_declares())
        partitions ? schema::make_whole(*partitions) : schema::make_whole();
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
