// Derives the kinds of characters from properties of Unicode, for the tables of the scanner.
#include "text/characters.h"

#include <iterator>

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

// Ranges so common that asking ICU for each character would show: assigned characters of Unicode
// 15, whose kinds do not change. Each says what kind_by_properties says (tested).
constexpr KnownRange known_ranges[] = {
    {0x0080, 0x00A8, Kind::separator}, {0x00C0, 0x00D6, Kind::letter},
    {0x00D8, 0x00F6, Kind::letter},    {0x00F8, 0x02C1, Kind::letter},
    {0x0300, 0x036F, Kind::mark},      {0x0370, 0x0374, Kind::letter},
    {0x037A, 0x037D, Kind::letter},    {0x038E, 0x03A1, Kind::letter},
    {0x03A3, 0x03F5, Kind::letter},    {0x03F7, 0x0481, Kind::letter},
    {0x0483, 0x0489, Kind::mark},      {0x048A, 0x052F, Kind::letter},
    {0x0531, 0x0556, Kind::letter},    {0x0560, 0x0588, Kind::letter},
    {0x0591, 0x05BD, Kind::mark},      {0x05D0, 0x05EA, Kind::letter},
    {0x05EF, 0x05F2, Kind::letter},    {0x0606, 0x060F, Kind::separator},
    {0x0610, 0x061A, Kind::mark},      {0x0620, 0x064A, Kind::letter},
    {0x064B, 0x065F, Kind::mark},      {0x0660, 0x0669, Kind::digit},
    {0x0671, 0x06D3, Kind::letter},    {0x06D4, 0x06D4, Kind::separator},
    {0x06D5, 0x06D5, Kind::letter},    {0x06F0, 0x06F9, Kind::digit},
    {0x0780, 0x07A5, Kind::letter},    {0x07A6, 0x07B0, Kind::mark},
    {0x0900, 0x0903, Kind::mark},      {0x0904, 0x0939, Kind::letter},
    {0x093E, 0x094F, Kind::mark},      {0x0958, 0x0961, Kind::letter},
    {0x0971, 0x0980, Kind::letter},    {0x0993, 0x09A8, Kind::letter},
    {0x09AA, 0x09B0, Kind::letter},    {0x09BE, 0x09C4, Kind::mark},
    {0x0A13, 0x0A28, Kind::letter},    {0x0A2A, 0x0A30, Kind::letter},
    {0x0A3E, 0x0A42, Kind::mark},      {0x0A93, 0x0AA8, Kind::letter},
    {0x0B13, 0x0B28, Kind::letter},    {0x0B2A, 0x0B30, Kind::letter},
    {0x0B3E, 0x0B44, Kind::mark},      {0x0BAE, 0x0BB9, Kind::letter},
    {0x0BBE, 0x0BC2, Kind::mark},      {0x0BC6, 0x0BC8, Kind::mark},
    {0x0BCA, 0x0BCD, Kind::mark},      {0x0C12, 0x0C28, Kind::letter},
    {0x0C2A, 0x0C39, Kind::letter},    {0x0C92, 0x0CA8, Kind::letter},
    {0x0CAA, 0x0CB3, Kind::letter},    {0x0D12, 0x0D3A, Kind::letter},
    {0x0D3E, 0x0D44, Kind::mark},      {0x0D46, 0x0D48, Kind::mark},
    {0x0D4A, 0x0D4D, Kind::mark},      {0x0D85, 0x0D96, Kind::letter},
    {0x0D9A, 0x0DB1, Kind::letter},    {0x0E01, 0x0E30, Kind::complex},
    {0x0E50, 0x0E59, Kind::digit},     {0x0E8C, 0x0EA3, Kind::complex},
    {0x0EA7, 0x0EB0, Kind::complex},   {0x0EB4, 0x0EBC, Kind::mark},
    {0x0EC0, 0x0EC4, Kind::complex},   {0x0EC8, 0x0ECD, Kind::mark},
    {0x1000, 0x102A, Kind::complex},   {0x102B, 0x103E, Kind::mark},
    {0x10D0, 0x10FA, Kind::letter},    {0x1200, 0x1248, Kind::letter},
    {0x1260, 0x1288, Kind::letter},    {0x1290, 0x12B0, Kind::letter},
    {0x12C8, 0x12D6, Kind::letter},    {0x12D8, 0x1310, Kind::letter},
    {0x1318, 0x135A, Kind::letter},    {0x1780, 0x17B3, Kind::complex},
    {0x17B4, 0x17D3, Kind::mark},      {0x1C5A, 0x1C7D, Kind::letter},
    {0x1E00, 0x1F15, Kind::letter},    {0x1F20, 0x1F45, Kind::letter},
    {0x2000, 0x200B, Kind::separator}, {0x2010, 0x2029, Kind::separator},
    {0x2066, 0x206F, Kind::mark},      {0x20A0, 0x20C0, Kind::separator},
    {0x2D30, 0x2D67, Kind::letter},    {0x3000, 0x3002, Kind::separator},
    {0x3008, 0x3020, Kind::separator}, {0x3041, 0x3096, Kind::ideograph},
    {0x309B, 0x30FA, Kind::ideograph}, {0x3400, 0x4DBF, Kind::ideograph},
    {0x4E00, 0xA48C, Kind::ideograph}, {0xAC00, 0xD7A3, Kind::ideograph},
    {0xFF01, 0xFF0F, Kind::separator}, {0xFF10, 0xFF19, Kind::digit},
    {0xFF21, 0xFF3A, Kind::letter},    {0xFF41, 0xFF5A, Kind::letter},
};

// For every 256 characters of the first plane, the first known range that does not end before them.
constexpr std::array<std::uint8_t, 256> first_ranges() {
    static_assert(std::size(known_ranges) < 256);
    std::array<std::uint8_t, 256> first{};
    for (char32_t page = 0; page < 256; ++page)
        while (first[page] < std::size(known_ranges) && known_ranges[first[page]].last < page << 8)
            ++first[page];
    return first;
}

constexpr std::array<std::uint8_t, 256> first_range_of_page = first_ranges();

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
    if (point < 0x10000)
        for (std::size_t i = first_range_of_page[point >> 8];
             i < std::size(known_ranges) && known_ranges[i].first <= point; ++i)
            if (point <= known_ranges[i].last)
                return known_ranges[i].kind;
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
