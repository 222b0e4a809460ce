// Which type is pgvector's, and its values as they are written.
#include "pg/vector.h"

#include "pg/error.h"
#include "pg/watch.h"

extern "C" {
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "utils/catcache.h"
}

namespace memory::pg {

namespace {

constinit Oid known = InvalidOid;

// Whether a type reads its values by pgvector's function, in C: only a superuser can make such a
// type. Works inside one call().
bool is_pgvectors(Form_pg_type type) {
    HeapTuple row = SearchSysCache1(PROCOID, ObjectIdGetDatum(type->typinput));
    if (!HeapTupleIsValid(row))
        return false;
    bool null = false;
    const Datum symbol = SysCacheGetAttr(PROCOID, row, Anum_pg_proc_prosrc, &null);
    const bool found = reinterpret_cast<Form_pg_proc>(GETSTRUCT(row))->prolang == ClanguageId &&
                       !null && std::strcmp(TextDatumGetCString(symbol), "vector_in") == 0;
    ReleaseSysCache(row);
    return found;
}

Oid find_type() {
    return call([] {
        CatCList *types = SearchSysCacheList1(TYPENAMENSP, CStringGetDatum("vector"));
        Oid found = InvalidOid;
        for (int i = 0; i < types->n_members && !OidIsValid(found); ++i) {
            const auto type = reinterpret_cast<Form_pg_type>(GETSTRUCT(&types->members[i]->tuple));
            if (is_pgvectors(type))
                found = type->oid;
        }
        ReleaseCatCacheList(types);
        return found;
    });
}

void forget() noexcept { known = InvalidOid; }

} // namespace

Oid vector_type() {
    if (OidIsValid(known)) [[likely]]
        return known;
    watch_rows<forget, TYPEOID>();
    const Oid found = find_type();
    if (!OidIsValid(found))
        throw Error(ERRCODE_UNDEFINED_OBJECT, "extension vector is missing")
            .hint("Run CREATE EXTENSION vector.");
    return known = found;
}

const Vector &vector_from(std::string_view written) {
    const Oid type = vector_type();
    return vector_view(call([&] {
        Oid input;
        Oid parameter;
        getTypeInputInfo(type, &input, &parameter);
        return OidInputFunctionCall(input, pnstrdup(written.data(), written.size()), parameter, -1);
    }));
}

} // namespace memory::pg
