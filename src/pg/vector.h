// pgvector's type `vector`, as it lies in a row. Its layout is its on-disk format: it has not
// changed since the first release, and every dump and index of its users depends on it.
#pragma once

#include "pg/column.h"

namespace memory::pg {

struct Vector {
    std::int32_t varlena_header;
    std::int16_t dimensions;
    std::int16_t unused;
    float values[1]; // really `dimensions` of them

    static constexpr std::size_t header_size = 8;
    static constexpr int most_dimensions = 16000;

    std::span<const float> elements() const noexcept {
        return {values, static_cast<std::size_t>(dimensions)};
    }
};
static_assert(offsetof(Vector, values) == Vector::header_size);

// The vector behind a Datum; detoasted into the current memory context if it must be.
inline const Vector &vector_view(Datum value) {
    if (const void *there = DatumGetPointer(value); !VARATT_IS_EXTENDED(there)) [[likely]]
        return *static_cast<const Vector *>(there);
    return *call([value] { return reinterpret_cast<const Vector *>(PG_DETOAST_DATUM(value)); });
}

// The oid of pgvector's type, whatever schema it is in.
Oid vector_type();

// Vectors as columns of rows (column.h).
struct Vectors {
    static Oid type() { return vector_type(); }
    static const Vector &read(Datum value) { return vector_view(value); }
};

// The same where they are elements of an array.
struct VectorPointers {
    static Oid type() { return vector_type(); }
    static const Vector *read(Datum value) { return &vector_view(value); }
};

// A vector as pgvector reads it, in the current memory context.
const Vector &vector_from(std::string_view written);

// A new vector of zeros in the current memory context.
inline Vector *make_vector(int dimensions) {
    const std::size_t size =
        Vector::header_size + sizeof(float) * static_cast<std::size_t>(dimensions);
    auto *vector = static_cast<Vector *>(call([size] { return palloc0(size); }));
    SET_VARSIZE(vector, size);
    vector->dimensions = static_cast<std::int16_t>(dimensions);
    return vector;
}

} // namespace memory::pg
