// Dates of any text and any day: each is one of a calendar, what was read before changes nothing,
// and a text without digits names nothing that is to come.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "text/dates.h"
#include "text/names.h"

namespace {

using namespace memory::text;

using Dates = std::pmr::vector<NamedDate>;

void require(bool holds, const char *what) {
    if (!holds) {
        std::fprintf(stderr, "broken: %s\n", what);
        std::abort();
    }
}

NamedDate day_of(unsigned number) {
    const std::chrono::year_month_day date{std::chrono::sys_days(
        std::chrono::days(static_cast<int>(number * 37 % 3'000'000) - 700'000))};
    return {int(date.year()), static_cast<int>(unsigned(date.month())),
            static_cast<int>(unsigned(date.day()))};
}

void check(const Dates &dates) {
    require(std::is_sorted(dates.begin(), dates.end()), "dates are in order");
    require(std::adjacent_find(dates.begin(), dates.end()) == dates.end(), "each date is once");
    for (const NamedDate &date : dates) {
        require(date.year >= 0 && date.year <= 9999, "a year has up to four digits");
        require(date.month >= 0 && date.month <= 12, "there are twelve months");
        require(date.day >= 0 && date.day <= 31, "a month has up to 31 days");
        require(date.day == 0 || date.month != 0, "a day is of a month");
        require(date.month == 0 || date.day != 0 || date.year != 0, "a month alone is no date");
    }
}

// The first day of a date.
NamedDate begin_of(const NamedDate &date) {
    return {date.year, std::max(date.month, 1), std::max(date.day, 1)};
}

void check_counted(const Dates &dates, const NamedDate &today) {
    for (const NamedDate &date : dates)
        require(date.year > 0 && begin_of(date) < today, "what is counted back is before today");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
    static DateReader used(std::pmr::new_delete_resource());
    static unsigned inputs = 0;
    if (size < 2)
        return 0;
    const NamedDate today = day_of(data[0] * 256U + data[1]);
    const std::string_view text(reinterpret_cast<const char *>(data) + 2, size - 2);
    std::pmr::memory_resource *memory = std::pmr::new_delete_resource();
    const Dates dates = used.read(text, today, memory);
    check(dates);
    Pause pause(Interruption::none());
    const std::pmr::string normal = normal_name(text, memory);
    if (!has_digit(normal, pause))
        check_counted(dates, today);
    const DateLanguages triggered = languages_by_triggers(normal, pause);
    if (triggered == 0 && !has_digit(normal, pause))
        require(dates.empty(), "without digits and triggers there is no date");
    if (++inputs % 64 == 0) {
        DateReader fresh(memory);
        require(fresh.read(text, today, memory) == dates, "what was read before changes nothing");
    }
    return 0;
}
