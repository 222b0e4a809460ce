// One element of a JSON array as the arguments of a function: values by their types, and errors
// that name the place ("episodes[3].ttl").
#pragma once

#include "pg/json.h"

namespace memory::pg {

class JsonFields {
  public:
    // `array` is the name of the argument; a literal.
    JsonFields(const char *array, std::size_t index) noexcept : array_(array), index_(index) {}

    // "episodes[3]", "episodes[3].ttl".
    using Place = std::array<char, 64>;
    Place place() const noexcept;
    Place place(const char *field) const noexcept;

    // The value as SQL has it, in the current memory context; an error when the JSON is of another
    // type or the type's input function refuses it.
    std::string_view text(const char *field, const JsonValue &value) const;
    Datum object(const char *field, const JsonValue &value) const;
    float real(const char *field, const JsonValue &value) const;
    Datum timestamp(const char *field, const JsonValue &value) const;
    Datum interval(const char *field, const JsonValue &value) const;
    pg_uuid_t uuid(const char *field, const JsonValue &value) const;
    // A JSON array of strings as a uuid[].
    Datum uuid_array(const char *field, const JsonValue &value) const;
    // [0.1, 0.2] as well as "[0.1,0.2]": a JSON array is written as pgvector writes a vector.
    Datum vector(const char *field, const JsonValue &value, Oid type) const;

    void check_is_object(const JsonValue &value) const;
    [[noreturn]] void unknown_key(std::string_view name, const char *hint) const;
    [[noreturn]] void wrong_type(const char *field, const char *wanted,
                                 const JsonValue &value) const;

  private:
    Datum converted(const char *field, const JsonValue &value, PGFunction input) const;

    const char *array_;
    std::size_t index_;
};

} // namespace memory::pg
