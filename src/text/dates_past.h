// How one language counts back from today: "yesterday", "last week", "vor zwei Wochen".
#pragma once

#include <cstdint>
#include <map>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/interruption.h"

namespace memory::text {

enum class PastUnit : std::uint8_t { day, week, month, year, weekday };

// A phrase in a text.
struct CountedDate {
    std::size_t begin;
    std::size_t size;
    PastUnit unit;
    int count; // of units before today's one, from 1; of a weekday, which: 0 is Sunday
};

// ICU's phrases of relative dates.
class PastPhrases {
  public:
    static constexpr int largest_count = 1000;

    // Throws IcuFailure, and so does find(), which makes what it needs for numerals.
    PastPhrases(const char *language, std::pmr::memory_resource *memory);

    // Adds the phrases of a normal name (text/names.h), each the longest at its place.
    void find(std::string_view normal, std::pmr::vector<CountedDate> &found, Pause &pause);

    // Whether the word makes of a month's name beside it the last month of that name.
    bool means_last(std::string_view word) const;

  private:
    // A text, or two with a number between them.
    struct Phrase {
        std::pmr::string before;
        std::pmr::string behind;
        bool numbered;
        bool alone; // no phrase behind a number
        PastUnit unit;
        int count; // where there is no number
    };
    struct Number {
        int value = 0;
        std::size_t size = 0;
    };
    using Numerals = std::pmr::map<std::pmr::string, int, std::less<>>;
    class Reader;
    class Matcher;

    void add(std::string_view text, PastUnit unit, int count, bool alone);
    const Numerals &numerals();

    const char *language_;
    std::pmr::vector<Phrase> phrases_;
    std::pmr::vector<std::pmr::string> last_;
    std::optional<Numerals> numerals_;
};

} // namespace memory::text
