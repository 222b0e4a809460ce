// What PostgreSQL writes and reads by settings of the session (times, floats, bytea) is written
// here without them; the rest by the types' own functions.
#include "lines/value.h"

#include "pg/arrays.h"
#include "pg/attempt.h"
#include "pg/error.h"
#include "pg/vector.h"

#include <cmath>

extern "C" {
#include "common/base64.h"
#include "utils/builtins.h"
#include "utils/datetime.h"
#include "utils/fmgrprotos.h"
#include "utils/json.h"
#include "utils/timestamp.h"
}

namespace memory::lines {

namespace {

using schema::Column;
using schema::Type;

// The greatest whole number up to which doubles tell all apart: JavaScript and others read every
// number as one.
constexpr std::int64_t most_exact = std::int64_t{1} << 53;

// What the columns of a type hold.
struct Kind {
    Oid type;
    Oid element; // of an array
};
Kind kind_of(Type type) {
    switch (type) {
    case Type::name:
    case Type::text:
        return {TEXTOID, InvalidOid};
    case Type::uuid:
        return {UUIDOID, InvalidOid};
    case Type::instant:
        return {TIMESTAMPTZOID, InvalidOid};
    case Type::flag:
        return {BOOLOID, InvalidOid};
    case Type::int4:
        return {INT4OID, InvalidOid};
    case Type::int8:
        return {INT8OID, InvalidOid};
    case Type::float4:
        return {FLOAT4OID, InvalidOid};
    case Type::float8:
        return {FLOAT8OID, InvalidOid};
    case Type::jsonb:
        return {JSONBOID, InvalidOid};
    case Type::bytes:
        return {BYTEAOID, InvalidOid};
    case Type::interval:
        return {INTERVALOID, InvalidOid};
    case Type::int8s:
        return {INT8ARRAYOID, INT8OID};
    case Type::names:
    case Type::texts:
        return {TEXTARRAYOID, TEXTOID};
    case Type::uuids:
        return {UUIDARRAYOID, UUIDOID};
    case Type::vector:
        return {pg::vector_type(), InvalidOid};
    }
    return {};
}

// --- out
// ------------------------------------------------------------------------------------------

// As the type's output function has it: for types whose text no setting changes.
const char *text_of(Oid type, Datum value) {
    return pg::call([=] {
        Oid output;
        bool is_varlena;
        getTypeOutputInfo(type, &output, &is_varlena);
        return OidOutputFunctionCall(output, value);
    });
}

// ISO 8601, whatever the session's style is.
const char *written_length(Datum interval) {
    struct InIsoStyle {
        int before = std::exchange(IntervalStyle, INTSTYLE_ISO_8601);
        ~InIsoStyle() { IntervalStyle = before; }
    };
    const InIsoStyle style;
    return text_of(INTERVALOID, interval);
}

// The bytes of what base64.h works on: of a type of their own from PostgreSQL 18 on.
template <class Byte>
int encode(int (*as_base64)(const Byte *, int, char *, int), pg::Bytes from, char *to, int most) {
    return as_base64(reinterpret_cast<const Byte *>(from.data()), static_cast<int>(from.size()), to,
                     most);
}
template <class Byte>
int decode(int (*of_base64)(const char *, int, Byte *, int), std::string_view from, void *to,
           int most) {
    return of_base64(from.data(), static_cast<int>(from.size()), static_cast<Byte *>(to), most);
}

// A string of JSON ends there, in jsonb.
constexpr std::size_t longest_string = JENTRY_OFFLENMASK;

std::string_view written_bytes(pg::Bytes bytes) {
    if (bytes.size() / 3 * 4 >= longest_string)
        throw pg::Error(ERRCODE_PROGRAM_LIMIT_EXCEEDED,
                        "a value of %zu bytes is too long for a line", bytes.size());
    return pg::call([bytes] {
        const int most = pg_b64_enc_len(static_cast<int>(bytes.size()));
        auto *text = static_cast<char *>(palloc(static_cast<Size>(most) + 1));
        const int size = encode(pg_b64_encode, bytes, text, most);
        return std::string_view(text, static_cast<std::size_t>(size));
    });
}

void write_number(pg::JsonWriter &to, const char *name, std::int64_t number) {
    if (number >= -most_exact && number <= most_exact)
        return to.add(name, number);
    to.add(name, text_of(INT8OID, Int64GetDatum(number)));
}

// jsonb's numbers know no infinity and no negative zero.
void write_real(pg::JsonWriter &to, const char *name, double number) {
    if (std::isfinite(number) && !(number == 0 && std::signbit(number)))
        return to.add(name, number);
    to.add(name, std::isnan(number) ? "NaN"
                 : number == 0      ? "-0"
                 : number > 0       ? "Infinity"
                                    : "-Infinity");
}

void write_array(pg::JsonWriter &to, const char *name, Oid element, Datum array) {
    bool *nulls;
    const pg::ArrayElements found = pg::array_elements(element, array, nulls);
    to.begin_array(name);
    for (std::size_t n = 0; n < found.size; ++n)
        if (nulls[n])
            to.add_null(nullptr);
        else if (element == INT8OID)
            write_number(to, nullptr, DatumGetInt64(found.values[n]));
        else if (element == TEXTOID)
            to.add(nullptr, pg::text_view(found.values[n]));
        else
            to.add(nullptr, text_of(element, found.values[n]));
    to.end_array();
}

// --- in
// -------------------------------------------------------------------------------------------

// A member of a line on its way in: its place for messages, and what is there.
struct Member {
    const char *name;
    pg::JsonValue value;

    [[noreturn]] void throw_type(const char *wanted) const {
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must be %s, not %s", name, wanted,
                        value.described());
    }
    std::string_view string() const {
        if (!value.string())
            throw_type("a string");
        return *value.string();
    }
};

// As the type's input function reads it.
Datum as_type(Oid type, const Member &member, const char *text) {
    return pg::naming(member.name, [=] {
        return pg::call([=] {
            Oid input;
            Oid parameter;
            getTypeInputInfo(type, &input, &parameter);
            return OidInputFunctionCall(input, const_cast<char *>(text), parameter, -1);
        });
    });
}

Datum bytes_in(const Member &member) {
    const std::string_view text = member.string();
    auto *bytes = pg::call([text] {
        const int most = pg_b64_dec_len(static_cast<int>(text.size()));
        auto *decoded = static_cast<varlena *>(palloc(static_cast<Size>(most) + VARHDRSZ));
        const int size = decode(pg_b64_decode, text, VARDATA(decoded), most);
        SET_VARSIZE(decoded, std::max(size, 0) + VARHDRSZ);
        return size < 0 ? nullptr : decoded;
    });
    if (bytes == nullptr)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s is no base64", member.name);
    return PointerGetDatum(bytes);
}

bool truth_in(const Member &member) {
    if (member.value.raw().type != jbvBool)
        member.throw_type("true or false");
    return member.value.is_true();
}

// A number, or its digits as a string.
const char *number_in(const Member &member) {
    if (member.value.is_number())
        return member.value.to_text();
    if (!member.value.string())
        member.throw_type("a number");
    return pg::c_string(member.string());
}

Datum scalar_in(Oid type, const Member &member) {
    switch (type) {
    case TEXTOID:
        return pg::to_datum(member.string());
    case BYTEAOID:
        return bytes_in(member);
    case JSONBOID:
        return member.value.to_jsonb();
    case BOOLOID:
        return BoolGetDatum(truth_in(member));
    case INT4OID:
    case INT8OID:
    case FLOAT4OID:
    case FLOAT8OID:
        return as_type(type, member, number_in(member));
    default:
        return as_type(type, member, pg::c_string(member.string()));
    }
}

pg::Parameter array_in(Oid element, const Member &member) {
    if (!member.value.is_array())
        member.throw_type("an array");
    pg::ContextResource memory(CurrentMemoryContext);
    const std::size_t size = JsonContainerSize(member.value.container());
    std::pmr::vector<Datum> values(&memory);
    values.reserve(size);
    auto *nulls = static_cast<bool *>(pg::call([size] { return palloc(size + 1); }));
    pg::JsonWalk walk(member.value);
    while (const auto one = walk.next_element()) {
        pg::check_for_interrupts();
        nulls[values.size()] = one->is_null();
        values.push_back(one->is_null() ? Datum{0} : scalar_in(element, {member.name, *one}));
    }
    return pg::Parameter::array(element, values, {nulls, size});
}

} // namespace

const char *utc_time(TimestampTz time) {
    return pg::call([time] {
        const int utc = 0;
        return JsonEncodeDateTime(nullptr, TimestampTzGetDatum(time), TIMESTAMPTZOID, &utc);
    });
}

void write(pg::JsonWriter &to, const Column &column, TupleDesc shape, int place,
           const NullableDatum &value) {
    const Kind kind = kind_of(column.type);
    pg::detail::check_other_type(shape, place, kind.type);
    if (value.isnull)
        return to.add_null(column.name);
    switch (column.type) {
    case Type::name:
    case Type::text:
        return to.add(column.name, pg::text_view(value.value));
    case Type::uuid:
    case Type::vector:
        return to.add(column.name, text_of(kind.type, value.value));
    case Type::instant:
        return to.add(column.name, utc_time(DatumGetTimestampTz(value.value)));
    case Type::flag:
        return to.add(column.name, DatumGetBool(value.value));
    case Type::int4:
        return write_number(to, column.name, DatumGetInt32(value.value));
    case Type::int8:
        return write_number(to, column.name, DatumGetInt64(value.value));
    case Type::float4:
        return write_real(to, column.name, DatumGetFloat4(value.value));
    case Type::float8:
        return write_real(to, column.name, DatumGetFloat8(value.value));
    case Type::jsonb:
        return to.add(column.name, pg::Document{value.value});
    case Type::bytes:
        return to.add(column.name, written_bytes(pg::Bytea::read(value.value)));
    case Type::interval:
        return to.add(column.name, written_length(value.value));
    case Type::int8s:
    case Type::names:
    case Type::texts:
    case Type::uuids:
        return write_array(to, column.name, kind.element, value.value);
    }
}

pg::Parameter read(const Column &column, const char *name,
                   const std::optional<pg::JsonValue> &value) {
    const Kind kind = kind_of(column.type);
    if (!value)
        return pg::Parameter::absent(kind.type);
    if (OidIsValid(kind.element))
        return array_in(kind.element, {name, *value});
    return {kind.type, scalar_in(kind.type, {name, *value}), false};
}

} // namespace memory::lines
