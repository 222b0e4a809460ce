// Taking arrays apart.
#include "pg/arrays.h"

extern "C" {
#include "utils/array.h"
}

namespace memory::pg {

ArrayElements array_elements(const Place &place, Oid type, Datum array, Nulls nulls) {
    bool some_null = false;
    const ArrayElements found = call([&] {
        ArrayType *whole = DatumGetArrayTypeP(array);
        int16 length;
        bool by_value;
        char alignment;
        get_typlenbyvalalign(type, &length, &by_value, &alignment);
        Datum *values;
        bool *null;
        int count;
        some_null = array_contains_nulls(whole);
        deconstruct_array(whole, type, length, by_value, alignment, &values, &null, &count);
        std::size_t there = 0;
        for (int n = 0; n < count; ++n)
            if (!null[n])
                values[there++] = values[n];
        return ArrayElements{values, there};
    });
    if (some_null && nulls == Nulls::refused)
        throw Error(ERRCODE_NULL_VALUE_NOT_ALLOWED, "%s must not contain null",
                    place.text().data());
    return found;
}

} // namespace memory::pg
