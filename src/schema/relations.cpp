// What is under one of our names, and whether it is what is meant.
#include "schema/relations.h"

#include "pg/call.h"
#include "pg/error.h"
#include "schema/partitions.h"

extern "C" {
#include "access/tableam.h"
#include "catalog/index.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation.h"
#include "utils/acl.h"
#include "utils/rls.h"
#include "utils/typcache.h"
}

namespace memory::schema {

namespace {

constexpr char init_again[] = "Run SELECT memory.init(); as the owner of schema memory.";

// "a partitioned table", …
const char *described(char kind) {
    switch (kind) {
    case RELKIND_RELATION:
        return "an ordinary table";
    case RELKIND_PARTITIONED_TABLE:
        return "a partitioned table";
    case RELKIND_INDEX:
        return "an index";
    case RELKIND_PARTITIONED_INDEX:
        return "an index of a partitioned table";
    case RELKIND_VIEW:
        return "a view";
    case RELKIND_MATVIEW:
        return "a materialized view";
    case RELKIND_FOREIGN_TABLE:
        return "a foreign table";
    case RELKIND_SEQUENCE:
        return "a sequence";
    case RELKIND_COMPOSITE_TYPE:
        return "a composite type";
    default:
        return "something else";
    }
}

void check_kind(const char *name, char found, char wanted) {
    if (found != wanted)
        throw pg::Error(ERRCODE_WRONG_OBJECT_TYPE, "memory.%s is %s, and not %s", name,
                        described(found), described(wanted))
            .hint("Rename or drop it, then run SELECT memory.init(); as the owner of schema "
                  "memory.");
}

// A table of users in partitions, or an index of one, in the place of an ordinary one.
bool is_partitioned_as(char kind, char wanted, Oid relation) {
    return (wanted == RELKIND_RELATION && kind == RELKIND_PARTITIONED_TABLE &&
            is_spread(relation)) ||
           (wanted == RELKIND_INDEX && kind == RELKIND_PARTITIONED_INDEX);
}

// The oid of what has this name, which must be of `kind`; InvalidOid when there is nothing.
Oid relation_named(const char *name, char kind) {
    const Oid schema = memory_schema();
    const Oid found = pg::call([=] { return get_relname_relid(name, schema); });
    if (!OidIsValid(found))
        return found;
    // '\0': it was dropped just now.
    const char its_kind = pg::call([found] { return get_rel_relkind(found); });
    if (its_kind == '\0')
        return InvalidOid;
    if (!is_partitioned_as(its_kind, kind, found))
        check_kind(name, its_kind, kind);
    return found;
}

[[noreturn]] void throw_missing(const char *what, const char *name) {
    throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, "%s memory.%s is missing", what, name)
        .hint("%s", init_again);
}

Oid existing_index(const OpenTable &table, const char *name) {
    const Oid found = table.place().index(name);
    if (!OidIsValid(found))
        throw_missing("index", name);
    return found;
}

Oid existing_primary_key(const OpenTable &table) {
    const Oid found = pg::call([&table] {
        RelationGetIndexList(table.get());
        return table.get()->rd_pkindex;
    });
    if (!OidIsValid(found))
        throw_missing("the primary key of", table.name());
    return found;
}

} // namespace

Oid memory_schema() {
    return pg::call([] { return get_namespace_oid("memory", false); });
}

Oid table_named(const char *name) { return relation_named(name, RELKIND_RELATION); }

Oid require_table(const char *name) {
    const Oid found = table_named(name);
    if (!OidIsValid(found))
        throw_missing("table", name);
    return found;
}

Oid owner_of(const char *table) {
    const pg::OpenRelation open(require_table(table), AccessShareLock);
    return open.get()->rd_rel->relowner;
}

Oid index_named(const char *name, const char *table) {
    const Oid index = relation_named(name, RELKIND_INDEX);
    if (!OidIsValid(index))
        return index;
    const Oid of = pg::call([index] { return IndexGetRelation(index, true); });
    if (of != table_named(table))
        throw pg::Error(ERRCODE_WRONG_OBJECT_TYPE, "memory.%s is not an index on memory.%s", name,
                        table)
            .hint("Rename or drop it, then run SELECT memory.init(); as the owner of schema "
                  "memory.");
    return index;
}

OpenTable::OpenTable(const Place &place, LOCKMODE lock)
    : place_(place), table_(place.relation(), lock) {
    check_kind(name(), get()->rd_rel->relkind, RELKIND_RELATION);
    if (get()->rd_tableam != GetHeapamTableAmRoutine())
        throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED,
                        "memory.%s is not of table access method heap", name())
            .hint("ALTER TABLE memory.%s SET ACCESS METHOD heap;", name());
}

AttrNumber OpenTable::number_of(const char *column) const {
    const AttrNumber found = pg::call([&] { return get_attnum(id(), column); });
    if (found <= 0)
        throw pg::Error(ERRCODE_UNDEFINED_COLUMN, "column \"%s\" of memory.%s is missing", column,
                        name());
    return found;
}

OpenIndex::OpenIndex(const OpenTable &table, const char *name, std::span<const KeyColumn> columns)
    : index_(existing_index(table, name), AccessShareLock) {
    check(table, columns);
}

OpenIndex::OpenIndex(const OpenTable &table, std::span<const KeyColumn> columns)
    : index_(existing_primary_key(table), AccessShareLock) {
    check(table, columns);
}

OpenIndex::OpenIndex(const OpenTable &table, const char *name, std::span<const char *const> columns)
    : index_(existing_index(table, name), AccessShareLock) {
    check_valid();
    for (std::size_t n = 0; n < columns.size(); ++n)
        check_key(table, static_cast<int>(n), columns[n]);
}

void OpenIndex::check(const OpenTable &table, std::span<const KeyColumn> columns) const {
    check_valid();
    for (std::size_t n = 0; n < columns.size(); ++n)
        check_key(table, static_cast<int>(n), columns[n].name);
    check_order(columns);
}

void OpenIndex::check_valid() const {
    const char *name = RelationGetRelationName(get());
    if (!get()->rd_index->indisvalid)
        throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, "index memory.%s is not valid",
                        name)
            .hint("REINDEX INDEX memory.%s;", name);
}

// The column of that number, from 0, must be this one of the table.
void OpenIndex::check_key(const OpenTable &table, int number, const char *column) const {
    const AttrNumber of_table = pg::call([&] { return get_attnum(table.id(), column); });
    if (of_table <= 0 || number >= IndexRelationGetNumberOfKeyAttributes(get()) ||
        get()->rd_index->indkey.values[number] != of_table)
        refuse_index(get());
}

// The keys must be compared as keys of these types are by default; texts byte by byte.
void OpenIndex::check_order(std::span<const KeyColumn> columns) const {
    const Relation index = get();
    const bool as_meant = pg::call([=] {
        if (index->rd_rel->relam != BTREE_AM_OID)
            return false;
        for (std::size_t n = 0; n < columns.size(); ++n) {
            const Oid type = columns[n].type;
            if (index->rd_opcintype[n] != type ||
                index->rd_opfamily[n] !=
                    lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf ||
                (type == TEXTOID && index->rd_indcollation[n] != C_COLLATION_OID))
                return false;
        }
        return true;
    });
    if (!as_meant)
        refuse_index(index);
}

void refuse_index(Relation index) {
    const char *name = RelationGetRelationName(index);
    throw pg::Error(ERRCODE_WRONG_OBJECT_TYPE, "index memory.%s is not as memory.init() makes it",
                    name)
        .hint(
            "Give the columns of its table their types and collations back, if they were changed; "
            "else drop it, and run SELECT memory.init(); as the owner of schema memory.");
}

bool readable_whole(Oid table) {
    return pg::call([table] {
        return pg_class_aclcheck(table, GetUserId(), ACL_SELECT) == ACLCHECK_OK &&
               check_enable_rls(table, InvalidOid, false) != RLS_ENABLED;
    });
}

} // namespace memory::schema
