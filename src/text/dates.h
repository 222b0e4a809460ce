// Days, months and years that a text names, in twelve languages: "5 de marzo de 2024", "March 5th",
// "2024年3月5日", "2024-03-05", "last March". What is understood and what is not: docs/text.md.
#pragma once

#include <array>
#include <compare>
#include <memory_resource>
#include <optional>
#include <string_view>
#include <vector>

#include "text/dates_languages.h"
#include "text/dates_months.h"
#include "text/dates_past.h"

namespace memory::text {

// 0: any.
struct NamedDate {
    int year = 0;
    int month = 0;
    int day = 0;

    friend auto operator<=>(const NamedDate &, const NamedDate &) = default;
};

// Reads texts, and keeps what it has asked ICU for: some tenths of a millisecond for each language,
// when the first text needs it.
class DateReader {
  public:
    explicit DateReader(std::pmr::memory_resource *memory) : memory_(memory) {}
    DateReader(const DateReader &) = delete;
    DateReader &operator=(const DateReader &) = delete;

    // All of them in order, each once; a year alone only where there is no other. What is counted
    // back is counted from `today`, a date of some calendar year from 1 on; from an empty one
    // nothing is. Throws IcuFailure.
    std::pmr::vector<NamedDate> read(std::string_view utf8, const NamedDate &today,
                                     std::pmr::memory_resource *memory,
                                     Interruption &interruption = Interruption::none());

  private:
    class Reading;

    const MonthNames &months(std::size_t language);
    PastPhrases &past(std::size_t language);

    std::pmr::memory_resource *memory_;
    std::array<std::optional<MonthNames>, date_languages.size()> months_;
    std::array<std::optional<PastPhrases>, date_languages.size()> past_;
};

} // namespace memory::text
