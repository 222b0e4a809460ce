// Arrays in: the elements of an SQL array, as a type of column.h. (Out: values.h.)
#pragma once

#include "pg/column.h"
#include "pg/given.h"

namespace memory::pg {

struct ArrayElements {
    Datum *values;
    std::size_t size;
};

// In the current memory context. An error that names `place` where one is NULL.
ArrayElements array_elements(const Place &place, Oid type, Datum array);

template <class Type>
auto elements_of(const Place &place, Datum array) {
    using Value = decltype(Type::read(Datum{}));
    const ArrayElements found = array_elements(place, Type::type(), array);
    auto *read = static_cast<Value *>(call([&] { return palloc(found.size * sizeof(Value)); }));
    std::transform(found.values, found.values + found.size, read, Type::read);
    return std::span<const Value>(read, found.size);
}

} // namespace memory::pg
