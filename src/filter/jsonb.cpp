// Puts mistakes into words.
#include "filter/jsonb.h"

#include "pg/error.h"

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

language::Condition parsed(const pg::JsonValue &jsonb, json::JsonbReader &reader,
                           std::pmr::memory_resource *memory) {
    try {
        return language::parse(json::value_of(jsonb), reader, memory);
    } catch (const Mistake &mistake) {
        throw error_of(mistake);
    }
}

} // namespace memory::filter
