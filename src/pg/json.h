// Reading jsonb without materialising it.
#pragma once

#include "pg/datum.h"

namespace memory::pg {

// One value inside a jsonb. Views live as long as the jsonb they came from.
class JsonValue {
  public:
    explicit JsonValue(const JsonbValue &value) noexcept : value_(value) {}

    bool is_null() const noexcept { return value_.type == jbvNull; }
    bool is_array() const noexcept { return container_is(JB_FARRAY); }
    bool is_object() const noexcept { return container_is(JB_FOBJECT); }
    bool is_number() const noexcept { return value_.type == jbvNumeric; }
    bool is_true() const noexcept { return value_.type == jbvBool && value_.val.boolean; }
    // The text of a JSON string; nothing for any other type.
    std::optional<std::string_view> string() const noexcept;
    // As an SQL jsonb in the current memory context.
    Datum to_jsonb() const;
    // As JSON text in the current memory context.
    const char *to_text() const;
    // A number as an SQL real; only when is_number().
    Datum to_float4() const;
    double to_double() const;
    // "a string", "an array", …: for messages.
    const char *described() const noexcept;

    // An object's member of this name.
    std::optional<JsonValue> member(std::string_view key) const;

    // For arrays and objects.
    JsonbContainer *container() const noexcept { return value_.val.binary.data; }

    // As PostgreSQL has it: jbvBinary for arrays and objects.
    const JsonbValue &raw() const noexcept { return value_; }

  private:
    bool container_is(std::uint32_t flag) const noexcept {
        return value_.type == jbvBinary && (value_.val.binary.data->header & flag) != 0 &&
               (value_.val.binary.data->header & JB_FSCALAR) == 0;
    }

    JsonbValue value_;
};

// A whole jsonb as a value.
JsonValue json_root(Datum jsonb);

// Walks the direct children of an array or object, in their stored order.
class JsonWalk {
  public:
    explicit JsonWalk(const JsonValue &parent);

    // The next child of an array.
    std::optional<JsonValue> next_element();

    struct Member {
        std::string_view key;
        JsonValue value;
    };
    // The next member of an object.
    std::optional<Member> next_member();

  private:
    JsonbIterator *iterator_;
};

} // namespace memory::pg
