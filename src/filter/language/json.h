// A JSON document as the parser of filters sees it: views of its values, and what reads their
// parts. The document itself is the caller's, and lives as long as what is made of it.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

namespace memory::filter::language {

struct Json {
    enum class Type : std::uint8_t { null, boolean, number, string, array, object };

    Type type = Type::null;
    bool truth = false;          // of a boolean
    std::uint32_t size = 0;      // of an array: its elements
    std::string_view text;       // of a string
    const void *place = nullptr; // of a number, an array or an object: for the reader
};

struct Member {
    std::string_view key;
    Json value;
};

// Its functions may throw to end the work.
class JsonReader {
  public:
    // Append what the value holds, in its stored order.
    virtual void read_members(const Json &object, std::pmr::vector<Member> &to) = 0;
    virtual void read_elements(const Json &array, std::pmr::vector<Json> &to) = 0;
    // Appends a number's digits, as JSON writes them.
    virtual void write_number(const Json &number, std::pmr::string &to) = 0;

  protected:
    ~JsonReader() = default;
};

} // namespace memory::filter::language
