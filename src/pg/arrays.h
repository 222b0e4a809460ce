// Arrays in: the elements of an SQL array, as a type of column.h. (Out: values.h, and those of
// large elements here.)
#pragma once

#include "pg/column.h"
#include "pg/given.h"

namespace memory::pg {

struct ArrayElements {
    Datum *values;
    std::size_t size;
};

// What becomes of elements that are NULL: an error that names the place, or they are left out.
enum class Nulls { refused, left_out };

// An error when the array has more than one dimension.
void check_list(const Place &place, Datum array);

// In the current memory context.
ArrayElements array_elements(const Place &place, Oid type, Datum array, Nulls nulls);

template <class Type>
auto elements_of(const Place &place, Datum array, Nulls nulls = Nulls::refused) {
    using Value = decltype(Type::read(Datum{}));
    const ArrayElements found = array_elements(place, Type::type(), array, nulls);
    auto *read = static_cast<Value *>(call([&] { return palloc(found.size * sizeof(Value)); }));
    std::transform(found.values, found.values + found.size, read, Type::read);
    return std::span<const Value>(read, found.size);
}

// The elements as they are, NULL ones included.
ArrayElements array_elements(Oid type, Datum array, bool *&nulls);

template <class Type>
auto elements_or_null_of(Datum array) {
    using Value = std::optional<decltype(Type::read(Datum{}))>;
    bool *nulls;
    const ArrayElements found = array_elements(Type::type(), array, nulls);
    auto *read = static_cast<Value *>(call([&] { return palloc(found.size * sizeof(Value)); }));
    for (std::size_t n = 0; n < found.size; ++n)
        std::construct_at(read + n, nulls[n] ? std::nullopt : Value(Type::read(found.values[n])));
    return std::span<const Value>(read, found.size);
}

// A bigint[] as a column of rows (column.h).
struct Int8s {
    static Oid type() noexcept { return INT8ARRAYOID; }
    static std::span<const std::int64_t> read(Datum value) {
        return elements_of<Int8>({"numbers"}, value);
    }
};

// A uuid[] as a column of rows (column.h).
struct Uuids {
    static Oid type() noexcept { return UUIDARRAYOID; }
    static std::span<const pg_uuid_t> read(Datum value) {
        return elements_of<Uuid>({"ids"}, value);
    }
};

// A bytea[] whose elements are written in their places: large ones are not copied. In the current
// memory context; an error where it would be larger than a value can be.
class ByteaArray {
  public:
    // The size of each element; nothing: it is NULL.
    explicit ByteaArray(std::span<const std::optional<std::size_t>> sizes);

    // The element `n`, which is not NULL, to be written. The array must outlive it.
    std::span<std::uint8_t> element(std::size_t n) const { return elements_[n]; }
    Parameter parameter() const { return {BYTEAARRAYOID, PointerGetDatum(array_), false}; }

  private:
    struct ArrayType *array_;
    std::span<std::span<std::uint8_t>> elements_;
};

} // namespace memory::pg
