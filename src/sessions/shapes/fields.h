// Looking into JSON that may be anything: null counts as missing, and what is asked of a value of
// another type is not there.
#pragma once

#include "json/json.h"

namespace memory::sessions::shapes {

class Fields {
  public:
    using Value = json::Value;
    using Type = json::Value::Type;

    Fields(json::Reader &reader, std::pmr::memory_resource *memory) noexcept
        : reader_(reader), memory_(memory) {}

    std::pmr::memory_resource *memory() const noexcept { return memory_; }

    std::optional<Value> find(const Value &object, std::string_view key) {
        if (object.type != Type::object)
            return std::nullopt;
        const std::optional<Value> value = reader_.find(object, key);
        return value && value->type != Type::null ? value : std::nullopt;
    }
    std::optional<Value> find(const Value &object, std::string_view key, Type type) {
        const std::optional<Value> value = find(object, key);
        return value && value->type == type ? value : std::nullopt;
    }
    std::optional<std::string_view> string(const Value &object, std::string_view key) {
        const std::optional<Value> value = find(object, key, Type::string);
        return value ? std::optional(value->text) : std::nullopt;
    }
    std::pmr::vector<Value> elements(const Value &array) {
        std::pmr::vector<Value> elements(memory_);
        if (array.type == Type::array)
            reader_.read_elements(array, elements);
        return elements;
    }

  private:
    json::Reader &reader_;
    std::pmr::memory_resource *memory_;
};

} // namespace memory::sessions::shapes
