// See json_fields.h.
#include "pg/json_fields.h"

#include "pg/attempt.h"
#include "pg/error.h"
#include "pg/memory.h"

extern "C" {
#include "utils/array.h"
#include "utils/fmgrprotos.h"
}

namespace memory::pg {

JsonFields::Place JsonFields::place() const noexcept {
    Place place{};
    std::snprintf(place.data(), place.size(), "%s[%zu]", array_, index_);
    return place;
}

JsonFields::Place JsonFields::place(const char *field) const noexcept {
    Place place{};
    std::snprintf(place.data(), place.size(), "%s[%zu].%s", array_, index_, field);
    return place;
}

void JsonFields::wrong_type(const char *field, const char *wanted, const JsonValue &value) const {
    throw Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must be %s, not %s", place(field).data(),
                wanted, value.described());
}

void JsonFields::check_is_object(const JsonValue &value) const {
    if (!value.is_object())
        throw Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must be an object, not %s", place().data(),
                    value.described());
}

void JsonFields::unknown_key(std::string_view name, const char *hint) const {
    const Quoted unknown(name);
    throw Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s has an unknown key \"%.*s\"", place().data(),
                unknown.length, unknown.text)
        .hint("%s", hint);
}

std::string_view JsonFields::text(const char *field, const JsonValue &value) const {
    const std::optional<std::string_view> string = value.string();
    if (!string)
        wrong_type(field, "a string", value);
    return *string;
}

// A JSON string as `input` (a type's input function) reads it.
Datum JsonFields::converted(const char *field, const JsonValue &value, PGFunction input) const {
    const std::string_view string = text(field, value);
    return naming(place(field).data(), [&] {
        return call([&] {
            return DirectFunctionCall3(input,
                                       CStringGetDatum(pnstrdup(string.data(), string.size())),
                                       ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
        });
    });
}

Datum JsonFields::object(const char *field, const JsonValue &value) const {
    if (!value.is_object())
        wrong_type(field, "an object", value);
    return value.to_jsonb();
}

float JsonFields::real(const char *field, const JsonValue &value) const {
    if (!value.is_number())
        wrong_type(field, "a number", value);
    return naming(place(field).data(), [&] { return DatumGetFloat4(value.to_float4()); });
}

Datum JsonFields::timestamp(const char *field, const JsonValue &value) const {
    return converted(field, value, timestamptz_in);
}

Datum JsonFields::interval(const char *field, const JsonValue &value) const {
    return converted(field, value, interval_in);
}

pg_uuid_t JsonFields::uuid(const char *field, const JsonValue &value) const {
    return *DatumGetUUIDP(converted(field, value, uuid_in));
}

Datum JsonFields::uuid_array(const char *field, const JsonValue &value) const {
    if (!value.is_array())
        wrong_type(field, "an array of strings", value);
    ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<Datum> ids(&memory);
    JsonWalk walk(value);
    while (const auto element = walk.next_element()) {
        check_for_interrupts();
        ids.push_back(converted(field, *element, uuid_in));
    }
    return call([&ids] {
        return PointerGetDatum(construct_array(ids.data(), static_cast<int>(ids.size()), UUIDOID,
                                               UUID_LEN, false, TYPALIGN_CHAR));
    });
}

Datum JsonFields::vector(const char *field, const JsonValue &value, Oid type) const {
    if (!value.is_array() && !value.string())
        wrong_type(field, "an array of numbers", value);
    const char *written = value.is_array() ? value.to_text() : nullptr;
    const std::string_view string = written ? written : *value.string();
    return naming(place(field).data(), [&] {
        return call([&] {
            Oid input;
            Oid parameter;
            getTypeInputInfo(type, &input, &parameter);
            return OidInputFunctionCall(input, pnstrdup(string.data(), string.size()), parameter,
                                        -1);
        });
    });
}

} // namespace memory::pg
