// Cuts by ICU's properties of characters.
#include "text/dates_items.h"

#include <algorithm>

#include <unicode/uchar.h>

#include "text/utf8.h"

namespace memory::text {

DateItems date_items(std::string_view text, std::pmr::memory_resource *memory, Pause &pause) {
    DateItems items(memory);
    bool joined = false;
    for (std::size_t at = 0; at < text.size();) {
        const Decoded next = decode(text, at);
        pause.step(next.size);
        const auto point = static_cast<UChar32>(next.point);
        const int digit = u_charDigitValue(point);
        const bool letter = u_isalpha(point) || (U_GET_GC_MASK(point) & U_GC_M_MASK) != 0;
        const auto kind = digit >= 0 ? DateItem::Kind::number
                          : letter   ? DateItem::Kind::word
                                     : DateItem::Kind::mark;
        if (u_isspace(point)) {
            joined = false;
        } else if (joined && kind != DateItem::Kind::mark && items.back().kind == kind) {
            DateItem &item = items.back();
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

} // namespace memory::text
