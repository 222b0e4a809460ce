// The languages that dates are read in, and which of them a text needs: told by its letters, before
// ICU is asked for any name. Texts are normal names (text/names.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/interruption.h"

namespace memory::text {

// ICU's names of them.
inline constexpr std::array date_languages{"ar", "de", "el", "en", "es", "hi",
                                           "ro", "ru", "th", "tr", "vi", "zh"};

// A set of them: bit 1 << place.
using DateLanguages = std::uint16_t;
static_assert(date_languages.size() <= 16);

constexpr bool has(DateLanguages set, std::size_t place) { return ((set >> place) & 1) != 0; }

bool has_digit(std::string_view normal, Pause &pause);

// Those that have letters which the text has.
DateLanguages languages_by_letters(std::string_view normal, Pause &pause);

// Those that have words in which something may be counted back from today, where the text has one
// of them: of too many rather than of too few.
DateLanguages languages_by_triggers(std::string_view normal, Pause &pause);

} // namespace memory::text
