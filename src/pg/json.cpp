// A thin wall around JsonbIterator.
#include "pg/json.h"

extern "C" {
#include "utils/numeric.h"
}

namespace memory::pg {

std::optional<std::string_view> JsonValue::string() const noexcept {
    if (value_.type != jbvString)
        return std::nullopt;
    return std::string_view(value_.val.string.val, static_cast<std::size_t>(value_.val.string.len));
}

Datum JsonValue::to_jsonb() const {
    JsonbValue value = value_;
    return call([&value] { return JsonbPGetDatum(JsonbValueToJsonb(&value)); });
}

const char *JsonValue::to_text() const {
    const Datum whole = to_jsonb();
    return call([whole] {
        Jsonb *json = DatumGetJsonbP(whole);
        return JsonbToCString(nullptr, &json->root, VARSIZE(json));
    });
}

Datum JsonValue::to_float4() const {
    return call([this] {
        return DirectFunctionCall1(numeric_float4, NumericGetDatum(value_.val.numeric));
    });
}

double JsonValue::to_double() const {
    return call([this] {
        return DatumGetFloat8(
            DirectFunctionCall1(numeric_float8, NumericGetDatum(value_.val.numeric)));
    });
}

const char *JsonValue::described() const noexcept {
    switch (value_.type) {
    case jbvNull:
        return "null";
    case jbvString:
        return "a string";
    case jbvNumeric:
        return "a number";
    case jbvBool:
        return "a boolean";
    default:
        return is_array() ? "an array" : is_object() ? "an object" : "a value";
    }
}

std::optional<JsonValue> JsonValue::member(std::string_view key) const {
    JsonbValue value{};
    const bool found = call([&] {
        return getKeyJsonValueFromContainer(container(), key.data(), static_cast<int>(key.size()),
                                            &value) != nullptr;
    });
    return found ? std::optional(JsonValue(value)) : std::nullopt;
}

JsonValue json_root(Datum jsonb) {
    Jsonb *json = call([jsonb] { return DatumGetJsonbP(jsonb); });
    JsonbValue value{};
    if (JB_ROOT_IS_SCALAR(json)) {
        call([&] { JsonbExtractScalar(&json->root, &value); });
    } else {
        value.type = jbvBinary;
        value.val.binary.data = &json->root;
        value.val.binary.len = static_cast<int>(VARSIZE(json) - VARHDRSZ);
    }
    return JsonValue(value);
}

JsonWalk::JsonWalk(const JsonValue &parent)
    : iterator_(call([&parent] {
          JsonbIterator *iterator = JsonbIteratorInit(parent.container());
          JsonbValue begin;
          JsonbIteratorNext(&iterator, &begin, true);
          return iterator;
      })) {}

std::optional<JsonValue> JsonWalk::next_element() {
    JsonbValue value;
    if (call([&] { return JsonbIteratorNext(&iterator_, &value, true); }) != WJB_ELEM)
        return std::nullopt;
    return JsonValue(value);
}

std::optional<JsonWalk::Member> JsonWalk::next_member() {
    JsonbValue key;
    if (call([&] { return JsonbIteratorNext(&iterator_, &key, true); }) != WJB_KEY)
        return std::nullopt;
    JsonbValue value;
    call([&] { JsonbIteratorNext(&iterator_, &value, true); });
    return Member{{key.val.string.val, static_cast<std::size_t>(key.val.string.len)},
                  JsonValue(value)};
}

} // namespace memory::pg
