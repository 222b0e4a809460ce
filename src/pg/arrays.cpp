// Taking arrays apart.
#include "pg/arrays.h"

extern "C" {
#include "utils/array.h"
}

namespace memory::pg {

namespace {

struct Deconstructed {
    Datum *values;
    bool *nulls;
    int count;
};

// Plain: runs inside call().
Deconstructed deconstruct(ArrayType *array, Oid type) {
    int16 length;
    bool by_value;
    char alignment;
    get_typlenbyvalalign(type, &length, &by_value, &alignment);
    Deconstructed parts;
    deconstruct_array(array, type, length, by_value, alignment, &parts.values, &parts.nulls,
                      &parts.count);
    return parts;
}

} // namespace

void check_list(const Place &place, Datum array) {
    if (call([array] { return ARR_NDIM(DatumGetArrayTypeP(array)); }) > 1)
        throw Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must have one dimension",
                    place.text().data());
}

ArrayElements array_elements(Oid type, Datum array, bool *&nulls) {
    const Deconstructed parts = call([&] { return deconstruct(DatumGetArrayTypeP(array), type); });
    nulls = parts.nulls;
    return {parts.values, static_cast<std::size_t>(parts.count)};
}

ArrayElements array_elements(const Place &place, Oid type, Datum array, Nulls nulls) {
    bool some_null = false;
    const ArrayElements found = call([&] {
        ArrayType *whole = DatumGetArrayTypeP(array);
        some_null = array_contains_nulls(whole);
        const Deconstructed parts = deconstruct(whole, type);
        std::size_t there = 0;
        for (int n = 0; n < parts.count; ++n)
            if (!parts.nulls[n])
                parts.values[there++] = parts.values[n];
        return ArrayElements{parts.values, there};
    });
    if (some_null && nulls == Nulls::refused)
        throw Error(ERRCODE_NULL_VALUE_NOT_ALLOWED, "%s must not contain null",
                    place.text().data());
    return found;
}

} // namespace memory::pg
