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

namespace {

// As arrays of variable length are aligned.
constexpr std::size_t element_bytes(std::size_t size) { return INTALIGN(VARHDRSZ + size); }

// Plain: runs inside call().
ArrayType *new_array(std::size_t count, std::size_t header, std::size_t bytes, bool nulls) {
    if (!AllocSizeIsValid(header + bytes))
        ereport(ERROR, errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
                errmsg("array size exceeds the maximum allowed (%zu)", MaxAllocSize));
    auto *array = static_cast<ArrayType *>(palloc(header + bytes));
    std::memset(array, 0, header);
    SET_VARSIZE(array, header + bytes);
    array->ndim = 1;
    array->dataoffset = nulls ? static_cast<int32>(header) : 0;
    array->elemtype = BYTEAOID;
    *ARR_DIMS(array) = static_cast<int>(count);
    *ARR_LBOUND(array) = 1;
    return array;
}

} // namespace

ByteaArray::ByteaArray(std::span<const std::optional<std::size_t>> sizes) {
    using Element = std::span<std::uint8_t>;
    std::size_t bytes = 0;
    for (const std::optional<std::size_t> &size : sizes)
        bytes += size ? element_bytes(*size) : 0;
    const auto count = static_cast<int>(sizes.size());
    const bool nulls = std::ranges::any_of(sizes, [](const auto &size) { return !size; });
    const std::size_t header = nulls ? ARR_OVERHEAD_WITHNULLS(1, count) : ARR_OVERHEAD_NONULLS(1);
    call([&] {
        array_ = sizes.empty() ? construct_empty_array(BYTEAOID)
                               : new_array(sizes.size(), header, bytes, nulls);
        elements_ = {static_cast<Element *>(palloc0(sizes.size() * sizeof(Element))), sizes.size()};
    });
    char *at = reinterpret_cast<char *>(array_) + header;
    for (std::size_t n = 0; n < sizes.size(); ++n) {
        if (!sizes[n])
            continue;
        SET_VARSIZE(at, VARHDRSZ + *sizes[n]);
        elements_[n] = {reinterpret_cast<std::uint8_t *>(VARDATA(at)), *sizes[n]};
        std::memset(VARDATA(at) + *sizes[n], 0, element_bytes(*sizes[n]) - VARHDRSZ - *sizes[n]);
        at += element_bytes(*sizes[n]);
        if (nulls)
            ARR_NULLBITMAP(array_)[n / 8] |= static_cast<bits8>(1 << (n % 8));
    }
}

} // namespace memory::pg
