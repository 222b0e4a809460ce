// Reads a text as numbers, words and marks, and looks for dates among them.
#include "text/dates.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>

#include <unicode/uchar.h>
#include <unicode/udat.h>
#include <unicode/ustring.h>

#include "text/error.h"
#include "text/names.h"
#include "text/utf8.h"

namespace memory::text {

namespace {

constexpr std::array languages{"ar", "de", "el", "en", "es", "hi",
                               "ro", "ru", "th", "tr", "vi", "zh"};

constexpr int first_lone_year = 1900;
constexpr int last_lone_year = 2100;
// Years of the Buddhist calendar, as Thai has them.
constexpr int first_buddhist_year = 2400;
constexpr int buddhist_years = 543;

// Of words between the parts of a date ("de", "of", "năm"), and of those that stick to a number
// ("th", "er").
constexpr std::size_t longest_filler = 3;
constexpr std::size_t longest_suffix = 2;

struct Item {
    enum class Kind { number, word, mark };
    Kind kind;
    int value = 0;  // of a number; a mark's character
    int digits = 0; // of a number
    std::string_view text;
    std::size_t letters = 0;
    int month = 0; // that it is, word or number

    bool is_number() const { return kind == Kind::number; }
    bool is_mark(char character) const { return kind == Kind::mark && value == character; }
    bool is_day() const { return is_number() && digits <= 2 && value >= 1 && value <= 31; }
    bool is_month() const { return is_number() && digits <= 2 && value >= 1 && value <= 12; }
    bool is_year() const { return is_number() && digits == 4 && value >= 1000; }
    int year() const { return value >= first_buddhist_year ? value - buddhist_years : value; }
};
using Items = std::pmr::vector<Item>;

// Letters with their marks belong together, digits too; whatever else, but for spaces, is a mark.
Items items_of(std::string_view text, std::pmr::memory_resource *memory, Pause &pause) {
    Items items(memory);
    bool joined = false;
    for (std::size_t at = 0; at < text.size();) {
        const Decoded next = decode(text, at);
        pause.step(next.size);
        const auto point = static_cast<UChar32>(next.point);
        const int digit = u_charDigitValue(point);
        const bool letter = u_isalpha(point) || (U_GET_GC_MASK(point) & U_GC_M_MASK) != 0;
        const auto kind = digit >= 0 ? Item::Kind::number
                          : letter   ? Item::Kind::word
                                     : Item::Kind::mark;
        if (u_isspace(point)) {
            joined = false;
        } else if (joined && kind != Item::Kind::mark && items.back().kind == kind) {
            Item &item = items.back();
            item.value = std::min(item.value, 100'000) * 10 + std::max(digit, 0);
            ++item.digits;
            ++item.letters;
            item.text = {item.text.data(), item.text.size() + next.size};
        } else {
            items.push_back({kind, digit >= 0 ? digit : static_cast<int>(next.point), 1,
                             text.substr(at, next.size), 1});
            joined = true;
        }
        at += next.size;
    }
    return items;
}

// Marks months, and takes out what sticks to a number and says nothing.
void find_months(Items &items, const MonthNames &months) {
    for (std::size_t at = 0; at < items.size(); ++at) {
        Item &item = items[at];
        const bool behind_number = at > 0 && items[at - 1].is_month();
        if (item.kind != Item::Kind::word)
            continue;
        if (behind_number && months.follows_number(item.text))
            items[at - 1].month = items[at - 1].value;
        else if (months.precedes_number(item.text) && at + 1 < items.size() &&
                 items[at + 1].is_month())
            items[at + 1].month = items[at + 1].value;
        else
            item.month = months.find(item.text);
    }
    const auto says_nothing = [&](const Item &item) {
        if (item.kind != Item::Kind::word || item.month != 0)
            return false;
        const Item *before = &item == items.data() ? nullptr : &item - 1;
        const bool sticks = before != nullptr && before->is_number() &&
                            before->text.data() + before->text.size() == item.text.data();
        return (sticks && item.letters <= longest_suffix) || months.precedes_number(item.text);
    };
    Items kept(items.get_allocator());
    std::copy_if(items.begin(), items.end(), std::back_inserter(kept), std::not_fn(says_nothing));
    items.swap(kept);
}

// The number next to an item, one short word and marks passed over; nullptr if there is none.
const Item *number_beside(const Items &items, std::size_t at, std::ptrdiff_t step) {
    int fillers = 0;
    for (auto next = static_cast<std::ptrdiff_t>(at) + step; next >= 0 && next < std::ssize(items);
         next += step) {
        const Item &item = items[static_cast<std::size_t>(next)];
        if (item.is_number())
            return item.month == 0 ? &item : nullptr;
        if (item.kind == Item::Kind::word &&
            (item.letters > longest_filler || item.month != 0 || ++fillers > 1))
            return nullptr;
    }
    return nullptr;
}

// What stands around a month: a day, a year, or both.
NamedDate around_month(const Items &items, std::size_t at) {
    NamedDate date{0, items[at].month, 0};
    const Item *before = number_beside(items, at, -1);
    const Item *behind = number_beside(items, at, 1);
    if (before != nullptr && before->is_day())
        date.day = before->value;
    else if (before != nullptr && before->is_year())
        date.year = before->year();
    if (behind != nullptr && behind->is_day() && date.day == 0) {
        date.day = behind->value;
        behind = number_beside(items, static_cast<std::size_t>(behind - items.data()), 1);
    }
    if (behind != nullptr && behind->is_year() && date.year == 0)
        date.year = behind->year();
    return date;
}

// Three numbers between two equal marks: 2024-03-05, 2024/3/5, 5.3.2024. Which of 3/5/2024 is the
// month, languages do not agree.
NamedDate in_numbers(const Items &items, std::size_t at) {
    if (at + 5 > items.size() || items[at + 1].kind != Item::Kind::mark ||
        !items[at + 3].is_mark(static_cast<char>(items[at + 1].value)))
        return {};
    const Item &first = items[at];
    const Item &second = items[at + 2];
    const Item &third = items[at + 4];
    const int mark = items[at + 1].value;
    if (first.is_year() && second.is_month() && third.is_day() &&
        (mark == '-' || mark == '/' || mark == '.'))
        return {first.year(), second.value, third.value};
    if (first.is_day() && second.is_month() && third.is_year() && mark == '.')
        return {third.year(), second.value, first.value};
    return {};
}

} // namespace

MonthNames::MonthNames(std::pmr::memory_resource *memory)
    : names_(memory), after_(memory), before_(memory) {
    constexpr std::array kinds{UDAT_MONTHS, UDAT_STANDALONE_MONTHS, UDAT_SHORT_MONTHS};
    for (const char *const language : languages) {
        UErrorCode error = U_ZERO_ERROR;
        UDateFormat *const format =
            udat_open(UDAT_LONG, UDAT_LONG, language, nullptr, 0, nullptr, 0, &error);
        if (U_FAILURE(error))
            throw IcuFailure("ICU does not name the months");
        for (const UDateFormatSymbolType kind : kinds) {
            // Short names of other languages are words of some language: "ago" is August.
            const bool only_numbered =
                kind == UDAT_SHORT_MONTHS && std::string_view(language) != "en";
            for (int month = 1; month <= 12; ++month) {
                std::array<UChar, 64> name;
                std::array<char, 192> utf8;
                std::int32_t size = 0;
                udat_getSymbols(format, kind, month - 1, name.data(), std::ssize(name), &error);
                u_strToUTF8(utf8.data(), std::ssize(utf8), &size, name.data(), -1, &error);
                if (U_SUCCESS(error))
                    add(normal_name({utf8.data(), static_cast<std::size_t>(size)}, memory), month,
                        only_numbered);
            }
        }
        udat_close(format);
        if (U_FAILURE(error))
            throw IcuFailure("ICU does not name the months");
    }
}

// A name may be a number with a word before it or behind it: the first such words are kept.
void MonthNames::add(std::string_view name, int month, bool only_numbered) {
    Pause pause(Interruption::none());
    const Items items = items_of(name, names_.get_allocator().resource(), pause);
    if (items.size() == 1 && items[0].kind == Item::Kind::word && !only_numbered)
        names_.emplace(items[0].text, month);
    else if (after_.empty() && items.size() == 2 && items[0].is_number() &&
             items[1].kind == Item::Kind::word)
        after_ = items[1].text;
    else if (before_.empty() && items.size() == 2 && items[1].is_number() &&
             items[0].kind == Item::Kind::word)
        before_ = items[0].text;
}

int MonthNames::find(std::string_view word) const {
    const auto found = names_.find(std::pmr::string(word, names_.get_allocator().resource()));
    return found == names_.end() ? 0 : found->second;
}

std::pmr::vector<NamedDate> named_dates(std::string_view utf8, const MonthNames &months,
                                        std::pmr::memory_resource *memory,
                                        Interruption &interruption) {
    const std::pmr::string normal = normal_name(utf8, memory, interruption);
    Pause pause(interruption);
    Items items = items_of(normal, memory, pause);
    find_months(items, months);
    std::pmr::vector<NamedDate> dates(memory);
    std::pmr::vector<NamedDate> years(memory);
    for (std::size_t at = 0; at < items.size(); ++at) {
        pause.step();
        const NamedDate date = items[at].month != 0    ? around_month(items, at)
                               : items[at].is_number() ? in_numbers(items, at)
                                                       : NamedDate{};
        if (date.day != 0 || (date.month != 0 && date.year != 0))
            dates.push_back(date);
        else if (items[at].is_year() && items[at].value >= first_lone_year &&
                 items[at].value <= last_lone_year)
            years.push_back({items[at].value, 0, 0});
    }
    return std::move(dates.empty() ? years : dates);
}

} // namespace memory::text
