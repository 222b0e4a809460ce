// What is said of values that a function cannot take.
#include "pg/given.h"

#include "pg/json.h"

#include <charconv>

namespace memory::pg {

Place::Text Place::text() const noexcept {
    Text text{};
    const int length = static_cast<int>(name.size());
    if (array == nullptr)
        std::snprintf(text.data(), text.size(), "%.*s", length, name.data());
    else if (name.empty())
        std::snprintf(text.data(), text.size(), "%s[%zu]", array, index);
    else
        std::snprintf(text.data(), text.size(), "%s[%zu].%.*s", array, index, length, name.data());
    return text;
}

Error Place::error_of_whole(const Error &error) const {
    return array == nullptr ? error : error.at(Place{{}, array, index}.text().data());
}

namespace detail {

namespace {

// As few digits as tell the number from all others.
template <class Number>
std::array<char, 32> written(Number number) {
    std::array<char, 32> text{};
    std::to_chars(text.data(), text.data() + text.size() - 1, number);
    return text;
}

template <class Number>
[[noreturn]] void throw_range(const Place &place, Number low, Number high, Number given) {
    throw Error(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE, "%s must be between %s and %s, not %s",
                place.text().data(), written(low).data(), written(high).data(),
                written(given).data());
}

Error hinting(const char *hint, Error error) {
    if (hint != nullptr)
        error.hint("%s", hint);
    return error;
}

} // namespace

void throw_null(const Place &place) {
    throw Error(ERRCODE_NULL_VALUE_NOT_ALLOWED, "%s must not be null", place.text().data());
}

void throw_out_of_range(const Place &place, double low, double high, double given) {
    throw_range(place, low, high, given);
}

void throw_out_of_range(const Place &place, std::int64_t low, std::int64_t high,
                        std::int64_t given) {
    throw_range(place, low, high, given);
}

void throw_empty(const Place &place, const char *hint) {
    throw hinting(
        hint, Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must not be empty", place.text().data()));
}

void throw_too_long(const Place &place, std::size_t most, const char *hint) {
    throw hinting(hint, Error(ERRCODE_PROGRAM_LIMIT_EXCEEDED, "%s is longer than %zu bytes",
                              place.text().data(), most));
}

void throw_not_finite(const Place &place) {
    throw Error(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE, "%s must be finite", place.text().data());
}

void throw_unknown(const Place &place, std::string_view given,
                   std::span<const std::string_view> known) {
    std::array<char, 256> words{};
    std::size_t length = 0;
    for (const std::string_view word : known)
        length += static_cast<std::size_t>(
            std::snprintf(words.data() + length, words.size() - length, "%s%.*s",
                          length > 0 ? ", " : "", static_cast<int>(word.size()), word.data()));
    const Quoted quoted(given);
    throw Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s \"%.*s\" is unknown", place.text().data(),
                quoted.length, quoted.text)
        .hint("It is one of %s.", words.data());
}

void check_object(const Place &place, Datum jsonb) {
    const JsonValue value = json_root(jsonb);
    if (!value.is_object())
        throw Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must be an object, not %s",
                    place.text().data(), value.described());
}

// A month is counted as 30 days.
void check_positive(const Place &place, const Interval &interval) {
    const double days = interval.month * static_cast<double>(DAYS_PER_MONTH) + interval.day;
    if (days * static_cast<double>(USECS_PER_DAY) + static_cast<double>(interval.time) <= 0)
        throw Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must be positive", place.text().data());
}

} // namespace detail

} // namespace memory::pg
