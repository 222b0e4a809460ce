// Normal forms of names: NFKC case folding, white space collapsed, and styles of predicates undone.
#include "text/names.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <unicode/uchar.h>
#include <unicode/utf16.h>

#include "text/characters.h"
#include "text/normal.h"
#include "text/utf8.h"

namespace memory::text {

namespace {

using String = std::pmr::string;

constexpr char32_t replacement = 0xFFFD; // for bytes that are no text

UChar32 code_point(char32_t point) { return static_cast<UChar32>(point); }

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char byte) { return static_cast<signed char>(byte) >= 0; });
}

bool is_space(char32_t point) {
    return point < 0x80 ? point == ' ' || point - '\t' < 5
                        : u_hasBinaryProperty(code_point(point), UCHAR_WHITE_SPACE);
}

template <typename Use>
void each_character(std::string_view text, Pause &pause, Use use) {
    for (std::size_t at = 0; at < text.size();) {
        const Decoded next = decode(text, at);
        use(next.point);
        at += next.size;
        pause.step(next.size);
    }
}

void append_utf16(std::pmr::u16string &to, char32_t point) {
    if (point > 0xFFFF) {
        to.push_back(U16_LEAD(point));
        to.push_back(static_cast<char16_t>(U16_TRAIL(point)));
    } else {
        to.push_back(static_cast<char16_t>(point));
    }
}

// Appends well-formed UTF-16 as UTF-8.
void append_utf8(String &to, std::u16string_view text, Pause &pause) {
    for (std::size_t i = 0; i < text.size(); pause.step()) {
        char32_t point = text[i++];
        if (U16_IS_LEAD(point))
            point = static_cast<char32_t>(U16_GET_SUPPLEMENTARY(point, text[i++]));
        append(to, point);
    }
}

String normalized(const UNormalizer2 *form, std::string_view utf8,
                  std::pmr::memory_resource *memory, Pause &pause) {
    std::pmr::u16string source(memory);
    source.reserve(utf8.size());
    each_character(utf8, pause, [&](char32_t point) {
        append_utf16(source, point == bad_byte ? replacement : point);
    });
    std::pmr::u16string normal(memory);
    append_normalized(form, source, normal, pause);
    String result(memory);
    append_utf8(result, normal, pause);
    return result;
}

String case_folded(std::string_view utf8, std::pmr::memory_resource *memory, Pause &pause) {
    if (!is_ascii(utf8))
        return normalized(nfkc_case_folding(), utf8, memory, pause);
    String result(utf8, memory);
    std::transform(result.begin(), result.end(), result.begin(), ascii_lower);
    return result;
}

String spaces_collapsed(std::string_view utf8, std::pmr::memory_resource *memory, Pause &pause) {
    String result(memory);
    result.reserve(utf8.size());
    bool space = false;
    each_character(utf8, pause, [&](char32_t point) {
        if (is_space(point)) {
            space = !result.empty();
            return;
        }
        if (std::exchange(space, false))
            result.push_back(' ');
        append(result, point);
    });
    return result;
}

// What a character is inside an identifier.
enum class Part { separator, upper, other, invisible };

Part part_of(char32_t point) {
    if (point < 0x80)
        return is_ascii_letter(point)  ? (point < 'a' ? Part::upper : Part::other)
               : is_ascii_digit(point) ? Part::other
                                       : Part::separator;
    const UChar32 character = code_point(point);
    if (u_hasBinaryProperty(character, UCHAR_DEFAULT_IGNORABLE_CODE_POINT))
        return Part::invisible;
    const std::uint32_t category = U_GET_GC_MASK(character);
    if ((category & (U_GC_LU_MASK | U_GC_LT_MASK)) != 0 &&
        u_hasBinaryProperty(character, UCHAR_CHANGES_WHEN_CASEFOLDED))
        return Part::upper;
    return (category & (U_GC_L_MASK | U_GC_N_MASK | U_GC_M_MASK)) != 0 ? Part::other
                                                                       : Part::separator;
}

// Words of an NFKC text joined by '_', in the case they have.
String words_joined(std::string_view utf8, std::pmr::memory_resource *memory, Pause &pause) {
    String result(memory);
    Part before = Part::separator;
    std::size_t last_upper = 0; // where the capital before begins in `result`
    bool capitals = false;      // two capitals or more stand before
    each_character(utf8, pause, [&](char32_t point) {
        const Part part = part_of(point);
        if (part == Part::invisible)
            return;
        if (part != Part::separator) {
            if (!result.empty() &&
                (before == Part::separator || (part == Part::upper && before == Part::other)))
                result.push_back('_');
            // "HTTPServer": the last capital begins the next word.
            if (part == Part::other && capitals &&
                (point < 0x80 ? is_ascii_letter(point) : u_isULowercase(code_point(point))))
                result.insert(last_upper, 1, '_');
            capitals = part == Part::upper && before == Part::upper;
            if (part == Part::upper)
                last_upper = result.size();
            append(result, point);
        }
        before = part;
    });
    return result;
}

} // namespace

String normal_name(std::string_view utf8, std::pmr::memory_resource *memory,
                   Interruption &interruption) {
    Pause pause(interruption);
    return spaces_collapsed(case_folded(utf8, memory, pause), memory, pause);
}

String normal_predicate(std::string_view utf8, std::pmr::memory_resource *memory,
                        Interruption &interruption) {
    Pause pause(interruption);
    if (is_ascii(utf8))
        return case_folded(words_joined(utf8, memory, pause), memory, pause);
    const String composed = normalized(nfkc(), utf8, memory, pause);
    return case_folded(words_joined(composed, memory, pause), memory, pause);
}

} // namespace memory::text
