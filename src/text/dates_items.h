// A text as numbers, words and marks, for the reading of dates.
#pragma once

#include <memory_resource>
#include <string_view>
#include <vector>

#include "text/interruption.h"

namespace memory::text {

struct DateItem {
    enum class Kind { number, word, mark };
    // Years of the Buddhist calendar, as Thai has them.
    static constexpr int first_buddhist_year = 2400;
    static constexpr int buddhist_years = 543;

    Kind kind;
    int value = 0;  // of a number; a mark's character
    int digits = 0; // of a number
    std::string_view text;
    std::size_t letters = 0;
    int month = 0; // that it is, word or number

    bool is_number() const { return kind == Kind::number; }
    bool is_word() const { return kind == Kind::word; }
    bool is_mark(char character) const { return kind == Kind::mark && value == character; }
    bool is_day() const { return is_number() && digits <= 2 && value >= 1 && value <= 31; }
    bool is_month() const { return is_number() && digits <= 2 && value >= 1 && value <= 12; }
    bool is_year() const { return is_number() && digits == 4 && value >= 1000; }
    int year() const { return value >= first_buddhist_year ? value - buddhist_years : value; }
};
using DateItems = std::pmr::vector<DateItem>;

// Letters with their marks belong together, digits too; whatever else, but for spaces, is a mark.
// Views of `text`.
DateItems date_items(std::string_view text, std::pmr::memory_resource *memory, Pause &pause);

} // namespace memory::text
