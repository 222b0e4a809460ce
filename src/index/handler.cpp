// The access method as PostgreSQL sees it.
#include "index/am.h"
#include "index/options.h"
#include "pg/function.h"

extern "C" {
#include "commands/vacuum.h"
}

namespace memory::index {

MEMORY_FUNCTION(memory_recall_handler) {
    auto *am = pg::call([] { return makeNode(IndexAmRoutine); });
    am->amstrategies = distance;
    am->amcanorderbyop = true;
    am->amcanmulticol = true;
    am->amoptionalkey =
        true; // an index without scope columns is searched without a key on its first
    am->amsearchnulls = false;
    am->amparallelvacuumoptions = VACUUM_OPTION_PARALLEL_BULKDEL;
#if PG_VERSION_NUM >= 170000
    am->amcanbuildparallel = true; // before, build() asks for workers by itself
#endif
    am->ampredlocks = true;
    am->amkeytype = InvalidOid;
    am->ambuild = build;
    am->ambuildempty = build_empty;
    am->ambuildphasename = build_phase_name;
    am->aminsert = insert;
    am->ambulkdelete = bulk_delete;
    am->amvacuumcleanup = cleanup;
    am->amcostestimate = estimate_cost;
    am->amoptions = parse_options;
    am->amvalidate = validate;
    am->ambeginscan = begin_scan;
    am->amrescan = rescan;
    am->amgettuple = get_tuple;
    am->amgetbitmap = get_bitmap;
    am->amendscan = end_scan;
    return PointerGetDatum(am);
}

} // namespace memory::index
