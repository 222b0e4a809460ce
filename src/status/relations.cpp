// Tables and indexes as they are found, and what is wrong with them as far as it is seen without
// reading them.
#include "status/relations.h"

#include "index/health.h"
#include "pg/attempt.h"
#include "pg/handles.h"
#include "schema/partitions.h"
#include "schema/relations.h"
#include "schema/require.h"
#include "schema/rooms.h"

extern "C" {
#include "catalog/pg_class.h"
#include "optimizer/plancat.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
}

namespace memory::status {

namespace {

// A table up to this size is counted at every look; a larger one is estimated.
constexpr BlockNumber most_counted = 64;

constexpr std::string_view make_whole = "SELECT memory.init();";

using Text = std::pmr::string;

// "what: remedy"
Text problem(std::pmr::memory_resource *memory, std::string_view what, std::string_view remedy) {
    Text text(what, memory);
    return text.append(": ").append(remedy);
}

std::int64_t size_of(Oid relation) {
    return pg::call([=] {
        return DatumGetInt64(DirectFunctionCall1(pg_table_size, ObjectIdGetDatum(relation)));
    });
}

bool is_counted(Relation table) {
    return pg::call([table] { return RelationGetNumberOfBlocks(table); }) <= most_counted;
}

std::int64_t count(Relation table, std::pmr::memory_resource *memory) {
    Text statement("SELECT pg_catalog.count(*) FROM ONLY memory.", memory);
    statement.append(RelationGetRelationName(table));
    return pg::run_once(statement.c_str(), pg::SnapshotOf::caller, {}).get<pg::Int8>(0);
}

// By its size, and how dense VACUUM and ANALYZE have last found its rows. Before they have, what
// the cumulative statistics have counted, where they have any: of a table with wide rows the size
// says little.
std::int64_t estimate(Relation table) {
    return pg::call([table] {
        if (table->rd_rel->reltuples < 0)
            if (const std::int64_t live = DatumGetInt64(DirectFunctionCall1(
                    pg_stat_get_live_tuples, ObjectIdGetDatum(RelationGetRelid(table))));
                live > 0)
                return live;
        BlockNumber pages = 0;
        double tuples = 0;
        double all_visible = 0;
        estimate_rel_size(table, nullptr, &pages, &tuples, &all_visible);
        return static_cast<std::int64_t>(tuples);
    });
}

class Relations {
  public:
    Relations(pg::ResultSet &rows, std::pmr::memory_resource *memory)
        : rows_(rows), memory_(memory) {}

    void add(const schema::Table &table);
    bool whole() const noexcept { return whole_; }

  private:
    void add_found(const schema::Table &table, Relation open);
    void add_indexes(const schema::Table &table, Relation open);
    void add_index(Oid id);
    void note(const schema::Table &table, std::string_view what);
    void note_missing(const schema::Part &index);
    std::optional<Text> problem_of(Relation index);

    pg::ResultSet &rows_;
    std::pmr::memory_resource *memory_;
    bool whole_ = true;
};

// A table that statements cannot rely on.
void Relations::note(const schema::Table &table, std::string_view what) {
    whole_ = false;
    const Text text = problem(memory_, what, make_whole);
    status::add(rows_, {.thing = "table", .name = table.name, .problem = text});
}

void Relations::note_missing(const schema::Part &index) {
    const Text text = problem(memory_, "it is missing", make_whole);
    status::add(rows_, {.thing = "index", .name = index.name, .problem = text});
}

void Relations::add(const schema::Table &table) {
    const Oid id = pg::call([&table, schema = schema::memory_schema()] {
        return get_relname_relid(table.name, schema);
    });
    if (!OidIsValid(id))
        return note(table, "it is missing");
    const pg::OpenRelation open(id, AccessShareLock);
    if (open.get()->rd_rel->relkind != RELKIND_RELATION && !schema::is_spread(id))
        return note(table, "something else than an ordinary table has its name; rename that, then");
    if (const schema::Lack lack = schema::lack_of(open.get(), table))
        note(table, lack->data());
    else
        add_found(table, open.get());
    add_indexes(table, open.get());
}

void Relations::add_found(const schema::Table &table, Relation open) {
    std::int64_t rows = 0;
    std::int64_t bytes = 0;
    bool exact = true;
    schema::each_part(RelationGetRelid(open), [&](Oid id) {
        const pg::OpenRelation part(id, AccessShareLock);
        const bool is_small = is_counted(part.get());
        rows += is_small ? count(part.get(), memory_) : estimate(part.get());
        bytes += size_of(id);
        exact = exact && is_small;
    });
    status::add(
        rows_,
        {.thing = "table", .name = table.name, .rows = rows, .exact = exact, .bytes = bytes});
}

// All that there are, in the order of their names; then those that should be there.
void Relations::add_indexes(const schema::Table &table, Relation open) {
    struct Found {
        Text name;
        Oid id;
    };
    std::pmr::vector<Found> found(memory_);
    const auto find = [&](Relation of, bool parts) {
        pg::call([&, of] {
            const ListCell *cell;
            foreach (cell, RelationGetIndexList(of))
                if (const char *name = get_rel_name(lfirst_oid(cell));
                    name != nullptr && (parts || !get_rel_relispartition(lfirst_oid(cell))))
                    found.push_back({Text(name, memory_), lfirst_oid(cell)});
        });
    };
    find(open, true);
    schema::each_partition(RelationGetRelid(open), [&](int, Oid partition) {
        find(pg::OpenRelation(partition, AccessShareLock).get(), false);
    });
    std::sort(found.begin(), found.end(),
              [](const Found &a, const Found &b) { return a.name < b.name; });
    for (const Found &index : found)
        add_index(index.id);
    for (const schema::Part &index : table.indexes)
        if (std::none_of(found.begin(), found.end(),
                         [&](const Found &one) { return one.name == index.name; }))
            note_missing(index);
}

void Relations::add_index(Oid id) {
    const pg::OpenRelation open(id, AccessShareLock);
    std::optional<Text> wrong;
    std::int64_t bytes = 0;
    schema::each_part_of_index(id, [&](Oid part) {
        if (!wrong)
            wrong = problem_of(pg::OpenRelation(part, AccessShareLock).get());
        bytes += size_of(part);
    });
    status::add(rows_, {.thing = "index",
                        .name = RelationGetRelationName(open.get()),
                        .bytes = bytes,
                        .problem = wrong ? std::optional<std::string_view>(*wrong) : std::nullopt});
}

std::optional<Text> Relations::problem_of(Relation index) {
    Text remedy("REINDEX INDEX CONCURRENTLY memory.", memory_);
    remedy.append(pg::call([index] { return quote_identifier(RelationGetRelationName(index)); }));
    remedy.append(";");
    if (!index->rd_index->indisvalid)
        return problem(memory_, "it is not valid", remedy);
    if (!index::is_recall(index))
        return std::nullopt;
    bool current = true;
    const auto error = pg::attempt([&] { current = index::has_current_rules(index); });
    if (error)
        return problem(memory_, error->what(), remedy);
    if (!current)
        return problem(memory_, index::other_rules, remedy);
    return std::nullopt;
}

} // namespace

bool add_relations(pg::ResultSet &rows) {
    pg::ContextResource memory(CurrentMemoryContext);
    Relations relations(rows, &memory);
    schema::each_table([&](const schema::Table &table) {
        pg::check_for_interrupts();
        relations.add(table);
    });
    return relations.whole();
}

} // namespace memory::status
