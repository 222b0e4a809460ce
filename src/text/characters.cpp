#include "text/characters.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "text/utf8.h"

namespace memory::text {

namespace {

struct KnownRange {
    char32_t first;
    char32_t last;
    Kind kind;
};

// Ranges so common that asking ICU for each character would show. Each says what
// kind_by_properties says (tested).
constexpr KnownRange known_ranges[] = {
    {0x00C0, 0x00D6, Kind::letter},    {0x00D8, 0x00F6, Kind::letter},
    {0x00F8, 0x02AF, Kind::letter},    {0x0388, 0x038A, Kind::letter},
    {0x0391, 0x03A1, Kind::letter},    {0x03A3, 0x03F5, Kind::letter},
    {0x0400, 0x0481, Kind::letter},    {0x048A, 0x052F, Kind::letter},
    {0x05D0, 0x05EA, Kind::letter},    {0x0620, 0x064A, Kind::letter},
    {0x064B, 0x065F, Kind::mark},      {0x0904, 0x0939, Kind::letter},
    {0x0E01, 0x0E30, Kind::complex},   {0x1EA0, 0x1EF9, Kind::letter},
    {0x2000, 0x200A, Kind::separator}, {0x2010, 0x2027, Kind::separator},
    {0x3000, 0x3004, Kind::separator}, {0x3041, 0x3096, Kind::ideograph},
    {0x30A1, 0x30FA, Kind::ideograph}, {0x3400, 0x4DBF, Kind::ideograph},
    {0x4E00, 0x9FFF, Kind::ideograph}, {0xAC00, 0xD7A3, Kind::ideograph},
};

UChar32 icu(char32_t point) { return static_cast<UChar32>(point); }

UScriptCode icu_script(char32_t point) {
    UErrorCode status = U_ZERO_ERROR;
    return uscript_getScript(icu(point), &status);
}

std::int32_t word_break(char32_t point) {
    return u_getIntPropertyValue(icu(point), UCHAR_WORD_BREAK);
}

bool is_complex(char32_t point) {
    return u_getIntPropertyValue(icu(point), UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT;
}

bool is_unspaced_script(char32_t point) {
    switch (icu_script(point)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_HANGUL:
    case USCRIPT_BOPOMOFO:
    case USCRIPT_YI:
        return true;
    default:
        return u_hasBinaryProperty(icu(point), UCHAR_IDEOGRAPHIC) ||
               word_break(point) == U_WB_KATAKANA;
    }
}

Kind kind_of_letter(char32_t point) {
    if (word_break(point) == U_WB_EXTEND)
        return Kind::mark; // the voiced sound marks of half-width Katakana
    if (u_hasBinaryProperty(icu(point), UCHAR_DEFAULT_IGNORABLE_CODE_POINT))
        return Kind::mark; // Hangul fillers
    if (is_complex(point))
        return Kind::complex;
    return is_unspaced_script(point) ? Kind::ideograph : Kind::letter;
}

Kind kind_of_symbol(char32_t point) {
    switch (word_break(point)) {
    case U_WB_EXTEND: // skin tones
    case U_WB_FORMAT:
    case U_WB_ZWJ:
        return Kind::mark;
    case U_WB_REGIONAL_INDICATOR:
        return Kind::flag_letter;
    case U_WB_KATAKANA: // squared words
        return Kind::ideograph;
    case U_WB_ALETTER: // circled letters are letters; an Armenian question mark stands inside its
                       // word
        return u_charType(icu(point)) == U_OTHER_SYMBOL ? Kind::letter : Kind::mark;
    default:
        return u_hasBinaryProperty(icu(point), UCHAR_EXTENDED_PICTOGRAPHIC) ? Kind::pictograph
                                                                            : Kind::separator;
    }
}

} // namespace

Kind kind_by_properties(char32_t point) noexcept {
    switch (u_charType(icu(point))) {
    case U_UPPERCASE_LETTER:
    case U_LOWERCASE_LETTER:
    case U_TITLECASE_LETTER:
    case U_MODIFIER_LETTER:
    case U_OTHER_LETTER:
    case U_LETTER_NUMBER:
        return kind_of_letter(point);
    case U_DECIMAL_DIGIT_NUMBER:
        return Kind::digit;
    case U_OTHER_NUMBER:
        return Kind::numeral;
    case U_NON_SPACING_MARK:
    case U_COMBINING_SPACING_MARK:
    case U_ENCLOSING_MARK:
        return Kind::mark;
    default:
        return kind_of_symbol(point);
    }
}

Kind kind_beyond_ascii(char32_t point) noexcept {
    if (point == bad_byte)
        return Kind::separator;
    for (const KnownRange &range : known_ranges) {
        if (point < range.first)
            break;
        if (point <= range.last)
            return range.kind;
    }
    return kind_by_properties(point);
}

Script script_of(char32_t point) noexcept {
    if (point < 0x80)
        return is_ascii_letter(point) ? Script::latin : Script::other;
    switch (icu_script(point)) {
    case USCRIPT_LATIN:
        return Script::latin;
    case USCRIPT_CYRILLIC:
        return Script::cyrillic;
    case USCRIPT_GREEK:
        return Script::greek;
    case USCRIPT_ARABIC:
        return Script::arabic;
    case USCRIPT_HEBREW:
        return Script::hebrew;
    case USCRIPT_DEVANAGARI:
        return Script::devanagari;
    case USCRIPT_ARMENIAN:
        return Script::armenian;
    case USCRIPT_TAMIL:
        return Script::tamil;
    default:
        return Script::other;
    }
}

bool extends_cluster(char32_t point) noexcept {
    switch (u_getIntPropertyValue(icu(point), UCHAR_GRAPHEME_CLUSTER_BREAK)) {
    case U_GCB_EXTEND:
    case U_GCB_SPACING_MARK:
    case U_GCB_ZWJ:
        return true;
    default:
        return u_charType(icu(point)) == U_FORMAT_CHAR && kind_of(point) == Kind::mark;
    }
}

char joiner_of(char32_t point) noexcept {
    if (point == 0x2010 || point == 0x2011)
        return '-';
    if (point >= 0xFF01 && point <= 0xFF5E)
        point -= 0xFF01 - '!';
    if (point >= 0x80)
        return 0;
    const char joiner = static_cast<char>(point);
    return glues_paths(joiner) ? joiner : '\0';
}

} // namespace memory::text
