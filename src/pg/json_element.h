// One element of a JSON array as the arguments of a function: its keys are their names, null is
// "not given", and errors name the place ("episodes[3].ttl").
#pragma once

#include "pg/json.h"
#include "pg/named.h"

namespace memory::pg {

class JsonSource {
  public:
    // `array` is the name of the argument; a literal. An error when `element` is no object.
    JsonSource(const char *array, std::size_t index, const JsonValue &element);

    // "episodes[3]".
    Place place() const noexcept { return {{}, array_, index_}; }

  protected:
    // An error when it has a key that is none of these names.
    void check_keys(const Signature &signature, const char *hint) const;

    // The values as SQL has them, in the current memory context; an error when the JSON is of
    // another type or the type's input function refuses it.
    Given<std::string_view> text_at(const Field &field) const;
    Given<pg_uuid_t> uuid_at(const Field &field) const;
    Given<std::int64_t> bigint_at(const Field &field) const;
    Given<double> real_at(const Field &field) const;
    Given<Instant> instant_at(const Field &field) const;
    Given<Interval> interval_at(const Field &field) const;
    Given<Document> json_at(const Field &field) const;
    // [0.1, 0.2] as well as "[0.1,0.2]": a JSON array is written as pgvector writes a vector.
    Given<const Vector *> vector_at(const Field &field) const;
    Given<std::span<const Vector *const>> vectors_at(const Field &field) const;
    // An element that is null is an error.
    Given<std::span<const std::string_view>> list_at(const Field &field) const;
    Given<std::span<const pg_uuid_t>> uuids_at(const Field &field) const;

  private:
    template <class Value, class Read>
    Given<Value> given(const Field &field, Read read) const;
    template <class Value, class Read>
    Given<std::span<const Value>> given_array(const Field &field, const char *wanted,
                                              Read read) const;
    std::optional<JsonValue> find(const Field &field) const;
    Place place(const Field &field) const noexcept { return {field.name, array_, index_}; }
    [[noreturn]] void throw_type(const Field &field, const char *wanted,
                                 const JsonValue &value) const;
    std::string_view string_in(const Field &field, const JsonValue &value) const;
    const Vector *vector_in(const Field &field, const JsonValue &value) const;
    // A JSON string as `input` (a type's input function) reads it.
    Datum converted(const Field &field, const JsonValue &value, PGFunction input) const;

    const char *array_;
    std::size_t index_;
    JsonbContainer *object_;
};

// `signature` is that of the function whose arguments the elements have.
template <const Signature &signature>
class JsonElement : public Named<signature, JsonSource> {
  public:
    JsonElement(const char *array, std::size_t index, const JsonValue &element, const char *hint)
        : Named<signature, JsonSource>(array, index, element) {
        this->check_keys(signature, hint);
    }
};

} // namespace memory::pg
