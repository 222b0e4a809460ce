// SET STATISTICS 0 alone keeps what is there, and an owner may not delete from
// pg_statistic: the backend's own RemoveStatistics() does it.
#include "schema/statistics.h"

#include "pg/memory.h"
#include "pg/spi.h"
#include "schema/columns.h"
#include "schema/partitions.h"
#include "schema/relations.h"
#include "schema/rooms.h"
#include "schema/sql.h"

extern "C" {
#include "catalog/heap.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/syscache.h"
}

namespace memory::schema {

namespace {

// $1 the table, $2 its columns, $3 patterns of its indexes. What has a target of its own is left
// out. Before PostgreSQL 17 a column without one says -1.
constinit pg::Statement find_columns(R"(
    WITH parts AS (
        SELECT c.oid, c.relname FROM pg_catalog.pg_class c
        WHERE c.oid = format('memory.%I', $1)::regclass
        UNION ALL
        SELECT c.oid, c.relname FROM pg_catalog.pg_inherits p
            JOIN pg_catalog.pg_class c ON c.oid = p.inhrelid AND c.relispartition
        WHERE p.inhparent = format('memory.%I', $1)::regclass)
    SELECT a.attrelid, a.attnum, coalesce(a.attstattarget, -1) = -1,
        format('ALTER TABLE ONLY memory.%I ALTER COLUMN %I SET STATISTICS 0', t.relname, a.attname)
    FROM parts t JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid
    WHERE a.attname = ANY (string_to_array($2, ' ')) AND coalesce(a.attstattarget, -1) <= 0
    UNION ALL
    SELECT a.attrelid, a.attnum, coalesce(a.attstattarget, -1) = -1,
        format('ALTER INDEX memory.%I ALTER COLUMN %s SET STATISTICS 0', c.relname, a.attnum)
    FROM parts t JOIN pg_catalog.pg_index i ON i.indrelid = t.oid
        JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
        LEFT JOIN pg_catalog.pg_inherits p ON p.inhrelid = c.oid
        LEFT JOIN pg_catalog.pg_class whole ON whole.oid = p.inhparent
        JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
    WHERE coalesce(whole.relname, c.relname) ~~ ANY (string_to_array($3, ' '))
        AND i.indkey[a.attnum - 1] = 0 AND coalesce(a.attstattarget, -1) <= 0
    ORDER BY 1, 2)"_sql);

struct Analyzed {
    Oid relation;
    AttrNumber number;
    bool is_analyzed;
    const char *forbid; // the statement that ends that
};

// Names of columns, apart by blanks.
std::pmr::string words_of(const Table &table, std::pmr::memory_resource *memory) {
    std::pmr::string names(memory);
    each_column(table, [&](const Column &column) {
        if (column.holds != Holds::keys)
            names.append(names.empty() ? "" : " ").append(column.name);
    });
    return names;
}

std::pmr::vector<Analyzed> columns_of(const Table &table, std::pmr::memory_resource *memory) {
    const std::pmr::string words = words_of(table, memory);
    const pg::Rows rows = find_columns.run(pg::SnapshotOf::now,
                                           {std::string_view(table.name), std::string_view(words),
                                            std::string_view(table.word_indexes)});
    std::pmr::vector<Analyzed> columns(memory);
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        columns.push_back({rows.get<pg::ObjectId>(row, 0), rows.get<pg::Int2>(row, 1),
                           rows.get<pg::Bool>(row, 2), pg::c_string(rows.get<pg::Text>(row, 3))});
    }
    return columns;
}

bool has_statistics(const Analyzed &column) {
    return pg::call([&column] {
        return SearchSysCacheExists3(STATRELATTINH, ObjectIdGetDatum(column.relation),
                                     Int16GetDatum(column.number), BoolGetDatum(false)) ||
               SearchSysCacheExists3(STATRELATTINH, ObjectIdGetDatum(column.relation),
                                     Int16GetDatum(column.number), BoolGetDatum(true));
    });
}

void check_owns(const Table &table, Oid id) {
    pg::call([&table, id] {
#if PG_VERSION_NUM >= 160000
        const bool owns = object_ownercheck(RelationRelationId, id, GetUserId());
#else
        const bool owns = pg_class_ownercheck(id, GetUserId());
#endif
        if (!owns)
            aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, table.name);
    });
}

void remove_statistics_of(const Table &table, std::pmr::memory_resource *memory) {
    const std::pmr::vector<Analyzed> columns = columns_of(table, memory);
    if (std::none_of(columns.begin(), columns.end(), [](const Analyzed &column) {
            return column.is_analyzed || has_statistics(column);
        }))
        return;
    const Oid id = table_named(table.name);
    check_owns(table, id);
    // No ANALYZE is under way from here on, and the next one knows.
    pg::call([id] { LockRelationOid(id, ShareUpdateExclusiveLock); });
    each_partition(id, [](int, Oid partition) {
        pg::call([partition] { LockRelationOid(partition, ShareUpdateExclusiveLock); });
    });
    for (const Analyzed &column : columns) {
        if (column.is_analyzed)
            pg::run_utility(column.forbid);
        pg::call([&column] { RemoveStatistics(column.relation, column.number); });
    }
}

} // namespace

void remove_statistics() {
    pg::ContextResource memory(CurrentMemoryContext);
    each_table([&](const Table &table) { remove_statistics_of(table, &memory); });
}

} // namespace memory::schema
