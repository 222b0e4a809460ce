// ambuild and ambuildempty.
#include "index/am.h"
#include "index/meta.h"
#include "index/options.h"
#include "index/row.h"
#include "pg/entry.h"
#include "pg/error.h"
#include "text/server.h"

extern "C" {
#include "access/tableam.h"
#include "catalog/index.h"
}

namespace memory::index {

namespace {

MetaPage meta_for(Relation index) {
    const Options options = options_of(index);
    MetaPage meta{};
    meta.scope_columns = static_cast<std::uint16_t>(Columns(index).scope);
    meta.k1 = options.k1;
    meta.b = options.b;
    meta.fingerprint = text::fingerprint_for(dictionary_of(index));
    return meta;
}

// The last column is the text; those before it are the scope.
void check_columns(Relation index) {
    if (IndexRelationGetNumberOfAttributes(index) != IndexRelationGetNumberOfKeyAttributes(index))
        throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED, "a recall index has no INCLUDE columns");
    const int last = IndexRelationGetNumberOfKeyAttributes(index) - 1;
    if (scope_type(index->rd_opcintype[last]) != TEXTOID)
        throw pg::Error(ERRCODE_DATATYPE_MISMATCH,
                        "the last column of a recall index is the text to search")
            .hint("Name the scope columns first, then the text column.");
}

struct Build {
    RowWriter rows;
    MemoryContext per_row;
};

void add_row(Relation index, ItemPointer tid, Datum *values, bool *nulls, bool, void *state) {
    pg::entry([&] {
        auto *building = static_cast<Build *>(state);
        {
            const pg::SwitchedContext switched(building->per_row);
            building->rows.add(index, values, nulls, *tid);
        }
        pg::call([&] { MemoryContextReset(building->per_row); });
    });
}

} // namespace

IndexBuildResult *build(Relation heap, Relation index, IndexInfo *info) {
    return pg::entry([&] {
        check_columns(index);
        create_meta(index, MAIN_FORKNUM, meta_for(index));
        pg::TemporaryContext per_row("recall index build");
        Build state{RowWriter(index, CurrentMemoryContext), per_row.get()};
        const double rows = pg::call([&] {
            return table_index_build_scan(heap, index, info, true, true, add_row, &state, nullptr);
        });
        auto *result = static_cast<IndexBuildResult *>(
            pg::call([] { return palloc0(sizeof(IndexBuildResult)); }));
        result->heap_tuples = rows;
        result->index_tuples = static_cast<double>(state.rows.added());
        return result;
    });
}

void build_empty(Relation index) {
    pg::entry([&] { create_meta(index, INIT_FORKNUM, meta_for(index)); });
}

} // namespace memory::index
