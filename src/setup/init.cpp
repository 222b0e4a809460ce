// memory.init(): makes what is missing of the tables, one session at a time.
#include "access/owned_tables.h"
#include "access/protect.h"
#include "access/tables.h"
#include "episodes/models.h"
#include "episodes/tables.h"
#include "facts/tables.h"
#include "pg/error.h"
#include "pg/function_call.h"
#include "pg/handles.h"
#include "pg/local_settings.h"
#include "pg/memory.h"
#include "pg/spi.h"
#include "recall/vector_index.h"
#include "setup/schema.h"
#include "setup/statistics.h"

extern "C" {
#include "catalog/pg_constraint.h"
#include "catalog/pg_namespace.h"
#include "commands/trigger.h"
#include "utils/inval.h"
}

namespace memory::setup {

namespace {

// How often a relation may have been made, renamed or dropped, as far as this backend knows; and
// how often when all tables were seen.
constinit std::uint64_t changes = 1;
constinit std::uint64_t complete_at = 0;
constinit bool watching = false;

void watch_tables() {
    if (!std::exchange(watching, true))
        pg::call([] {
            CacheRegisterSyscacheCallback(
                RELNAMENSP, [](Datum, int, std::uint32_t) { ++changes; }, Datum{0});
        });
}

Oid memory_schema() {
    return pg::call([] { return get_namespace_oid("memory", false); });
}

bool has_default(Oid table, const char *column) {
    return pg::call([=] {
        HeapTuple attribute = SearchSysCacheAttName(table, column);
        if (!HeapTupleIsValid(attribute))
            ereport(ERROR, (errcode(ERRCODE_UNDEFINED_COLUMN),
                            errmsg("column \"%s\" of table memory.\"%s\" is missing", column,
                                   get_rel_name(table))));
        const bool found = reinterpret_cast<Form_pg_attribute>(GETSTRUCT(attribute))->atthasdef;
        ReleaseSysCache(attribute);
        return found;
    });
}

bool has_primary_key(Oid table) {
    return pg::call([table] {
        Oid constraint = InvalidOid;
        get_primary_key_attnos(table, false, &constraint);
        return OidIsValid(constraint);
    });
}

bool is_made(const Step &step) {
    const char *name = step.name;
    if (step.makes == Makes::table)
        return OidIsValid(access::table_named(name));
    if (step.makes == Makes::index)
        return OidIsValid(access::index_named(name, step.table));
    const Oid table = access::table_named(step.table);
    switch (step.makes) {
    case Makes::table:
    case Makes::index:
        break;
    case Makes::primary_key:
        return has_primary_key(table);
    case Makes::column:
        return pg::call([=] { return get_attnum(table, name); }) != InvalidAttrNumber;
    case Makes::column_default:
        return has_default(table, name);
    case Makes::constraint:
        return OidIsValid(pg::call([=] { return get_relation_constraint_oid(table, name, true); }));
    case Makes::trigger:
        return OidIsValid(pg::call([=] { return get_trigger_oid(table, name, true); }));
    }
    return false;
}

std::pmr::string with_vector_schema(std::string_view sql, std::string_view schema,
                                    std::pmr::memory_resource *memory) {
    constexpr std::string_view mark = "{vector}";
    std::pmr::string text(sql, memory);
    for (auto at = text.find(mark); at != text.npos; at = text.find(mark, at + schema.size()))
        text.replace(at, mark.size(), schema);
    return text;
}

bool may_create() {
    static constinit pg::Statement ask(
        "SELECT pg_catalog.has_schema_privilege('memory', 'CREATE')");
    const pg::Rows rows = ask.run({}, pg::Access::read);
    return rows.get<pg::Bool>(0, 0);
}

// Before the lock is asked for, so that nobody without rights can hold up those who have them.
void check_may_create() {
    if (!may_create())
        throw pg::Error(ERRCODE_INSUFFICIENT_PRIVILEGE, "permission denied for schema memory")
            .hint("memory.init() is for the owner of schema memory.");
}

bool is_shared(const Room &room, const char *name) {
    return std::any_of(room.tables.begin(), room.tables.end(), [name](const Table &table) {
        return table.belongs == Belongs::to_all && std::strcmp(table.name, name) == 0;
    });
}

void make_tables() {
    const pg::Spi spi;
    check_may_create();
    lock_tables();
    // What the steps mean by a plain name is PostgreSQL's own, whatever the caller's path says.
    pg::LocalSettings settings;
    settings.set("search_path", "pg_catalog, pg_temp");
    const std::string_view schema = vector_schema();
    pg::ContextResource memory(CurrentMemoryContext);
    for (const Room &room : rooms())
        for (const Step &step : room.steps)
            if (!is_made(step)) {
                pg::run_utility(with_vector_schema(step.sql, schema, &memory).c_str());
                if (step.makes == Makes::table && is_shared(room, step.name))
                    access::keep_for_admins(step.name);
            }
    remove_statistics();
    access::protect_new_tables();
}

bool caller_owns_schema() {
    const Oid schema = memory_schema();
    return pg::call([=] {
        HeapTuple row = SearchSysCache1(NAMESPACEOID, ObjectIdGetDatum(schema));
        if (!HeapTupleIsValid(row))
            return false;
        const Oid owner = reinterpret_cast<Form_pg_namespace>(GETSTRUCT(row))->nspowner;
        ReleaseSysCache(row);
        return owner == GetUserId();
    });
}

} // namespace

std::array<Room, 2> rooms() { return {episodes::room(), facts::room()}; }

const char *vector_schema() {
    static constinit pg::Statement find(
        "SELECT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_extension e "
        "JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) e.extnamespace "
        "WHERE e.extname OPERATOR(pg_catalog.=) 'vector'");
    const pg::Rows rows = find.run({}, pg::Access::read);
    if (rows.empty())
        throw pg::Error(ERRCODE_UNDEFINED_OBJECT, "extension vector is missing")
            .hint("Run CREATE EXTENSION vector.");
    return pg::c_string(rows.get<pg::Text>(0, 0));
}

void lock_tables() {
    pg::lock_object(NamespaceRelationId, memory_schema(), ShareUpdateExclusiveLock);
}

void require_tables(Need need, const char *table) {
    if (complete_at == changes) [[likely]]
        return;
    if (!OidIsValid(access::table_named(table))) {
        if (need == Need::to_write && caller_owns_schema())
            return make_tables();
        throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                        "the tables of memory have not been created in this database")
            .hint("Run SELECT memory.init(); as the owner of schema memory.");
    }
    watch_tables();
    const std::uint64_t seen_at = changes;
    for (const Room &room : rooms())
        for (const Table &one : room.tables)
            access::require_table(one.name);
    complete_at = seen_at;
}

namespace {

// An admin declares dimensions where the tables are there, and makes none.
bool only_declares() {
    if (!OidIsValid(access::table_named("episodes")))
        return false;
    const pg::Spi spi;
    return !may_create() && access::ownership().is_admin;
}

} // namespace

MEMORY_CALL(memory_init, "dimensions bigint") {
    const std::optional<int> dimensions =
        call.bigint("dimensions").within(1, pg::Vector::most_dimensions);
    if (!dimensions || !only_declares())
        make_tables();
    if (dimensions) {
        episodes::declare_dimensions(*dimensions);
        recall::make_vector_index(*dimensions);
    }
    return call.nothing();
}

} // namespace memory::setup
