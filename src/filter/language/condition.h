// A filter that has been understood: a tree of conditions on one JSON value.
#pragma once

#include "json/json.h"

namespace memory::filter::language {

using Json = json::Value;
using JsonReader = json::Reader;
using json::Member;

enum class Operator : std::uint8_t { equal, greater, at_least, less, at_most, in, exists };

// What is missing, and what is of another type than the operand asks for, fails a condition;
// `none` turns that round.
struct Condition {
    enum class Kind : std::uint8_t {
        all,      // every one of parts; without parts it is true
        any,      // one of parts; without parts it is false
        none,     // not the only one of parts
        contains, // the value under keys contains operand, as `@>` says
        test,     // the value under keys, by test and operand
        path,     // operand is a jsonpath predicate, about the whole value
    };
    using Keys = std::pmr::vector<std::string_view>;

    Condition(Kind made, std::pmr::memory_resource *memory)
        : kind(made), keys(memory), parts(memory) {}

    Kind kind;
    Operator test = Operator::equal;
    Keys keys; // from the outermost; every value on the way must be an object
    Json operand;
    std::pmr::vector<Condition> parts;
};

} // namespace memory::filter::language
