// Fields of a JSON object as values of SQL.
#include "pg/json_element.h"

#include "pg/attempt.h"
#include "pg/memory.h"
#include "pg/values.h"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace memory::pg {

JsonSource::JsonSource(const char *array, std::size_t index, const JsonValue &element)
    : array_(array), index_(index) {
    if (!element.is_object())
        throw Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must be an object, not %s",
                    place().text().data(), element.described());
    object_ = element.container();
}

void JsonSource::check_keys(const Signature &signature, const char *hint) const {
    JsonbValue whole{};
    whole.type = jbvBinary;
    whole.val.binary.data = object_;
    JsonWalk walk{JsonValue(whole)};
    while (const auto member = walk.next_member()) {
        if (signature.has(member->key))
            continue;
        const Quoted unknown(member->key);
        throw Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s has an unknown key \"%.*s\"",
                    place().text().data(), unknown.length, unknown.text)
            .hint("%s", hint);
    }
}

std::optional<JsonValue> JsonSource::find(const Field &field) const {
    JsonbValue value{};
    const bool found = call([&] {
        return getKeyJsonValueFromContainer(object_, field.name.data(),
                                            static_cast<int>(field.name.size()), &value);
    });
    return found && value.type != jbvNull ? std::optional(JsonValue(value)) : std::nullopt;
}

void JsonSource::throw_type(const Field &field, const char *wanted, const JsonValue &value) const {
    throw Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must be %s, not %s",
                place(field).text().data(), wanted, value.described());
}

std::string_view JsonSource::string_in(const Field &field, const JsonValue &value) const {
    const std::optional<std::string_view> string = value.string();
    if (!string)
        throw_type(field, "a string", value);
    return *string;
}

Datum JsonSource::converted(const Field &field, const JsonValue &value, PGFunction input) const {
    const std::string_view string = string_in(field, value);
    return naming(place(field).text().data(), [&] {
        return call([&] {
            return DirectFunctionCall3(input,
                                       CStringGetDatum(pnstrdup(string.data(), string.size())),
                                       ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
        });
    });
}

template <class Value, class Read>
Given<Value> JsonSource::given(const Field &field, Read read) const {
    const std::optional<JsonValue> value = find(field);
    if (!value)
        return {place(field), std::nullopt};
    return {place(field), read(*value)};
}

Given<std::string_view> JsonSource::text_at(const Field &field) const {
    return given<std::string_view>(field,
                                   [&](const JsonValue &value) { return string_in(field, value); });
}

Given<pg_uuid_t> JsonSource::uuid_at(const Field &field) const {
    return given<pg_uuid_t>(field, [&](const JsonValue &value) {
        return Uuid::read(converted(field, value, uuid_in));
    });
}

Given<std::int64_t> JsonSource::bigint_at(const Field &field) const {
    return given<std::int64_t>(field, [&](const JsonValue &value) {
        if (!value.is_number())
            throw_type(field, "a number", value);
        return parsing(place(field).text().data(), [&] {
            const char *written = value.to_text();
            return Int8::read(
                call([written] { return DirectFunctionCall1(int8in, CStringGetDatum(written)); }));
        });
    });
}

Given<double> JsonSource::real_at(const Field &field) const {
    return given<double>(field, [&](const JsonValue &value) {
        if (!value.is_number())
            throw_type(field, "a number", value);
        return naming(place(field).text().data(), [&] { return value.to_double(); });
    });
}

Given<Instant> JsonSource::instant_at(const Field &field) const {
    return given<Instant>(field, [&](const JsonValue &value) {
        return Instant{DatumGetTimestampTz(converted(field, value, timestamptz_in))};
    });
}

Given<Interval> JsonSource::interval_at(const Field &field) const {
    return given<Interval>(field, [&](const JsonValue &value) {
        return Length::read(converted(field, value, interval_in));
    });
}

Given<Document> JsonSource::json_at(const Field &field) const {
    return given<Document>(field,
                           [](const JsonValue &value) { return Document{value.to_jsonb()}; });
}

const Vector *JsonSource::vector_in(const Field &field, const JsonValue &value) const {
    if (!value.is_array() && !value.string())
        throw_type(field, "an array of numbers", value);
    const char *written = value.is_array() ? value.to_text() : nullptr;
    const std::string_view string = written != nullptr ? written : *value.string();
    return naming(place(field).text().data(), [&] { return &vector_from(string); });
}

Given<const Vector *> JsonSource::vector_at(const Field &field) const {
    return given<const Vector *>(field,
                                 [&](const JsonValue &value) { return vector_in(field, value); });
}

template <class Value, class Read>
Given<std::span<const Value>> JsonSource::given_array(const Field &field, const char *wanted,
                                                      Read read) const {
    return given<std::span<const Value>>(field, [&](const JsonValue &array) {
        if (!array.is_array())
            throw_type(field, wanted, array);
        const std::size_t size = JsonContainerSize(array.container());
        // NOLINTNEXTLINE(bugprone-sizeof-expression): Value may be a pointer
        auto *values = static_cast<Value *>(call([=] { return palloc(size * sizeof(Value)); }));
        JsonWalk walk(array);
        for (std::size_t n = 0; n < size; ++n) {
            check_for_interrupts();
            values[n] = read(*walk.next_element());
        }
        return std::span<const Value>(values, size);
    });
}

Given<std::span<const Vector *const>> JsonSource::vectors_at(const Field &field) const {
    return given_array<const Vector *>(field, "an array of arrays", [&](const JsonValue &value) {
        return vector_in(field, value);
    });
}

Given<std::span<const std::string_view>> JsonSource::list_at(const Field &field) const {
    return given_array<std::string_view>(field, "an array of strings", [&](const JsonValue &value) {
        return string_in(field, value);
    });
}

Given<std::span<const pg_uuid_t>> JsonSource::uuids_at(const Field &field) const {
    return given_array<pg_uuid_t>(field, "an array of strings", [&](const JsonValue &value) {
        return Uuid::read(converted(field, value, uuid_in));
    });
}

} // namespace memory::pg
