// The arguments of a call as values, its results, and memory_signatures(), by which tests compare
// what functions say of their arguments with the catalog.
#include "pg/function_call.h"

#include "pg/arrays.h"

extern "C" {
[[gnu::weak,
  gnu::visibility(
      "hidden")]] extern const memory::pg::ListedFunction *const __start_memory_functions[];
[[gnu::weak,
  gnu::visibility(
      "hidden")]] extern const memory::pg::ListedFunction *const __stop_memory_functions[];
}

namespace memory::pg {

template <class Value, class Read>
Given<Value> CallSource::given(const Field &field, Read read) const {
    if (!arguments_.has(field.place))
        return {{field.name}, std::nullopt};
    return {{field.name}, read(arguments_.datum(field.place))};
}

Given<std::string_view> CallSource::text_at(const Field &field) const {
    return given<std::string_view>(field, text_view);
}

Given<pg_uuid_t> CallSource::uuid_at(const Field &field) const {
    return given<pg_uuid_t>(field, Uuid::read);
}

Given<std::int64_t> CallSource::bigint_at(const Field &field) const {
    return given<std::int64_t>(field, Int8::read);
}

Given<double> CallSource::real_at(const Field &field) const {
    return given<double>(field, Float8::read);
}

Given<bool> CallSource::boolean_at(const Field &field) const {
    return given<bool>(field, Bool::read);
}

Given<Oid> CallSource::role_at(const Field &field) const {
    return given<Oid>(field, ObjectId::read);
}

Given<Instant> CallSource::instant_at(const Field &field) const {
    return given<Instant>(field, [](Datum value) { return Instant{DatumGetTimestampTz(value)}; });
}

Given<Interval> CallSource::interval_at(const Field &field) const {
    return given<Interval>(field, Length::read);
}

Given<Document> CallSource::json_at(const Field &field) const {
    return given<Document>(field, [](Datum value) { return Document{value}; });
}

Given<const Vector *> CallSource::vector_at(const Field &field) const {
    return given<const Vector *>(field, [](Datum value) { return &vector_view(value); });
}

Given<std::span<const Vector *const>> CallSource::vectors_at(const Field &field) const {
    return given<std::span<const Vector *const>>(field, [&](Datum value) {
        check_list({field.name}, value);
        return elements_of<VectorPointers>({field.name}, value);
    });
}

Given<std::span<const std::string_view>> CallSource::texts_at(const Field &field) const {
    return given<std::span<const std::string_view>>(
        field, [&](Datum value) { return elements_of<Text>({field.name}, value); });
}

Given<std::span<const std::string_view>> CallSource::list_at(const Field &field) const {
    return given<std::span<const std::string_view>>(field, [&](Datum value) {
        check_list({field.name}, value);
        return elements_of<Text>({field.name}, value);
    });
}

Given<std::span<const std::string_view>> CallSource::texts_there_at(const Field &field) const {
    return given<std::span<const std::string_view>>(field, [&](Datum value) {
        return elements_of<Text>({field.name}, value, Nulls::left_out);
    });
}

Given<std::span<const Document>> CallSource::jsons_at(const Field &field) const {
    return given<std::span<const Document>>(field, [&](Datum value) {
        check_list({field.name}, value);
        const std::span<const Datum> found = elements_of<Json>({field.name}, value);
        auto *documents =
            static_cast<Document *>(call([&] { return palloc(found.size() * sizeof(Document)); }));
        std::transform(found.begin(), found.end(), documents,
                       [](Datum jsonb) { return Document{jsonb}; });
        return std::span<const Document>(documents, found.size());
    });
}

Given<std::span<const pg_uuid_t>> CallSource::uuids_at(const Field &field) const {
    return given<std::span<const pg_uuid_t>>(
        field, [&](Datum value) { return elements_of<Uuid>({field.name}, value); });
}

Given<std::span<const std::int64_t>> CallSource::bigints_at(const Field &field) const {
    return given<std::span<const std::int64_t>>(
        field, [&](Datum value) { return elements_of<Int8>({field.name}, value); });
}

Given<std::span<const std::optional<Bytes>>> CallSource::byteas_at(const Field &field) const {
    return given<std::span<const std::optional<Bytes>>>(field, elements_or_null_of<Bytea>);
}

Datum CallSource::result_of(const Values &value) {
    return value.nulls()[0] == 'n' ? null() : value.values()[0];
}

Datum CallSource::result(Document value) {
    const SwitchedContext switched(memory_);
    return copied(value).jsonb;
}

Datum CallSource::row(const Values &values) {
    const SwitchedContext switched(memory_);
    return composite_datum(arguments_, values);
}

// Rows (symbol, names, types). Not declared in the extension: tests declare it.
MEMORY_FUNCTION(memory_signatures) {
    ResultSet result(arguments);
    for (const ListedFunction *one : std::span(__start_memory_functions, __stop_memory_functions)) {
        std::array<std::string_view, Signature::most> names;
        std::array<std::string_view, Signature::most> types;
        const std::size_t size = one->signature->size();
        for (std::size_t n = 0; n < size; ++n) {
            names[n] = (*one->signature)[n].name;
            types[n] = (*one->signature)[n].type;
        }
        result.add({std::string_view(one->symbol), std::span(names).first(size),
                    std::span(types).first(size)});
    }
    return Datum{0};
}

} // namespace memory::pg
