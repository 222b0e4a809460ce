// Partitions are found as PostgreSQL's own INSERT finds them: by its hash of the key.
#include "schema/partitions.h"

#include "pg/error.h"
#include "pg/values.h"
#include "pg/watch.h"
#include "schema/columns.h"
#include "schema/relations.h"
#include "schema/rooms.h"
#include "schema/sql.h"

extern "C" {
#include "catalog/partition.h"
#include "catalog/pg_partitioned_table.h"
#include "partitioning/partbounds.h"
#include "partitioning/partdesc.h"
#include "utils/partcache.h"
#include "utils/syscache.h"
}

#include <map>

namespace memory::schema {

namespace {

// A partitioned table that is locked.
PartitionDesc partitions_of(Relation table) {
    return pg::call([table] { return RelationGetPartitionDesc(table, true); });
}

Oid partition_of(Relation table, std::string_view name_space, std::string_view user) {
    const PartitionDesc partitions = partitions_of(table);
    std::array values{pg::to_datum(name_space), pg::to_datum(user)};
    std::array<bool, values.size()> nulls{};
    const std::uint64_t hash = pg::call([&] {
        const PartitionKey key = RelationGetPartitionKey(table);
        return compute_partition_hash_value(key->partnatts, key->partsupfunc, key->partcollation,
                                            values.data(), nulls.data());
    });
    const PartitionBoundInfo bounds = partitions->boundinfo;
    if (bounds == nullptr || bounds->nindexes == 0)
        return InvalidOid;
    const int at = bounds->indexes[hash % static_cast<std::uint64_t>(bounds->nindexes)];
    return at < 0 ? InvalidOid : partitions->oids[at];
}

// Whatever user's: with row-level security it is not asked.
bool has_rows(const Table &table) {
    std::array<char, 128> sql{};
    std::snprintf(sql.data(), sql.size(), "SELECT FROM memory.%s LIMIT 1", table.name);
    return !pg::run_once(sql.data(), pg::SnapshotOf::now, {}).empty();
}

// Of tables of users that have another number of partitions.
template <class Visit>
void each_spread_otherwise(int partitions, Visit &&visit) {
    each_table([&](const Table &table) {
        if (!of_users(table))
            return;
        const Oid id = table_named(table.name);
        if (OidIsValid(id) &&
            partition_count(pg::OpenRelation(id, AccessShareLock).get()) != partitions)
            visit(table);
    });
}

// Policies and grants belong to a table, and would go with it without a word.
constinit pg::Statement find_protected(R"(
    SELECT c.relname::text FROM pg_catalog.pg_class c
    WHERE c.relnamespace = 'memory'::regnamespace AND c.relname = ANY (string_to_array($1, ', '))
        AND (c.relrowsecurity OR EXISTS (SELECT FROM pg_catalog.pg_policy p WHERE p.polrelid = c.oid))
    ORDER BY 1 LIMIT 1)"_sql);

// Beside what default privileges have given, as memory.grant_access() has them give.
constinit pg::Statement find_granted(R"(
    SELECT c.relname::text FROM pg_catalog.pg_class c
    WHERE c.relnamespace = 'memory'::regnamespace AND c.relname = ANY (string_to_array($1, ', '))
        AND (EXISTS (SELECT FROM pg_catalog.aclexplode(c.relacl) a
                WHERE a.grantee <> c.relowner AND NOT EXISTS (
                    SELECT FROM pg_catalog.pg_default_acl d
                        CROSS JOIN LATERAL pg_catalog.aclexplode(d.defaclacl) g
                    WHERE d.defaclrole = c.relowner AND d.defaclobjtype = 'r'
                        AND d.defaclnamespace = 'memory'::regnamespace AND g.grantee = a.grantee
                        AND g.privilege_type = a.privilege_type))
            OR EXISTS (SELECT FROM pg_catalog.pg_attribute t
                WHERE t.attrelid = c.oid AND t.attacl IS NOT NULL))
    ORDER BY 1 LIMIT 1)"_sql);

// Indexes of partitions by the indexes that they are parts of. PostgreSQL looks through its catalog
// for each, which takes longer than a search. Forgotten when one of the partitions changes.
class IndexParts {
  public:
    explicit IndexParts(MemoryContext context) : memory_(context), found_(&memory_) {}

    // Asks find() for what is not known.
    template <class Find>
    Oid of(Oid partition, Oid index, Find &&find) {
        const auto known = found_.find({partition, index});
        if (known != found_.end()) [[likely]]
            return known->second;
        const std::uint64_t changes = changes_;
        const Oid part = find();
        if (OidIsValid(part) && changes_ == changes)
            found_.emplace(Key(partition, index), part);
        return part;
    }
    void changed(Oid relation) noexcept {
        ++changes_;
        const auto of_partition = found_.lower_bound({relation, InvalidOid});
        if (!OidIsValid(relation) ||
            (of_partition != found_.end() && of_partition->first.first == relation))
            found_.clear();
    }

  private:
    using Key = std::pair<Oid, Oid>;

    pg::ContextResource memory_;
    std::pmr::map<Key, Oid> found_;
    std::uint64_t changes_ = 0;
};

void check_nothing_is_lost(std::string_view names) {
    if (const pg::Rows rows = find_protected.run(pg::SnapshotOf::now, {names}); !rows.empty())
        throw pg::Error(
            ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
            "memory.%s has row-level security, which tables that are made anew would not "
            "have",
            pg::c_string(rows.get<pg::Text>(0, 0)))
            .hint("SELECT memory.unprotect(); before, and memory.protect() afterwards.");
    if (const pg::Rows rows = find_granted.run(pg::SnapshotOf::now, {names}); !rows.empty())
        throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                        "privileges on memory.%s were granted by hand, and would get lost",
                        pg::c_string(rows.get<pg::Text>(0, 0)))
            .hint("REVOKE them before, and GRANT them afterwards.");
}

} // namespace

namespace detail {

std::pmr::vector<Oid> partitions_of(Oid table, std::pmr::memory_resource *memory) {
    std::pmr::vector<Oid> found(memory);
    if (!is_spread(table))
        return found;
    const pg::OpenRelation open(table, AccessShareLock);
    const PartitionDesc partitions = schema::partitions_of(open.get());
    found.assign(partitions->oids, partitions->oids + partitions->nparts);
    return found;
}

Oid table_in_parts(Oid index) {
    const pg::OpenRelation open(index, AccessShareLock);
    return open.get()->rd_rel->relkind == RELKIND_PARTITIONED_INDEX ? open.get()->rd_index->indrelid
                                                                    : InvalidOid;
}

Oid index_of_partition(Oid partition, Oid index) {
    const pg::OpenRelation open(partition, AccessShareLock);
    return pg::Remembered<IndexParts>::get().of(partition, index, [&] {
        return pg::call([&] { return index_get_partition(open.get(), index); });
    });
}

} // namespace detail

bool is_spread(Oid table) {
    return pg::call([table] {
        HeapTuple row = SearchSysCache1(PARTRELID, ObjectIdGetDatum(table));
        if (!HeapTupleIsValid(row))
            return false;
        const auto *key = reinterpret_cast<Form_pg_partitioned_table>(GETSTRUCT(row));
        const bool found = key->partstrat == PARTITION_STRATEGY_HASH &&
                           key->partnatts == static_cast<int16>(std::size(tenant_columns)) &&
                           key->partattrs.values[0] == get_attnum(table, tenant_columns[0].name) &&
                           key->partattrs.values[1] == get_attnum(table, tenant_columns[1].name);
        ReleaseSysCache(row);
        return found;
    });
}

bool is_in_partitions(Oid table) {
    return pg::call([table] { return get_rel_relkind(table); }) == RELKIND_PARTITIONED_TABLE;
}

int partition_count(Relation table) {
    return table->rd_rel->relkind == RELKIND_PARTITIONED_TABLE ? partitions_of(table)->nparts : 0;
}

int partition_count() {
    std::optional<int> found;
    each_table([&](const Table &table) {
        if (found || !of_users(table))
            return;
        if (const Oid id = table_named(table.name); OidIsValid(id))
            found = partition_count(pg::OpenRelation(id, AccessShareLock).get());
    });
    return found.value_or(0);
}

Oid partition_of(Oid table, std::string_view name_space, std::string_view user) {
    const pg::OpenRelation open(table, AccessShareLock);
    return partition_of(open.get(), name_space, user);
}

bool have_same_bounds(Oid table, Oid other) {
    const pg::OpenRelation one(table, AccessShareLock);
    const pg::OpenRelation two(other, AccessShareLock);
    const PartitionBoundInfo bounds = partitions_of(one.get())->boundinfo;
    const PartitionBoundInfo its = partitions_of(two.get())->boundinfo;
    return bounds != nullptr && its != nullptr && pg::call([&] {
               const PartitionKey key = RelationGetPartitionKey(one.get());
               return partition_bounds_equal(key->partnatts, key->parttyplen, key->parttypbyval,
                                             bounds, its);
           });
}

std::array<char, 8> partition_suffix(int number) {
    std::array<char, 8> suffix{};
    std::snprintf(suffix.data(), suffix.size(), "_p%02d", number);
    return suffix;
}

bool drop_spread_otherwise(int partitions) {
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::string names(&memory); // as LOCK and DROP list them
    std::pmr::string bare(&memory);  // without their schema
    each_spread_otherwise(partitions, [&](const Table &table) {
        names.append(names.empty() ? "memory." : ", memory.").append(table.name);
        bare.append(bare.empty() ? "" : ", ").append(table.name);
    });
    if (names.empty())
        return false;
    check_nothing_is_lost(bare);
    pg::run_utility(std::pmr::string("LOCK TABLE ", &memory)
                        .append(names)
                        .append(" IN ACCESS EXCLUSIVE MODE")
                        .c_str());
    each_spread_otherwise(partitions, [](const Table &table) {
        if (has_rows(table))
            throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                            "memory.%s has rows: tables are partitioned before the first",
                            table.name)
                .hint("Run SELECT memory.init(partitions => …); in a new database, and bring every "
                      "user there: memory.export_user(), memory.import_user().");
    });
    pg::run_utility(std::pmr::string("DROP TABLE ", &memory).append(names).c_str());
    return true;
}

} // namespace memory::schema
