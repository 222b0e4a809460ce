// The triggers of each language, and the scripts.
#include "text/dates_languages.h"

#include <algorithm>

#include "text/characters.h"
#include "text/utf8.h"

namespace memory::text {

namespace {

consteval DateLanguages language(std::string_view name) {
    const auto found = std::find(date_languages.begin(), date_languages.end(), name);
    return static_cast<DateLanguages>(1U << (found - date_languages.begin()));
}

struct Trigger {
    std::string_view text; // a normal name, or what it begins with
    DateLanguages language;
};

template <std::size_t count>
constexpr std::array<Trigger, count> by_text(std::array<Trigger, count> some) {
    std::sort(some.begin(), some.end(),
              [](const Trigger &a, const Trigger &b) { return a.text < b.text; });
    return some;
}

// Each phrase of the past has one, and so has each word for "last": tests/unit/text_dates_test.cpp.
constexpr std::array triggers = by_text(std::to_array<Trigger>({
    {"أمس", language("ar")},     {"قبل", language("ar")},        {"الماضي", language("ar")},
    {"الأخير", language("ar")},  {"gestern", language("de")},    {"vorgestern", language("de")},
    {"vor", language("de")},     {"letzt", language("de")},      {"χθεσ", language("el")},
    {"προχθέσ", language("el")}, {"πριν", language("el")},       {"προηγούμεν", language("el")},
    {"πέρσι", language("el")},   {"yesterday", language("en")},  {"last", language("en")},
    {"ago", language("en")},     {"ayer", language("es")},       {"anteayer", language("es")},
    {"hace", language("es")},    {"pasad", language("es")},      {"कल", language("hi")},
    {"परसों", language("hi")},    {"पहले", language("hi")},        {"पिछल", language("hi")},
    {"ieri", language("ro")},    {"alaltăieri", language("ro")}, {"acum", language("ro")},
    {"trecut", language("ro")},  {"вчера", language("ru")},      {"позавчера", language("ru")},
    {"назад", language("ru")},   {"прошл", language("ru")},      {"เมื่อวาน", language("th")},
    {"ที่ผ่านมา", language("th")},  {"ที่แล้ว", language("th")},       {"dün", language("tr")},
    {"evvelsi", language("tr")}, {"önce", language("tr")},       {"geçen", language("tr")},
    {"hôm", language("vi")},     {"trước", language("vi")},      {"ngoái", language("vi")},
    {"昨天", language("zh")},    {"前", language("zh")},         {"上", language("zh")},
    {"去年", language("zh")},
}));

constexpr std::size_t byte_of(char byte) { return static_cast<unsigned char>(byte); }

// Where in the table those begin whose text begins with a byte; behind them, those of the next.
constexpr auto first_of_byte = [] {
    static_assert(triggers.size() < 256);
    std::array<std::uint8_t, 257> first{};
    for (const Trigger &trigger : triggers)
        for (std::size_t byte = byte_of(trigger.text.front()) + 1; byte < first.size(); ++byte)
            ++first[byte];
    return first;
}();

constexpr bool is_letter_byte(char byte) {
    return is_ascii_letter(static_cast<unsigned char>(byte));
}

DateLanguages of_script(Script script) {
    switch (script) {
    case Script::latin:
        return language("de") | language("en") | language("es") | language("ro") | language("tr") |
               language("vi");
    case Script::arabic:
        return language("ar");
    case Script::cyrillic:
        return language("ru");
    case Script::devanagari:
        return language("hi");
    case Script::greek:
        return language("el");
    default:
        return 0;
    }
}

} // namespace

bool has_digit(std::string_view normal, Pause &pause) {
    for (std::size_t at = 0; at < normal.size();) {
        const Decoded next = decode(normal, at);
        if (kind_of(next.point) == Kind::digit)
            return true;
        pause.step(next.size);
        at += next.size;
    }
    return false;
}

DateLanguages languages_by_letters(std::string_view normal, Pause &pause) {
    DateLanguages found = 0;
    for (std::size_t at = 0; at < normal.size();) {
        const Decoded next = decode(normal, at);
        switch (kind_of(next.point)) {
        case Kind::ideograph:
            found |= language("zh");
            break;
        case Kind::complex:
            found |= language("th");
            break;
        case Kind::letter:
            found |= of_script(script_of(next.point));
            break;
        default:
            break;
        }
        pause.step(next.size);
        at += next.size;
    }
    return found;
}

// What begins with a letter of ASCII begins a word.
DateLanguages languages_by_triggers(std::string_view normal, Pause &pause) {
    DateLanguages found = 0;
    for (std::size_t at = 0; at < normal.size(); ++at) {
        pause.step();
        if (at > 0 && is_letter_byte(normal[at]) && is_letter_byte(normal[at - 1]))
            continue;
        const std::size_t end = first_of_byte[byte_of(normal[at]) + 1];
        for (std::size_t one = first_of_byte[byte_of(normal[at])]; one < end; ++one)
            if (normal.substr(at).starts_with(triggers[one].text))
                found |= triggers[one].language;
    }
    return found;
}

} // namespace memory::text
