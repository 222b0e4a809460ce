// Takes the phrases from ICU's formatter of relative dates, and numerals from its spell-out rules.
#include "text/dates_past.h"

#include <algorithm>
#include <array>
#include <memory>

#include <unicode/unum.h>
#include <unicode/ureldatefmt.h>
#include <unicode/ustring.h>

#include "text/characters.h"
#include "text/error.h"
#include "text/names.h"
#include "text/utf8.h"

namespace memory::text {

namespace {

constexpr std::array units{
    std::pair{UDAT_REL_UNIT_DAY, PastUnit::day}, std::pair{UDAT_REL_UNIT_WEEK, PastUnit::week},
    std::pair{UDAT_REL_UNIT_MONTH, PastUnit::month}, std::pair{UDAT_REL_UNIT_YEAR, PastUnit::year}};
constexpr std::array weekdays{
    UDAT_REL_UNIT_SUNDAY,   UDAT_REL_UNIT_MONDAY, UDAT_REL_UNIT_TUESDAY, UDAT_REL_UNIT_WEDNESDAY,
    UDAT_REL_UNIT_THURSDAY, UDAT_REL_UNIT_FRIDAY, UDAT_REL_UNIT_SATURDAY};
// Numbers of each kind of plural that one of the languages has.
constexpr std::array sample_counts{1, 2, 3, 5, 11, 20, 21, 100};
// Numerals from 1 to 31, and by tens from there.
constexpr int largest_by_ones = 31;
constexpr int largest_numeral = 100;
// What ICU's phrases begin with, and the same phrases in a text not always: "del mes pasado".
constexpr std::array<std::string_view, 9> short_words{"el ", "la ", "в ",   "во ", "на ",
                                                      "το ", "τη ", "την ", "τον "};

void require(UErrorCode error) {
    if (U_FAILURE(error))
        throw IcuFailure("ICU has no phrases of the past");
}

std::pmr::string normal_of(const UChar *text, std::int32_t length,
                           std::pmr::memory_resource *memory) {
    std::array<char, 768> utf8;
    std::int32_t size = 0;
    UErrorCode error = U_ZERO_ERROR;
    u_strToUTF8(utf8.data(), std::ssize(utf8), &size, text, length, &error);
    require(error);
    return normal_name({utf8.data(), static_cast<std::size_t>(size)}, memory);
}

std::string_view without_short_word(std::string_view phrase) {
    for (const std::string_view word : short_words)
        if (phrase.starts_with(word))
            return phrase.substr(word.size());
    return phrase;
}

std::string_view without_digits(std::string_view phrase) {
    while (!phrase.empty() && is_ascii_digit(static_cast<unsigned char>(phrase.front())))
        phrase.remove_prefix(1);
    return phrase.starts_with(' ') ? phrase.substr(1) : phrase;
}

template <typename Use>
void each_word(std::string_view text, Use use) {
    for (std::size_t end = 0; end != text.npos;) {
        end = text.find(' ');
        use(text.substr(0, end));
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
}

} // namespace

// What ICU says in one language.
class PastPhrases::Reader {
  public:
    explicit Reader(PastPhrases &to) : to_(to), memory_(to.phrases_.get_allocator().resource()) {
        UErrorCode error = U_ZERO_ERROR;
        format_.reset(ureldatefmt_open(to.language_, nullptr, UDAT_STYLE_LONG,
                                       UDISPCTX_CAPITALIZATION_NONE, &error));
        require(error);
    }

    // Yesterday and the day before, last week, two weeks ago.
    void add_counted(URelativeDateTimeUnit unit, PastUnit as) {
        for (const int count : {1, 2})
            to_.add(without_short_word(phrase(ureldatefmt_format, -count, unit)), as, count, false);
        for (const int count : sample_counts)
            to_.add(phrase(ureldatefmt_formatNumeric, -count, unit), as, count, false);
        const std::pmr::string one = phrase(ureldatefmt_formatNumeric, -1, unit);
        const std::pmr::string two = phrase(ureldatefmt_formatNumeric, -2, unit);
        const std::string_view without = without_digits(one);
        if (without.size() < one.size() && without != without_digits(two))
            to_.add(without, as, 1, true);
    }

    void add_weekday(URelativeDateTimeUnit unit, int weekday) {
        to_.add(without_short_word(phrase(ureldatefmt_format, -1, unit)), PastUnit::weekday,
                weekday, false);
    }

    // The words that a phrase of the last one has, and those of this one and of the next have not.
    // A word by itself ("anteayer") is no last anything.
    void add_last(URelativeDateTimeUnit unit) {
        const std::pmr::string last = phrase(ureldatefmt_format, -1, unit);
        if (last.find(' ') == last.npos)
            return;
        std::pmr::string others = phrase(ureldatefmt_format, 0, unit);
        others.append(" ").append(phrase(ureldatefmt_format, 1, unit));
        each_word(last, [&](std::string_view word) {
            bool other = to_.means_last(word);
            each_word(others, [&](std::string_view one) { other = other || one == word; });
            if (!other)
                to_.last_.emplace_back(word);
        });
    }

  private:
    std::pmr::string phrase(decltype(ureldatefmt_format) &made, int offset,
                            URelativeDateTimeUnit unit) {
        UErrorCode error = U_ZERO_ERROR;
        std::array<UChar, 256> text;
        const std::int32_t length =
            made(format_.get(), offset, unit, text.data(), std::ssize(text), &error);
        require(error);
        return normal_of(text.data(), length, memory_);
    }

    PastPhrases &to_;
    std::pmr::memory_resource *memory_;
    std::unique_ptr<URelativeDateTimeFormatter, decltype(&ureldatefmt_close)> format_{
        nullptr, &ureldatefmt_close};
};

PastPhrases::PastPhrases(const char *language, std::pmr::memory_resource *memory)
    : language_(language), phrases_(memory), last_(memory) {
    Reader reader(*this);
    for (const auto &[unit, as] : units) {
        reader.add_counted(unit, as);
        if (as != PastUnit::day)
            reader.add_last(unit);
    }
    for (std::size_t weekday = 0; weekday < weekdays.size(); ++weekday) {
        reader.add_weekday(weekdays[weekday], static_cast<int>(weekday));
        reader.add_last(weekdays[weekday]);
    }
}

// In each of the language's sets of rules for cardinal numbers: "un", "una".
const PastPhrases::Numerals &PastPhrases::numerals() {
    if (numerals_)
        return *numerals_;
    std::pmr::memory_resource *const memory = phrases_.get_allocator().resource();
    UErrorCode error = U_ZERO_ERROR;
    const std::unique_ptr<UNumberFormat, decltype(&unum_close)> format(
        unum_open(UNUM_SPELLOUT, nullptr, 0, language_, nullptr, &error), &unum_close);
    require(error);
    std::array<UChar, 4096> names;
    const std::int32_t size = unum_getTextAttribute(format.get(), UNUM_PUBLIC_RULESETS,
                                                    names.data(), std::ssize(names), &error);
    require(error);
    Numerals numerals(memory);
    std::u16string_view rest(names.data(), static_cast<std::size_t>(size));
    while (!rest.empty()) {
        const std::u16string_view rules = rest.substr(0, rest.find(u';'));
        rest.remove_prefix(std::min(rest.size(), rules.size() + 1));
        if (rules.find(u"-cardinal") == rules.npos)
            continue;
        unum_setTextAttribute(format.get(), UNUM_DEFAULT_RULESET, rules.data(),
                              static_cast<std::int32_t>(rules.size()), &error);
        for (int number = 1; number <= largest_numeral;
             number += number < largest_by_ones ? 1 : 10 - number % 10) {
            std::array<UChar, 256> text;
            const std::int32_t length =
                unum_format(format.get(), number, text.data(), std::ssize(text), nullptr, &error);
            require(error);
            numerals.emplace(normal_of(text.data(), length, memory), number);
        }
    }
    return numerals_.emplace(std::move(numerals));
}

} // namespace memory::text
