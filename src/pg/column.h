// SQL types as C++ reads them. A value is read only as what its column is declared to be: users may
// give the columns of our tables other types, and make tables with columns of the same names.
#pragma once

#include "pg/datum.h"

namespace memory::pg {

// Each has the type of its values and how one is read. Views live as long as the row, or in the
// current memory context where they had to be detoasted. (pgvector's: Vectors in vector.h.)
struct Text {
    static Oid type() noexcept { return TEXTOID; }
    static std::string_view read(Datum value) { return text_view(value); }
};
struct Bytea {
    static Oid type() noexcept { return BYTEAOID; }
    static Bytes read(Datum value) { return bytes_of(text_view(value)); }
};
// The same in the current memory context, so that it outlives its row. A large one is brought from
// its own table anyway, and not copied once more.
struct OwnBytea {
    static Oid type() noexcept { return BYTEAOID; }
    static Bytes read(Datum value) {
        const varlena *own = call([value] {
            return pg_detoast_datum_copy(reinterpret_cast<varlena *>(DatumGetPointer(value)));
        });
        return bytes_of({VARDATA_ANY(own), VARSIZE_ANY_EXHDR(own)});
    }
};
struct Uuid {
    static Oid type() noexcept { return UUIDOID; }
    static pg_uuid_t read(Datum value) noexcept { return *DatumGetUUIDP(value); }
};
struct Bool {
    static Oid type() noexcept { return BOOLOID; }
    static bool read(Datum value) noexcept { return DatumGetBool(value); }
};
struct Int2 {
    static Oid type() noexcept { return INT2OID; }
    static std::int16_t read(Datum value) noexcept { return DatumGetInt16(value); }
};
struct Int4 {
    static Oid type() noexcept { return INT4OID; }
    static std::int32_t read(Datum value) noexcept { return DatumGetInt32(value); }
};
struct Int8 {
    static Oid type() noexcept { return INT8OID; }
    static std::int64_t read(Datum value) noexcept { return DatumGetInt64(value); }
};
struct Float4 {
    static Oid type() noexcept { return FLOAT4OID; }
    static float read(Datum value) noexcept { return DatumGetFloat4(value); }
};
struct Float8 {
    static Oid type() noexcept { return FLOAT8OID; }
    static double read(Datum value) noexcept { return DatumGetFloat8(value); }
};
struct Time {
    static Oid type() noexcept { return TIMESTAMPTZOID; }
    static TimestampTz read(Datum value) noexcept { return DatumGetTimestampTz(value); }
};
struct Json {
    static Oid type() noexcept { return JSONBOID; }
    static Datum read(Datum value) noexcept { return value; }
};
struct ObjectId {
    static Oid type() noexcept { return OIDOID; }
    static Oid read(Datum value) noexcept { return DatumGetObjectId(value); }
};
struct Tid {
    static Oid type() noexcept { return TIDOID; }
    static ItemPointerData read(Datum value) noexcept {
        return *reinterpret_cast<ItemPointer>(DatumGetPointer(value));
    }
};

namespace detail {

// An error unless `shape` has `column` (from 0), and values of its type are as those of `type` are:
// a varchar is read as a text.
void check_other_type(TupleDesc shape, int column, Oid type);
[[noreturn]] void throw_null(TupleDesc shape, int column);

} // namespace detail

// An error unless the values in `column` (from 0) of rows of this shape can be read as Type.
template <class Type>
void check_column(TupleDesc shape, int column) {
    if (column < 0 || column >= shape->natts ||
        TupleDescAttr(shape, column)->atttypid != Type::type()) [[unlikely]]
        detail::check_other_type(shape, column, Type::type());
}

// The value as Type; nothing when it is NULL.
template <class Type>
auto read_or_null(TupleDesc shape, int column, const NullableDatum &value) {
    using Value = decltype(Type::read(Datum{}));
    check_column<Type>(shape, column);
    return value.isnull ? std::nullopt : std::optional<Value>(Type::read(value.value));
}

// An error when it is NULL.
template <class Type>
decltype(auto) read_not_null(TupleDesc shape, int column, const NullableDatum &value) {
    check_column<Type>(shape, column);
    if (value.isnull) [[unlikely]]
        detail::throw_null(shape, column);
    return Type::read(value.value);
}

} // namespace memory::pg
