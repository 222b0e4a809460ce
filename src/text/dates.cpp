// Replaces what is counted from today, and looks for dates among the numbers, words and marks.
#include "text/dates.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <functional>
#include <iterator>

#include "text/dates_items.h"
#include "text/names.h"

namespace memory::text {

namespace {

using Dates = std::pmr::vector<NamedDate>;
using Months = std::pmr::vector<const MonthNames *>;

constexpr int first_lone_year = 1900;
constexpr int last_lone_year = 2100;

// Of words between the parts of a date ("de", "of", "năm"), and of those that stick to a number
// ("th", "er").
constexpr std::size_t longest_filler = 3;
constexpr std::size_t longest_suffix = 2;

int find_month(const Months &months, std::string_view word) {
    for (const MonthNames *names : months)
        if (const int month = names->find(word); month != 0)
            return month;
    return 0;
}

bool follows_number(const Months &months, std::string_view word) {
    return std::any_of(months.begin(), months.end(),
                       [word](const MonthNames *names) { return names->follows_number(word); });
}

bool precedes_number(const Months &months, std::string_view word) {
    return std::any_of(months.begin(), months.end(),
                       [word](const MonthNames *names) { return names->precedes_number(word); });
}

// Marks months, and takes out what sticks to a number and says nothing.
void find_months(DateItems &items, const Months &months) {
    for (std::size_t at = 0; at < items.size(); ++at) {
        DateItem &item = items[at];
        const bool behind_number = at > 0 && items[at - 1].is_month();
        if (!item.is_word())
            continue;
        if (behind_number && follows_number(months, item.text))
            items[at - 1].month = items[at - 1].value;
        else if (precedes_number(months, item.text) && at + 1 < items.size() &&
                 items[at + 1].is_month())
            items[at + 1].month = items[at + 1].value;
        else
            item.month = find_month(months, item.text);
    }
    const auto says_nothing = [&](const DateItem &item) {
        if (!item.is_word() || item.month != 0)
            return false;
        const DateItem *before = &item == items.data() ? nullptr : &item - 1;
        const bool sticks = before != nullptr && before->is_number() &&
                            before->text.data() + before->text.size() == item.text.data();
        return (sticks && item.letters <= longest_suffix) || precedes_number(months, item.text);
    };
    DateItems kept(items.get_allocator());
    std::copy_if(items.begin(), items.end(), std::back_inserter(kept), std::not_fn(says_nothing));
    items.swap(kept);
}

// The number next to an item, one short word and marks passed over; nullptr if there is none.
const DateItem *number_beside(const DateItems &items, std::size_t at, std::ptrdiff_t step) {
    int fillers = 0;
    for (auto next = static_cast<std::ptrdiff_t>(at) + step; next >= 0 && next < std::ssize(items);
         next += step) {
        const DateItem &item = items[static_cast<std::size_t>(next)];
        if (item.is_number())
            return item.month == 0 ? &item : nullptr;
        if (item.is_word() && (item.letters > longest_filler || item.month != 0 || ++fillers > 1))
            return nullptr;
    }
    return nullptr;
}

// What stands around a month: a day, a year, or both.
NamedDate around_month(const DateItems &items, std::size_t at) {
    NamedDate date{0, items[at].month, 0};
    const DateItem *before = number_beside(items, at, -1);
    const DateItem *behind = number_beside(items, at, 1);
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
NamedDate in_numbers(const DateItems &items, std::size_t at) {
    if (at + 5 > items.size() || items[at + 1].kind != DateItem::Kind::mark ||
        !items[at + 3].is_mark(static_cast<char>(items[at + 1].value)))
        return {};
    const DateItem &first = items[at];
    const DateItem &second = items[at + 2];
    const DateItem &third = items[at + 4];
    const int mark = items[at + 1].value;
    if (first.is_year() && second.is_month() && third.is_day() &&
        (mark == '-' || mark == '/' || mark == '.'))
        return {first.year(), second.value, third.value};
    if (first.is_day() && second.is_month() && third.is_year() && mark == '.')
        return {third.year(), second.value, first.value};
    return {};
}

namespace chrono = std::chrono;

// What is counted from a day, in the calendar.
class Calendar {
  public:
    Calendar(const NamedDate &today, Dates &dates)
        : today_(chrono::year(today.year) / today.month / today.day), dates_(dates) {}

    void add(PastUnit unit, int count) {
        const chrono::year_month month = today_.year() / today_.month();
        switch (unit) {
        case PastUnit::day:
            return add_day(midnight() - chrono::days(count));
        case PastUnit::week:
            for (int day = 0; day < 7; ++day)
                add_day(monday() - chrono::weeks(count) + chrono::days(day));
            return;
        case PastUnit::month: {
            const chrono::year_month its = month - chrono::months(count);
            return add_date(its.year(), its.month(), 0);
        }
        case PastUnit::year:
            return add_date(chrono::year(year_before(count)), {}, 0);
        case PastUnit::weekday:
            return add_weekday(chrono::weekday(static_cast<unsigned>(count)));
        }
    }

    int year_before(int count) const { return int(today_.year()) - count; }
    // Of the last month of this number that began before today's.
    int year_of(int month) const {
        return year_before(unsigned(today_.month()) > unsigned(month) ? 0 : 1);
    }

  private:
    chrono::sys_days midnight() const { return today_; }

    // A week begins on a Monday.
    chrono::sys_days monday() const {
        return midnight() - (chrono::weekday(midnight()) - chrono::Monday);
    }

    // The last one before today, and that of the last week, which may be the same.
    void add_weekday(chrono::weekday which) {
        const chrono::days back = chrono::weekday(midnight()) - which;
        add_day(midnight() - (back == chrono::days(0) ? chrono::days(7) : back));
        add_day(monday() - chrono::days(7) + (which - chrono::Monday));
    }

    void add_day(chrono::sys_days day) {
        const chrono::year_month_day date(day);
        add_date(date.year(), date.month(), static_cast<int>(unsigned(date.day())));
    }

    // There is no year before the first.
    void add_date(chrono::year year, chrono::month month, int day) {
        if (int(year) > 0)
            dates_.push_back({int(year), static_cast<int>(unsigned(month)), day});
    }

    chrono::year_month_day today_;
    Dates &dates_;
};

} // namespace

// One text.
class DateReader::Reading {
  public:
    Reading(DateReader &reader, const NamedDate &today, std::pmr::memory_resource *memory,
            Interruption &interruption)
        : reader_(reader), today_(today), memory_(memory), pause_(interruption), dates_(memory),
          calendar_(today, dates_), rest_(memory), past_(memory), months_(memory) {}

    Dates read(std::string_view utf8) {
        const std::pmr::string normal = normal_name(utf8, memory_, pause_.interruption());
        DateLanguages languages = today_ == NamedDate() ? 0 : languages_by_triggers(normal, pause_);
        if (languages != 0)
            take_counted(normal, languages);
        else
            keep(normal);
        if (languages != 0 || digits_)
            find_named(languages);
        std::sort(dates_.begin(), dates_.end());
        dates_.erase(std::unique(dates_.begin(), dates_.end()), dates_.end());
        return std::move(dates_);
    }

  private:
    void take_counted(std::string_view normal, DateLanguages languages);
    void add(const CountedDate &one);
    void keep(std::string_view text);
    void find_named(DateLanguages languages);
    NamedDate named_at(const DateItems &items, std::size_t at) const;
    bool means_last(const DateItem &item) const;

    DateReader &reader_;
    const NamedDate &today_;
    std::pmr::memory_resource *memory_;
    Pause pause_;
    Dates dates_;
    Calendar calendar_;
    std::pmr::string rest_; // of the text, without what is counted
    bool digits_ = false;   // the rest has some of the text's own
    std::pmr::vector<const PastPhrases *> past_;
    Months months_;
};

void DateReader::Reading::keep(std::string_view text) {
    digits_ = digits_ || has_digit(text, pause_);
    rest_.append(text).push_back(' ');
}

// A year becomes its number in the rest of the text.
void DateReader::Reading::add(const CountedDate &one) {
    if (one.unit != PastUnit::year)
        return calendar_.add(one.unit, one.count);
    std::array<char, 12> year;
    const auto written =
        std::to_chars(year.data(), year.data() + year.size(), calendar_.year_before(one.count));
    rest_.append(year.data(), written.ptr).push_back(' ');
}

// Of phrases over each other, the first one, and of two that begin there the longer one.
void DateReader::Reading::take_counted(std::string_view normal, DateLanguages languages) {
    std::pmr::vector<CountedDate> found(memory_);
    for (std::size_t language = 0; language < date_languages.size(); ++language)
        if (has(languages, language)) {
            PastPhrases &past = reader_.past(language);
            past.find(normal, found, pause_);
            past_.push_back(&past);
        }
    std::stable_sort(found.begin(), found.end(), [](const CountedDate &a, const CountedDate &b) {
        return a.begin != b.begin ? a.begin < b.begin : a.size > b.size;
    });
    std::size_t end = 0;
    for (const CountedDate &one : found) {
        if (one.begin < end)
            continue;
        keep(normal.substr(end, one.begin - end));
        add(one);
        end = one.begin + one.size;
    }
    keep(normal.substr(end));
}

bool DateReader::Reading::means_last(const DateItem &item) const {
    return item.is_word() && std::any_of(past_.begin(), past_.end(), [&](const PastPhrases *past) {
               return past->means_last(item.text);
           });
}

NamedDate DateReader::Reading::named_at(const DateItems &items, std::size_t at) const {
    if (items[at].month == 0)
        return items[at].is_number() ? in_numbers(items, at) : NamedDate{};
    NamedDate date = around_month(items, at);
    const bool is_last = (at > 0 && means_last(items[at - 1])) ||
                         (at + 1 < items.size() && means_last(items[at + 1]));
    if (date.day == 0 && date.year == 0 && is_last)
        date.year = calendar_.year_of(date.month);
    return date;
}

// Names of months are looked for where a number is a day or a year, and where the text may mean the
// last month of a name.
void DateReader::Reading::find_named(DateLanguages languages) {
    DateItems items = date_items(rest_, memory_, pause_);
    if (std::none_of(items.begin(), items.end(), [this](const DateItem &item) {
            return item.is_day() || item.is_year() || means_last(item);
        }))
        return;
    if (digits_)
        languages |= languages_by_letters(rest_, pause_);
    for (std::size_t language = 0; language < date_languages.size(); ++language)
        if (has(languages, language))
            months_.push_back(&reader_.months(language));
    find_months(items, months_);
    Dates years(memory_);
    for (std::size_t at = 0; at < items.size(); ++at) {
        pause_.step();
        const NamedDate date = named_at(items, at);
        if (date.day != 0 || (date.month != 0 && date.year != 0))
            dates_.push_back(date);
        else if (items[at].is_year() && items[at].value >= first_lone_year &&
                 items[at].value <= last_lone_year)
            years.push_back({items[at].value, 0, 0});
    }
    if (dates_.empty())
        dates_.swap(years);
}

std::pmr::vector<NamedDate> DateReader::read(std::string_view utf8, const NamedDate &today,
                                             std::pmr::memory_resource *memory,
                                             Interruption &interruption) {
    return Reading(*this, today, memory, interruption).read(utf8);
}

const MonthNames &DateReader::months(std::size_t language) {
    std::optional<MonthNames> &known = months_[language];
    return known ? *known : known.emplace(date_languages[language], memory_);
}

PastPhrases &DateReader::past(std::size_t language) {
    std::optional<PastPhrases> &known = past_[language];
    return known ? *known : known.emplace(date_languages[language], memory_);
}

} // namespace memory::text
