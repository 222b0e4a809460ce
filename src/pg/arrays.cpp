// Taking arrays apart.
#include "pg/arrays.h"

extern "C" {
#include "utils/array.h"
}

namespace memory::pg {

ArrayElements array_elements(const Place &place, Oid type, Datum array) {
    bool some_null = false;
    const ArrayElements found = call([&] {
        ArrayType *whole = DatumGetArrayTypeP(array);
        int16 length;
        bool by_value;
        char alignment;
        get_typlenbyvalalign(type, &length, &by_value, &alignment);
        Datum *values;
        int count;
        some_null = array_contains_nulls(whole);
        bool *nulls = nullptr;
        deconstruct_array(whole, type, length, by_value, alignment, &values, &nulls, &count);
        return ArrayElements{values, static_cast<std::size_t>(count)};
    });
    if (some_null)
        throw Error(ERRCODE_NULL_VALUE_NOT_ALLOWED, "%s must not contain null",
                    place.text().data());
    return found;
}

} // namespace memory::pg
