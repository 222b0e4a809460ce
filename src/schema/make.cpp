// Looks for each part of a table and makes those that are missing.
#include "schema/make.h"

#include "pg/error.h"
#include "pg/handles.h"
#include "pg/memory.h"
#include "pg/spi.h"
#include "schema/columns.h"
#include "schema/partitions.h"
#include "schema/relations.h"
#include "schema/script.h"
#include "schema/sql.h"

extern "C" {
#include "catalog/pg_constraint.h"
#include "catalog/pg_namespace.h"
#include "commands/trigger.h"
}

namespace memory::schema {

namespace {

bool has_column(Oid table, const char *name) {
    return pg::call([=] { return get_attnum(table, name); }) != InvalidAttrNumber;
}

bool has_default(Oid table, const char *column) {
    return pg::call([=] {
        HeapTuple attribute = SearchSysCacheAttName(table, column);
        if (!HeapTupleIsValid(attribute))
            return false;
        const bool found = reinterpret_cast<Form_pg_attribute>(GETSTRUCT(attribute))->atthasdef;
        ReleaseSysCache(attribute);
        return found;
    });
}

// One of whatever name.
bool has_primary_key(Oid table) {
    return pg::call([table] {
        Oid constraint = InvalidOid;
        get_primary_key_attnos(table, false, &constraint);
        return OidIsValid(constraint);
    });
}

bool has_constraint(Oid table, const char *name) {
    return OidIsValid(pg::call([=] { return get_relation_constraint_oid(table, name, true); }));
}

bool has_trigger(Oid table, const char *name) {
    return OidIsValid(pg::call([=] { return get_trigger_oid(table, name, true); }));
}

void make_columns(Script &script, const Table &table, Oid id) {
    each_column(table, [&](const Column &column) {
        const bool has = has_column(id, column.name);
        if (!has)
            script.add_column(table, column);
        if (column.default_call != nullptr && !(has && has_default(id, column.name)))
            script.set_default(table, column);
    });
}

// Those that come before the key, or those behind it.
void make_indexes(Script &script, const Table &table, bool before_key) {
    for (const Part &index : table.indexes)
        if ((index.index == Index::before_key) == before_key &&
            !OidIsValid(index_named(index.name, table.name)))
            script.create_index(table, index);
}

// The number of a partition is that of its place.
void make_on_partitions(Script &script, const Table &table, Oid id, const Part &constraint) {
    each_partition(id, [&](int number, Oid partition) {
        pg::ContextResource memory(CurrentMemoryContext);
        std::pmr::string name(constraint.name, &memory);
        if (!has_constraint(partition, name.append(partition_suffix(number).data()).c_str()))
            script.add_constraint(table, number, constraint);
    });
}

void make_constraints(Script &script, const Table &table, Oid id) {
    const bool spread = is_spread(id);
    for (const Part &constraint : table.constraints)
        if (spread && is_of_partitions(constraint))
            make_on_partitions(script, table, id, constraint);
        else if (!has_constraint(id, constraint.name))
            script.add_constraint(table, constraint);
}

} // namespace

bool may_make() {
    static constinit pg::Statement ask("SELECT has_schema_privilege('memory', 'CREATE')"_sql);
    const pg::Rows rows = ask.run(pg::SnapshotOf::caller, {});
    return rows.get<pg::Bool>(0, 0);
}

void lock_tables() {
    pg::lock_object(NamespaceRelationId, memory_schema(), ShareUpdateExclusiveLock);
}

const char *vector_schema() {
    static constinit pg::Statement find(R"(
        SELECT quote_ident(n.nspname) FROM pg_catalog.pg_extension e
        JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector')"_sql);
    const pg::Rows rows = find.run(pg::SnapshotOf::caller, {});
    if (rows.empty())
        throw pg::Error(ERRCODE_UNDEFINED_OBJECT, "extension vector is missing")
            .hint("Run CREATE EXTENSION vector.");
    return pg::c_string(rows.get<pg::Text>(0, 0));
}

bool make(const Table &table, const char *vector, int partitions) {
    pg::ContextResource memory(CurrentMemoryContext);
    Script script(vector, &memory);
    const bool is_new = !OidIsValid(table_named(table.name));
    if (!of_users(table))
        partitions = 0;
    if (is_new)
        script.create(table, partitions);
    script.run();
    const Oid id = table_named(table.name);
    make_columns(script, table, id);
    for (int number = 0; is_new && number < partitions; ++number)
        script.create_partition(table, number, partitions);
    script.run();
    make_indexes(script, table, true);
    if (!has_primary_key(id))
        script.add_key(table);
    make_indexes(script, table, false);
    make_constraints(script, table, id);
    for (const Part &trigger : table.triggers)
        if (!has_trigger(id, trigger.name))
            script.create_trigger(table, trigger);
    script.run();
    return is_new;
}

} // namespace memory::schema
