#include "text/names.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/utf16.h>

#include "text/characters.h"
#include "text/error.h"
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

const UNormalizer2 *instance(const UNormalizer2 *(*get)(UErrorCode *)) {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *form = get(&status);
    if (U_FAILURE(status))
        throw IcuFailure("ICU has no normalization data");
    return form;
}

template <typename Use>
void each_character(std::string_view text, Use use) {
    for (std::size_t at = 0; at < text.size();) {
        const Decoded next = decode(text, at);
        use(next.point);
        at += next.size;
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
void append_utf8(String &to, std::u16string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        char32_t point = text[i++];
        if (U16_IS_LEAD(point))
            point = static_cast<char32_t>(U16_GET_SUPPLEMENTARY(point, text[i++]));
        append(to, point);
    }
}

std::pmr::u16string normalized(const UNormalizer2 *form, const std::pmr::u16string &source) {
    std::pmr::u16string result(source.get_allocator());
    result.resize(source.size() + source.size() / 4 + 8);
    for (;;) {
        UErrorCode status = U_ZERO_ERROR;
        const std::int32_t size =
            unorm2_normalize(form, source.data(), static_cast<std::int32_t>(source.size()),
                             result.data(), static_cast<std::int32_t>(result.size()), &status);
        if (status != U_BUFFER_OVERFLOW_ERROR && U_FAILURE(status))
            throw IcuFailure("ICU could not normalize a name");
        result.resize(static_cast<std::size_t>(size));
        if (status != U_BUFFER_OVERFLOW_ERROR)
            return result;
    }
}

String normalized(const UNormalizer2 *form, std::string_view utf8,
                  std::pmr::memory_resource *memory) {
    std::pmr::u16string source(memory);
    source.reserve(utf8.size());
    each_character(utf8, [&](char32_t point) {
        append_utf16(source, point == bad_byte ? replacement : point);
    });
    String result(memory);
    append_utf8(result, normalized(form, source));
    return result;
}

String case_folded(std::string_view utf8, std::pmr::memory_resource *memory) {
    if (!is_ascii(utf8))
        return normalized(instance(unorm2_getNFKCCasefoldInstance), utf8, memory);
    String result(utf8, memory);
    std::transform(result.begin(), result.end(), result.begin(), ascii_lower);
    return result;
}

String spaces_collapsed(std::string_view utf8, std::pmr::memory_resource *memory) {
    String result(memory);
    result.reserve(utf8.size());
    bool space = false;
    each_character(utf8, [&](char32_t point) {
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
String words_joined(std::string_view utf8, std::pmr::memory_resource *memory) {
    String result(memory);
    Part before = Part::separator;
    std::size_t last_upper = 0; // where the capital before begins in `result`
    bool capitals = false;      // two capitals or more stand before
    each_character(utf8, [&](char32_t point) {
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

String normal_name(std::string_view utf8, std::pmr::memory_resource *memory) {
    return spaces_collapsed(case_folded(utf8, memory), memory);
}

String normal_predicate(std::string_view utf8, std::pmr::memory_resource *memory) {
    if (is_ascii(utf8))
        return case_folded(words_joined(utf8, memory), memory);
    const String composed = normalized(instance(unorm2_getNFKCInstance), utf8, memory);
    return case_folded(words_joined(composed, memory), memory);
}

} // namespace memory::text
