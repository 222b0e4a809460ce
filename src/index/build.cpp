// ambuild, ambuildempty and ambuildphasename.
#include "index/am.h"
#include "index/meta.h"
#include "index/options.h"
#include "index/parallel_build.h"
#include "index/row.h"
#include "pg/entry.h"
#include "pg/error.h"
#include "pg/vector.h"

namespace memory::index {

namespace {

MetaPage meta_for(Relation index) {
    const rank::Bm25Parameters parameters = parameters_of(index);
    MetaPage meta{};
    meta.scope_columns = static_cast<std::uint16_t>(Columns(index).scope);
    meta.k1 = parameters.k1;
    meta.b = parameters.b;
    meta.by_length =
        (parameters.k1_by_length ? k1_by_length : 0) | (parameters.b_by_length ? b_by_length : 0);
    meta.fingerprint = rules_of(index);
    return meta;
}

// Codes need nothing of what can be said for texts.
void check_codes(Relation index) {
    if (index->rd_options != nullptr)
        throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED,
                        "options of a recall index are about texts, and this one is on vectors")
            .hint("Leave WITH (...) out.");
}

// The last column is the text or the vector; those before it are the scope.
void check_columns(Relation index) {
    if (IndexRelationGetNumberOfAttributes(index) != IndexRelationGetNumberOfKeyAttributes(index))
        throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED, "a recall index has no INCLUDE columns");
    const int last = IndexRelationGetNumberOfKeyAttributes(index) - 1;
    if (payload_of(index) == Payload::codes) {
        if (index->rd_opcintype[last] == pg::vector_type())
            check_codes(index);
        else
            throw pg::Error(ERRCODE_DATATYPE_MISMATCH,
                            "the last column of a recall index is the text or vector to search")
                .hint("Name the scope columns first, then the column to search.");
    }
    for (int column = 0; column < last; ++column) {
        if (!OidIsValid(scope_type(index->rd_opcintype[column])))
            throw pg::Error(ERRCODE_DATATYPE_MISMATCH,
                            "a vector is the last column of a recall index")
                .hint("Name the scope columns first, then the vector column.");
        if (!compares_bytes(index->rd_indcollation[column]))
            throw_nondeterministic(index, column);
    }
}

Scanned build_alone(Relation heap, Relation index, IndexInfo *info) {
    RecordSort sort(maintenance_work_mem);
    report(BuildPhase::scanning);
    const Scanned scanned = scan_into(sort, heap, index, info, nullptr, true);
    report(BuildPhase::sorting);
    sort.finish();
    report(BuildPhase::writing);
    pg_atomic_uint64 written;
    pg_atomic_init_u64(&written, 0);
    WriteProgress progress(scanned.records, &written);
    pg::TemporaryContext memory("recall index build of a tenant");
    TenantBuild tenants(index, static_cast<std::size_t>(maintenance_work_mem) * 1024,
                        memory.resource());
    while (const std::optional<SortedRecord> sorted = sort.next()) {
        pg::check_for_interrupts();
        tenants.add(*sorted);
        progress.add();
    }
    tenants.end();
    return scanned;
}

} // namespace

IndexBuildResult *build(Relation heap, Relation index, IndexInfo *info) {
    return pg::entry([&] {
        check_columns(index);
        create_meta(index, MAIN_FORKNUM, meta_for(index));
        std::optional<Scanned> scanned;
        if (const int workers = workers_for(heap, index, info); workers > 0)
            scanned = build_in_parallel(heap, index, info, workers);
        if (!scanned)
            scanned = build_alone(heap, index, info);
        auto *result = static_cast<IndexBuildResult *>(
            pg::call([] { return palloc0(sizeof(IndexBuildResult)); }));
        result->heap_tuples = scanned->rows;
        result->index_tuples = static_cast<double>(scanned->documents);
        return result;
    });
}

void build_empty(Relation index) {
    pg::entry([&] { create_meta(index, INIT_FORKNUM, meta_for(index)); });
}

char *build_phase_name(std::int64_t phase) {
    const auto name = [](const char *literal) { return const_cast<char *>(literal); };
    switch (static_cast<BuildPhase>(phase)) {
    case BuildPhase::initializing:
        return name("initializing");
    case BuildPhase::scanning:
        return name("scanning table");
    case BuildPhase::sorting:
        return name("sorting records");
    case BuildPhase::writing:
        return name("writing tenants");
    }
    return nullptr;
}

} // namespace memory::index
