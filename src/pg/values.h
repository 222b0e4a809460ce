// C++ values on their way to SQL, by their types: what a statement is run with, a row of a result.
//
//     find.run(SnapshotOf::caller, {tenant, id, as<Time>(since)});
#pragma once

#include "pg/column.h"
#include "pg/memory.h"

#include <concepts>

namespace memory::pg {

// An interval; as columns of column.h.
struct Length {
    static Oid type() noexcept { return INTERVALOID; }
    static Interval read(Datum value) noexcept { return *DatumGetIntervalP(value); }
};

// The type of column.h that values of a C++ type are sent as.
template <class Value>
struct SentAs {};
template <>
struct SentAs<std::string_view> : std::type_identity<Text> {};
template <>
struct SentAs<Bytes> : std::type_identity<Bytea> {};
template <>
struct SentAs<pg_uuid_t> : std::type_identity<Uuid> {};
template <>
struct SentAs<Oid> : std::type_identity<ObjectId> {};
template <>
struct SentAs<bool> : std::type_identity<Bool> {};
template <>
struct SentAs<std::int32_t> : std::type_identity<Int4> {};
template <>
struct SentAs<std::int64_t> : std::type_identity<Int8> {};
template <>
struct SentAs<float> : std::type_identity<Float4> {};
template <>
struct SentAs<double> : std::type_identity<Float8> {};

template <>
struct SentAs<Instant> : std::type_identity<Time> {};
template <>
struct SentAs<Document> : std::type_identity<Json> {};
template <>
struct SentAs<Interval> : std::type_identity<Length> {};

template <class Value>
struct SentAs<std::optional<Value>> : SentAs<Value> {};

// `value` as a Type of column.h, where its C++ type does not say which.
template <class Type, class Value>
Parameter as(const Value &value) {
    if constexpr (std::is_same_v<Value, Datum>)
        return {Type::type(), value, false};
    else
        return {Type::type(), to_datum(value), false};
}
// NULL where there is none.
template <class Type, class Value>
Parameter as(const std::optional<Value> &value) {
    return value ? as<Type>(*value) : Parameter::absent(Type::type());
}

// An array of these values, in the current memory context.
template <class Type, class Value>
Parameter array_as(std::span<const Value> values) {
    ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<Datum> elements(&memory);
    elements.reserve(values.size());
    for (const Value &value : values)
        if constexpr (std::is_same_v<Value, pg_uuid_t>)
            elements.push_back(UUIDPGetDatum(&value));
        else
            elements.push_back(to_datum(value));
    return Parameter::array(Type::type(), elements);
}
// Elements are NULL where there is none.
template <class Type, class Value>
Parameter array_as(std::span<const std::optional<Value>> values) {
    ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<Datum> elements(&memory);
    elements.reserve(values.size());
    auto *nulls = static_cast<bool *>(call([&] { return palloc(values.size() * sizeof(bool)); }));
    for (const std::optional<Value> &value : values) {
        const Parameter element = as<Type>(value);
        nulls[elements.size()] = element.null;
        elements.push_back(element.value);
    }
    return Parameter::array(Type::type(), elements, {nulls, values.size()});
}

class Values;

// Whether a type of a room's own says by bind(Values &, value) what it is. It returns nothing:
// std::bind, which is found for types of the standard library, binds nothing either.
template <class Value>
concept BindsItself = requires(Values &to, const Value &value) {
    { bind(to, value) } -> std::same_as<void>;
};

// What can be sent: values of a type that says as what, optional ones, those that bind themselves
// as several, Parameters, and ranges of them, which may be optional, too. A range of Parameters is
// as many, any other an array.
template <class Value>
concept Sendable = std::is_same_v<Value, Parameter> || requires {
    typename SentAs<Value>::type;
} || requires {
    typename SentAs<typename Value::value_type>::type;
} || requires {
    typename SentAs<typename Value::value_type::value_type>::type;
} || BindsItself<Value> || std::is_same_v<typename Value::value_type, Parameter>;

// A list of them. What is not passed by value is copied into the current memory context; what is
// given as a Parameter or a Datum must outlive the list.
class Values {
  public:
    static constexpr std::size_t most = 24;

    Values() = default;
    template <Sendable... Given>
    // NOLINTNEXTLINE(google-explicit-constructor): they are written in braces
    Values(const Given &...values) {
        (add(values), ...);
    }

    void add(const Parameter &parameter) {
        if (size_ == most)
            throw_too_many();
        types_[size_] = parameter.type;
        values_[size_] = parameter.value;
        nulls_[size_] = parameter.null ? 'n' : ' ';
        ++size_;
    }
    template <class Value>
    void add(const std::optional<Value> &value) {
        if constexpr (requires { typename SentAs<Value>::type; })
            add(as<typename SentAs<Value>::type>(value));
        else if (value)
            add_range(std::span(*value));
        else
            add(Parameter::absent_array(SentAs<typename Value::value_type>::type::type()));
    }
    template <class Value>
    void add(const Value &value) {
        if constexpr (BindsItself<Value>)
            bind(*this, value);
        else if constexpr (requires { typename SentAs<Value>::type; })
            add(as<typename SentAs<Value>::type>(value));
        else
            add_range(std::span(value));
    }

    std::size_t size() const noexcept { return size_; }
    std::span<const Oid> types() const noexcept { return {types_.data(), size_}; }
    std::span<const Datum> values() const noexcept { return {values_.data(), size_}; }
    // As SPI has them: 'n' is NULL.
    const char *nulls() const noexcept { return nulls_.data(); }

  private:
    template <class Value, std::size_t extent>
    void add_range(std::span<Value, extent> values) {
        using Element = std::remove_const_t<Value>;
        if constexpr (std::is_same_v<Element, Parameter>)
            for (const Parameter &parameter : values)
                add(parameter);
        else
            add(array_as<typename SentAs<Element>::type>(std::span<const Element>(values)));
    }
    [[noreturn]] static void throw_too_many();

    std::size_t size_ = 0;
    std::array<Oid, most> types_;
    std::array<Datum, most> values_;
    std::array<char, most> nulls_;
};

} // namespace memory::pg
