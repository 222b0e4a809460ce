// The names of the months in one language.
#pragma once

#include <map>
#include <memory_resource>
#include <string>
#include <string_view>

namespace memory::text {

// As ICU has them: whole, and in English short ones, too.
class MonthNames {
  public:
    // Throws IcuFailure.
    MonthNames(const char *language, std::pmr::memory_resource *memory);

    // The month of a normal name (text/names.h), 0 of another word.
    int find(std::string_view word) const;
    // Whether the word makes a month of the number before it, or of the one behind it.
    bool follows_number(std::string_view word) const { return word == after_; }
    bool precedes_number(std::string_view word) const { return word == before_; }

  private:
    void add(std::string_view name, int month, bool only_numbered);

    std::pmr::map<std::pmr::string, int, std::less<>> names_;
    std::pmr::string after_;  // 月
    std::pmr::string before_; // tháng
};

} // namespace memory::text
