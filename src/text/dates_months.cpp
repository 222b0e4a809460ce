// Takes the names out of ICU's format of dates.
#include "text/dates_months.h"

#include <array>
#include <iterator>
#include <memory>

#include <unicode/udat.h>
#include <unicode/ustring.h>

#include "text/dates_items.h"
#include "text/error.h"
#include "text/names.h"

namespace memory::text {

MonthNames::MonthNames(const char *language, std::pmr::memory_resource *memory)
    : names_(memory), after_(memory), before_(memory) {
    UErrorCode error = U_ZERO_ERROR;
    const std::unique_ptr<UDateFormat, decltype(&udat_close)> format(
        udat_open(UDAT_LONG, UDAT_LONG, language, nullptr, 0, nullptr, 0, &error), &udat_close);
    if (U_FAILURE(error))
        throw IcuFailure("ICU does not name the months");
    for (const UDateFormatSymbolType kind :
         {UDAT_MONTHS, UDAT_STANDALONE_MONTHS, UDAT_SHORT_MONTHS}) {
        // Short names of other languages are words of some language: "ago" is August.
        const bool only_numbered = kind == UDAT_SHORT_MONTHS && std::string_view(language) != "en";
        for (int month = 1; month <= 12; ++month) {
            std::array<UChar, 64> name;
            std::array<char, 192> utf8;
            std::int32_t size = 0;
            udat_getSymbols(format.get(), kind, month - 1, name.data(), std::ssize(name), &error);
            u_strToUTF8(utf8.data(), std::ssize(utf8), &size, name.data(), -1, &error);
            if (U_SUCCESS(error))
                add(normal_name({utf8.data(), static_cast<std::size_t>(size)}, memory), month,
                    only_numbered);
        }
    }
    if (U_FAILURE(error))
        throw IcuFailure("ICU does not name the months");
}

// A name may be a number with a word before it or behind it: the first such words are kept.
void MonthNames::add(std::string_view name, int month, bool only_numbered) {
    Pause pause(Interruption::none());
    const DateItems items = date_items(name, names_.get_allocator().resource(), pause);
    if (items.size() == 1 && items[0].is_word() && !only_numbered)
        names_.emplace(items[0].text, month);
    else if (after_.empty() && items.size() == 2 && items[0].is_number() && items[1].is_word())
        after_ = items[1].text;
    else if (before_.empty() && items.size() == 2 && items[1].is_number() && items[0].is_word())
        before_ = items[0].text;
}

int MonthNames::find(std::string_view word) const {
    const auto found = names_.find(word);
    return found == names_.end() ? 0 : found->second;
}

} // namespace memory::text
