// amvalidate: an operator class of ours has `=`, and for texts @@@ and <@>.
#include "index/am.h"
#include "pg/entry.h"

extern "C" {
#include "access/amvalidate.h"
#include "access/htup_details.h"
#include "catalog/pg_amop.h"
#include "catalog/pg_opclass.h"
#include "utils/catcache.h"
}

namespace memory::index {

namespace {

bool operators_are_valid(Oid family) {
    CatCList *operators = SearchSysCacheList1(AMOPSTRATEGY, ObjectIdGetDatum(family));
    bool valid = true;
    for (int i = 0; i < operators->n_members; ++i) {
        const auto *entry =
            reinterpret_cast<Form_pg_amop>(GETSTRUCT(&operators->members[i]->tuple));
        const bool orders = entry->amopstrategy == distance;
        if (entry->amopstrategy < equals || entry->amopstrategy > distance ||
            (entry->amoppurpose == AMOP_ORDER) != orders) {
            ereport(INFO, (errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
                           errmsg("operator family %u of access method recall contains an operator "
                                  "with invalid strategy %d",
                                  family, entry->amopstrategy)));
            valid = false;
        }
    }
    ReleaseCatCacheList(operators);
    return valid;
}

} // namespace

bool validate(Oid opclass) {
    return pg::entry([=] {
        return pg::call([=] {
            HeapTuple row = SearchSysCache1(CLAOID, ObjectIdGetDatum(opclass));
            if (!HeapTupleIsValid(row))
                elog(ERROR, "cache lookup failed for operator class %u", opclass);
            const Oid family = reinterpret_cast<Form_pg_opclass>(GETSTRUCT(row))->opcfamily;
            ReleaseSysCache(row);
            return operators_are_valid(family);
        });
    });
}

} // namespace memory::index
