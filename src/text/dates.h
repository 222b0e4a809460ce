// Days, months and years that a text names, in twelve languages: "5 de marzo de 2024", "March 5th",
// "2024年3月5日", "2024-03-05". What is understood and what is not: docs/text.md.
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/interruption.h"

namespace memory::text {

// 0: any.
struct NamedDate {
    int year = 0;
    int month = 0;
    int day = 0;

    friend bool operator==(const NamedDate &, const NamedDate &) = default;
};

// The names of the months, as ICU has them. Takes milliseconds to make.
class MonthNames {
  public:
    // Throws IcuFailure.
    explicit MonthNames(std::pmr::memory_resource *memory);

    // The month of a normal name (text/names.h), 0 of another word.
    int find(std::string_view word) const;
    // Whether the word makes a month of the number before it, or of the one behind it.
    bool follows_number(std::string_view word) const { return word == after_; }
    bool precedes_number(std::string_view word) const { return word == before_; }

  private:
    void add(std::string_view name, int month, bool only_numbered);

    std::pmr::unordered_map<std::pmr::string, int> names_;
    std::pmr::string after_;  // 月
    std::pmr::string before_; // tháng
};

// All of them; a year alone only where there is no other. Throws IcuFailure.
std::pmr::vector<NamedDate> named_dates(std::string_view utf8, const MonthNames &months,
                                        std::pmr::memory_resource *memory,
                                        Interruption &interruption = Interruption::none());

} // namespace memory::text
