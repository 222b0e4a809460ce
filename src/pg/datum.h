// Values between C++ and Datum.
#pragma once

#include "pg/call.h"

extern "C" {
#include "access/detoast.h"
#include "utils/datum.h"
}

namespace memory::pg {

// The bytes of a text or varchar value; detoasted into the current memory context if it must be.
inline std::string_view text_view(Datum value) {
    auto *packed = reinterpret_cast<varlena *>(DatumGetPointer(value));
    // A value out of line passes for a short one, too.
    if (VARATT_IS_EXTERNAL(packed) || VARATT_IS_COMPRESSED(packed))
        packed = call([=] { return pg_detoast_datum_packed(packed); });
    return {VARDATA_ANY(packed), VARSIZE_ANY_EXHDR(packed)};
}

// Bytes, of a bytea as of anything else.
using Bytes = std::span<const std::uint8_t>;
inline Bytes bytes_of(std::string_view text) noexcept {
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}
inline std::string_view text_of(Bytes bytes) noexcept {
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

// The size of a text or varchar value in bytes, without fetching it.
inline std::size_t text_size(Datum value) {
    return call([value] { return toast_raw_datum_size(value); }) - VARHDRSZ;
}

// A text value in the current memory context.
inline Datum to_datum(std::string_view text) {
    return call([&] {
        if (text.size() > MaxAllocSize - VARHDRSZ)
            ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
                            errmsg("a text of %zu bytes is too long", text.size())));
        return PointerGetDatum(
            cstring_to_text_with_len(text.data(), static_cast<int>(text.size())));
    });
}

// A bytea is laid out as a text.
inline Datum to_datum(Bytes bytes) { return to_datum(text_of(bytes)); }

// The same bytes in the current memory context: what must outlive the row it stands in.
inline std::string_view copied_text(std::string_view text) { return text_view(to_datum(text)); }

// The same as a C string.
inline const char *c_string(std::string_view text) {
    return call([text] { return pnstrdup(text.data(), text.size()); });
}

// Only for a bool: a pointer must not become one.
template <std::same_as<bool> Bool>
Datum to_datum(Bool value) {
    return BoolGetDatum(value);
}
inline Datum to_datum(std::int32_t value) { return Int32GetDatum(value); }
inline Datum to_datum(Oid value) { return ObjectIdGetDatum(value); }
inline Datum to_datum(std::int64_t value) { return Int64GetDatum(value); }
inline Datum to_datum(float value) { return Float4GetDatum(value); }
inline Datum to_datum(double value) { return Float8GetDatum(value); }
// A copy of `value` in `context`.
inline Datum to_datum(const pg_uuid_t &value, MemoryContext context) {
    auto *copy = static_cast<pg_uuid_t *>(
        call([context] { return MemoryContextAlloc(context, sizeof(pg_uuid_t)); }));
    *copy = value;
    return UUIDPGetDatum(copy);
}
inline Datum to_datum(const pg_uuid_t &value) { return to_datum(value, CurrentMemoryContext); }

// Values that have no type of their own in C++.
struct Instant {
    TimestampTz time;
};
struct Document {
    Datum jsonb;
};
inline Datum to_datum(Instant value) { return TimestampTzGetDatum(value.time); }
inline Datum to_datum(Document value) { return value.jsonb; }
// The same in the current memory context.
inline Document copied(Document value) {
    return {call([value] { return datumCopy(value.jsonb, false, -1); })};
}
inline Datum to_datum(const Interval &value) {
    auto *copy = static_cast<Interval *>(call([] { return palloc(sizeof(Interval)); }));
    *copy = value;
    return IntervalPGetDatum(copy);
}

// A column of a row of this shape, as heap_getattr gives it. That one is inline, and the newest
// minors' calls a function that older minors do not have, so that a library built with it does not
// load there.
inline Datum column_value(HeapTuple row, int number, TupleDesc shape, bool *null) {
    return SPI_getbinval(row, shape, number, null);
}

// One argument of a prepared statement.
struct Parameter {
    Oid type;
    Datum value;
    bool null;

    static Parameter text(std::string_view value) { return {TEXTOID, to_datum(value), false}; }
    static Parameter text(std::optional<std::string_view> value) {
        return value ? text(*value) : absent(TEXTOID);
    }
    // `value` must outlive the statement.
    static Parameter uuid(const pg_uuid_t &value) {
        return {UUIDOID, UUIDPGetDatum(&value), false};
    }
    static Parameter of(Oid type, std::optional<Datum> value) {
        return {type, value.value_or(Datum{0}), !value.has_value()};
    }
    // An array of these, of `type`, none of them NULL; in the current memory context.
    static Parameter array(Oid type, std::span<const Datum> elements) {
        const Datum value = call([=] {
            int16 length;
            bool by_value;
            char alignment;
            get_typlenbyvalalign(type, &length, &by_value, &alignment);
            return PointerGetDatum(construct_array(const_cast<Datum *>(elements.data()),
                                                   static_cast<int>(elements.size()), type, length,
                                                   by_value, alignment));
        });
        return {array_type(type), value, false};
    }
    // The same where some are NULL: as many flags as elements.
    static Parameter array(Oid type, std::span<const Datum> elements, std::span<const bool> nulls) {
        const Datum value = call([=] {
            int16 length;
            bool by_value;
            char alignment;
            get_typlenbyvalalign(type, &length, &by_value, &alignment);
            int size = static_cast<int>(elements.size());
            int from = 1;
            if (size == 0)
                return PointerGetDatum(construct_empty_array(type));
            return PointerGetDatum(construct_md_array(const_cast<Datum *>(elements.data()),
                                                      const_cast<bool *>(nulls.data()), 1, &size,
                                                      &from, type, length, by_value, alignment));
        });
        return {array_type(type), value, false};
    }
    static Parameter absent(Oid type) { return {type, Datum{0}, true}; }
    static Parameter absent_array(Oid of) { return absent(array_type(of)); }

  private:
    static Oid array_type(Oid of) {
        return call([of] { return get_array_type(of); });
    }
};

} // namespace memory::pg
