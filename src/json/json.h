// A JSON document as pure code sees it: views of its values, and what reads their parts. The
// document itself is the caller's, and lives as long as what is made of it.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memory::json {

struct Value {
    enum class Type : std::uint8_t { null, boolean, number, string, array, object };

    Type type = Type::null;
    bool truth = false;          // of a boolean
    std::uint32_t size = 0;      // of an array: its elements
    std::string_view text{};     // of a string
    const void *place = nullptr; // of a number, an array or an object: for the reader
};

struct Member {
    std::string_view key;
    Value value;
};

// Its functions may throw to end the work.
class Reader {
  public:
    // The value of a key.
    virtual std::optional<Value> find(const Value &object, std::string_view key) = 0;
    // Append what the value holds, in its stored order.
    virtual void read_members(const Value &object, std::pmr::vector<Member> &to) = 0;
    virtual void read_elements(const Value &array, std::pmr::vector<Value> &to) = 0;
    // Appends a number's digits, as JSON writes them.
    virtual void write_number(const Value &number, std::pmr::string &to) = 0;

  protected:
    ~Reader() = default;
};

} // namespace memory::json
