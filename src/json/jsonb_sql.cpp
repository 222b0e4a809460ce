// Reads jsonb in place.
#include "json/jsonb_sql.h"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace memory::json {

std::optional<Value> JsonbReader::find(const Value &object, std::string_view key) {
    pg::check_for_interrupts();
    JsonbContainer *members = jsonb_of(object).val.binary.data;
    JsonbValue found{};
    const bool there = pg::call([&] {
        return getKeyJsonValueFromContainer(members, key.data(), static_cast<int>(key.size()),
                                            &found) != nullptr;
    });
    return there ? std::optional(value_of(pg::JsonValue(found))) : std::nullopt;
}

void JsonbReader::read_members(const Value &object, std::pmr::vector<Member> &to) {
    pg::JsonWalk walk{pg::JsonValue(jsonb_of(object))};
    while (const auto member = walk.next_member()) {
        pg::check_for_interrupts();
        to.push_back({member->key, value_of(member->value)});
    }
}

void JsonbReader::read_elements(const Value &array, std::pmr::vector<Value> &to) {
    pg::JsonWalk walk{pg::JsonValue(jsonb_of(array))};
    to.reserve(array.size);
    while (const auto element = walk.next_element()) {
        pg::check_for_interrupts();
        to.push_back(value_of(*element));
    }
}

void JsonbReader::write_number(const Value &number, std::pmr::string &to) {
    const JsonbValue value = jsonb_of(number);
    to += pg::call([&value] {
        return DatumGetCString(
            DirectFunctionCall1(numeric_out, NumericGetDatum(value.val.numeric)));
    });
}

Value value_of(const pg::JsonValue &value) {
    Value read;
    if (value.is_null()) {
        read.type = Value::Type::null;
    } else if (value.is_number()) {
        read.type = Value::Type::number;
        read.place = value.raw().val.numeric;
    } else if (const auto string = value.string()) {
        read.type = Value::Type::string;
        read.text = *string;
    } else if (value.is_array() || value.is_object()) {
        read.type = value.is_array() ? Value::Type::array : Value::Type::object;
        read.place = value.container();
        read.size = static_cast<std::uint32_t>(JsonContainerSize(value.container()));
    } else {
        read.type = Value::Type::boolean;
        read.truth = value.is_true();
    }
    return read;
}

JsonbValue jsonb_of(const Value &value) {
    JsonbValue raw{};
    void *place = const_cast<void *>(value.place);
    switch (value.type) {
    case Value::Type::null:
        raw.type = jbvNull;
        break;
    case Value::Type::boolean:
        raw.type = jbvBool;
        raw.val.boolean = value.truth;
        break;
    case Value::Type::number:
        raw.type = jbvNumeric;
        raw.val.numeric = static_cast<Numeric>(place);
        break;
    case Value::Type::string:
        raw.type = jbvString;
        raw.val.string.val = const_cast<char *>(value.text.data());
        raw.val.string.len = static_cast<int>(value.text.size());
        break;
    default:
        // How long it is nothing asks that walks it.
        raw.type = jbvBinary;
        raw.val.binary.data = static_cast<JsonbContainer *>(place);
    }
    return raw;
}

} // namespace memory::json
