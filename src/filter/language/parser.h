// The language of filters: a JSON object in, a condition out. docs/filter.md is the grammar.
#pragma once

#include "filter/language/condition.h"

#include <exception>

namespace memory::filter::language {

// What is wrong with a filter. The shell puts it into words.
class Mistake final : public std::exception {
  public:
    enum class Kind : std::uint8_t {
        unknown_at_top,
        unknown_operator,
        mixed,          // `word` stands beside plain keys
        in_list,        // `word` stands inside a list
        not_a_list,     // operand of $in, $nin, $and, $or
        not_a_filter,   // operand of $not, element of $and, $or
        not_comparable, // operand of $gt, $gte, $lt, $lte
        not_a_boolean,  // operand of $exists
        no_operators,   // operand of $not on a value
        not_a_string,   // operand of $path
        too_deep,
    };

    Mistake(Kind made, std::string_view wrong, std::string_view key, Json::Type type) noexcept
        : kind(made), word(wrong), at(key), given(type) {}

    const char *what() const noexcept override { return "a filter that is no filter"; }

    Kind kind;
    std::string_view word; // the operator
    std::string_view at;   // the key of the value that it is about; empty at the top
    Json::Type given;      // of what was found
};

// Values may be nested this deep, operands of $eq, $ne, $in and $nin apart.
inline constexpr unsigned deepest = 256;

// `filter` is an object. Throws Mistake, and what `reader` and `memory` throw.
Condition parse(const Json &filter, JsonReader &reader, std::pmr::memory_resource *memory);

} // namespace memory::filter::language
