// A value that a caller gave, or did not give, under a name: an argument of a function or a field
// of a JSON element. Its checks are the only places where the words and the SQLSTATEs of such
// mistakes are written (docs/guide.md, "Errors"):
//
//     call.bigint("k").between(1, most_rows).or_else(5)
//
//     22004 it is null               required()
//     22003 a number out of range    between(), within()
//     22023 a bad value              one_of(), not_empty(), positive(), object()
//     22008 a time out of range      finite()
//     54000 too long                 at_most()
#pragma once

#include "pg/datum.h"
#include "pg/error.h"

namespace memory::pg {

// Where a value comes from, as messages name it: "k" or "episodes[3].ttl".
struct Place {
    std::string_view name;
    const char *array = nullptr; // the argument that the element is of; a literal
    std::size_t index = 0;

    using Text = std::array<char, 96>;
    Text text() const noexcept;
    // An error about all of it: of an element, with the element's place before its message.
    Error error_of_whole(const Error &error) const;
};

// One of a few words, and what it means.
template <class Meaning>
struct Choice {
    std::string_view word;
    Meaning meaning;
};

namespace detail {

[[noreturn]] void throw_null(const Place &place);
[[noreturn]] void throw_out_of_range(const Place &place, double low, double high, double given);
[[noreturn]] void throw_out_of_range(const Place &place, std::int64_t low, std::int64_t high,
                                     std::int64_t given);
[[noreturn]] void throw_empty(const Place &place, const char *hint);
[[noreturn]] void throw_too_long(const Place &place, std::size_t most, const char *hint);
[[noreturn]] void throw_not_finite(const Place &place);
[[noreturn]] void throw_unknown(const Place &place, std::string_view given,
                                std::span<const std::string_view> known);
void check_object(const Place &place, Datum jsonb);
void check_positive(const Place &place, const Interval &interval);

} // namespace detail

template <class Value>
class Given {
  public:
    Given(const Place &place, std::optional<Value> value) : place_(place), value_(value) {}

    const Place &place() const noexcept { return place_; }
    explicit operator bool() const noexcept { return value_.has_value(); }
    const std::optional<Value> &optional() const noexcept { return value_; }
    // NOLINTNEXTLINE(google-explicit-constructor): it is one, with a name
    operator std::optional<Value>() const { return value_; }

    Value required() const {
        if (!value_)
            detail::throw_null(place_);
        return *value_;
    }
    Value or_else(Value otherwise) const { return value_.value_or(otherwise); }

    // Numbers. NaN is in no range.
    const Given &between(Value low, Value high) const {
        static_assert(std::is_arithmetic_v<Value>);
        if (value_ && !(*value_ >= low && *value_ <= high))
            detail::throw_out_of_range(place_, low, high, *value_);
        return *this;
    }
    // The same for a whole number that goes on as a narrower one.
    template <class Narrow>
    Given<Narrow> within(Narrow low, Narrow high) const {
        static_assert(std::is_same_v<Value, std::int64_t>);
        between(low, high);
        return {place_, value_ ? std::optional(static_cast<Narrow>(*value_)) : std::nullopt};
    }

    const Given &not_empty(const char *hint = nullptr) const {
        static_assert(std::is_same_v<Value, std::string_view>);
        if (value_ && value_->empty())
            detail::throw_empty(place_, hint);
        return *this;
    }
    const Given &at_most(std::size_t bytes, const char *hint = nullptr) const {
        static_assert(std::is_same_v<Value, std::string_view>);
        if (value_ && value_->size() > bytes)
            detail::throw_too_long(place_, bytes, hint);
        return *this;
    }
    template <class Meaning, std::size_t count>
    Given<Meaning> one_of(const Choice<Meaning> (&choices)[count]) const {
        static_assert(std::is_same_v<Value, std::string_view>);
        if (!value_)
            return {place_, std::nullopt};
        std::array<std::string_view, count> known;
        for (std::size_t n = 0; n < count; ++n) {
            if (choices[n].word == *value_)
                return {place_, choices[n].meaning};
            known[n] = choices[n].word;
        }
        detail::throw_unknown(place_, *value_, known);
    }

    const Given &finite() const {
        static_assert(std::is_same_v<Value, Instant>);
        if (value_ && TIMESTAMP_NOT_FINITE(value_->time))
            detail::throw_not_finite(place_);
        return *this;
    }
    const Given &object() const {
        static_assert(std::is_same_v<Value, Document>);
        if (value_)
            detail::check_object(place_, value_->jsonb);
        return *this;
    }
    // An interval longer than nothing.
    const Given &positive() const {
        static_assert(std::is_same_v<Value, Interval>);
        if (value_)
            detail::check_positive(place_, *value_);
        return *this;
    }

  private:
    Place place_;
    std::optional<Value> value_;
};

} // namespace memory::pg
