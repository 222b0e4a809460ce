// aminsert: one row into the index.
#include "index/am.h"
#include "index/row.h"
#include "pg/entry.h"

namespace memory::index {

bool insert(Relation index, Datum *values, bool *nulls, ItemPointer tid, Relation, IndexUniqueCheck,
            bool, IndexInfo *info) {
    return pg::entry([&] {
        if (info->ii_AmCache == nullptr)
            info->ii_AmCache = pg::make_in<RowWriter>(info->ii_Context, index, info->ii_Context);
        static_cast<RowWriter *>(info->ii_AmCache)->add(index, values, nulls, *tid);
        return false;
    });
}

} // namespace memory::index
