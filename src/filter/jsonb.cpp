// Reads jsonb in place, and puts mistakes into words.
#include "filter/jsonb.h"

#include "pg/error.h"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace memory::filter {

namespace {

using language::Json;
using language::Mistake;

constexpr char value_operators[] = "The operators on a value are $eq, $ne, $gt, $gte, $lt, $lte, "
                                   "$in, $nin, $exists and $not.";
constexpr char top_operators[] =
    "At the top there are $and, $or, $not and $path; the operators on a value ($eq, $ne, $gt, "
    "$gte, $lt, $lte, $in, $nin, $exists, $not) stand below its key: {\"stars\": {\"$gt\": 3}}.";

// With `given`: as JsonValue::described().
const char *described(Json::Type type) {
    switch (type) {
    case Json::Type::null:
        return "null";
    case Json::Type::boolean:
        return "a boolean";
    case Json::Type::number:
        return "a number";
    case Json::Type::string:
        return "a string";
    case Json::Type::array:
        return "an array";
    default:
        return "an object";
    }
}

// "$gt" of "stars"; at the top "$or".
std::array<char, 160> place_of(const Mistake &mistake) {
    std::array<char, 160> place{};
    const pg::Quoted word(mistake.word);
    const pg::Quoted key(mistake.at);
    if (mistake.at.empty())
        std::snprintf(place.data(), place.size(), "\"%.*s\"", word.length, word.text);
    else
        std::snprintf(place.data(), place.size(), "\"%.*s\" of \"%.*s\"", word.length, word.text,
                      key.length, key.text);
    return place;
}

pg::Error wanted(const Mistake &mistake, const char *what) {
    return {ERRCODE_INVALID_PARAMETER_VALUE, "filter: %s must be %s, not %s",
            place_of(mistake).data(), what, described(mistake.given)};
}

pg::Error of_operands(const Mistake &mistake) {
    switch (mistake.kind) {
    case Mistake::Kind::not_a_list:
        return wanted(mistake, "an array")
            .hint("It takes a list: {\"stars\": {\"$in\": [4, 5]}}, "
                  "{\"$or\": [{\"a\": 1}, {\"b\": 2}]}.");
    case Mistake::Kind::not_a_filter:
        return wanted(mistake, "made of filters")
            .hint("A filter is an object: {\"$or\": [{\"a\": 1}, {\"b\": 2}]}, "
                  "{\"$not\": {\"a\": 1}}.");
    case Mistake::Kind::not_comparable:
        return wanted(mistake, "a number or a string")
            .hint("Numbers are compared with numbers, strings with strings. $eq and $in take any "
                  "value.");
    case Mistake::Kind::not_a_boolean:
        return wanted(mistake, "true or false");
    case Mistake::Kind::no_operators:
        return pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                         "filter: %s must be an object of operators, and of nothing else",
                         place_of(mistake).data())
            .hint("It turns them round: {\"stars\": {\"$not\": {\"$gt\": 3}}}. For a value there "
                  "is $ne.");
    default:
        return wanted(mistake, "a string with a jsonpath");
    }
}

pg::Error error_of(const Mistake &mistake) {
    constexpr int bad_value = ERRCODE_INVALID_PARAMETER_VALUE;
    switch (mistake.kind) {
    case Mistake::Kind::unknown_at_top:
        return pg::Error(bad_value, "filter: %s is no operator at the top",
                         place_of(mistake).data())
            .hint("%s", top_operators);
    case Mistake::Kind::unknown_operator:
        return pg::Error(bad_value, "filter: operator %s is unknown", place_of(mistake).data())
            .hint("%s $and, $or and $path stand at the top.", value_operators);
    case Mistake::Kind::mixed:
        return pg::Error(bad_value, "filter: operator %s stands beside plain keys",
                         place_of(mistake).data())
            .hint("An object has either operators, which test the value, or keys, which it "
                  "contains. \"$and\" joins both: {\"$and\": [{...}, {...}]}.");
    case Mistake::Kind::in_list:
        return pg::Error(bad_value, "filter: operator %s stands inside a list",
                         place_of(mistake).data())
            .hint(
                "A list is contained as it is. \"$path\" looks into lists; {\"$eq\": [...]} takes "
                "keys that begin with $ as they are.");
    case Mistake::Kind::too_deep:
        return pg::Error(ERRCODE_PROGRAM_LIMIT_EXCEEDED, "filter is nested deeper than %u levels",
                         language::deepest);
    default:
        return of_operands(mistake);
    }
}

} // namespace

void JsonbReader::read_members(const Json &object, std::pmr::vector<language::Member> &to) {
    pg::JsonWalk walk{pg::JsonValue(jsonb_of(object))};
    while (const auto member = walk.next_member()) {
        pg::check_for_interrupts();
        to.push_back({member->key, json_of(member->value)});
    }
}

void JsonbReader::read_elements(const Json &array, std::pmr::vector<Json> &to) {
    pg::JsonWalk walk{pg::JsonValue(jsonb_of(array))};
    to.reserve(array.size);
    while (const auto element = walk.next_element()) {
        pg::check_for_interrupts();
        to.push_back(json_of(*element));
    }
}

void JsonbReader::write_number(const Json &number, std::pmr::string &to) {
    const JsonbValue value = jsonb_of(number);
    to += pg::call([&value] {
        return DatumGetCString(
            DirectFunctionCall1(numeric_out, NumericGetDatum(value.val.numeric)));
    });
}

Json json_of(const pg::JsonValue &value) {
    Json json;
    if (value.is_null()) {
        json.type = Json::Type::null;
    } else if (value.is_number()) {
        json.type = Json::Type::number;
        json.place = value.raw().val.numeric;
    } else if (const auto string = value.string()) {
        json.type = Json::Type::string;
        json.text = *string;
    } else if (value.is_array() || value.is_object()) {
        json.type = value.is_array() ? Json::Type::array : Json::Type::object;
        json.place = value.container();
        json.size = static_cast<std::uint32_t>(JsonContainerSize(value.container()));
    } else {
        json.type = Json::Type::boolean;
        json.truth = value.is_true();
    }
    return json;
}

JsonbValue jsonb_of(const Json &value) {
    JsonbValue raw{};
    void *place = const_cast<void *>(value.place);
    switch (value.type) {
    case Json::Type::null:
        raw.type = jbvNull;
        break;
    case Json::Type::boolean:
        raw.type = jbvBool;
        raw.val.boolean = value.truth;
        break;
    case Json::Type::number:
        raw.type = jbvNumeric;
        raw.val.numeric = static_cast<Numeric>(place);
        break;
    case Json::Type::string:
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

language::Condition parsed(const pg::JsonValue &jsonb, JsonbReader &reader,
                           std::pmr::memory_resource *memory) {
    try {
        return language::parse(json_of(jsonb), reader, memory);
    } catch (const Mistake &mistake) {
        throw error_of(mistake);
    }
}

} // namespace memory::filter
