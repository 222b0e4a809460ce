// Any bytes are a text: what docs/text.md promises of its tokens holds, whatever they are.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <unicode/ubrk.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include "text/characters.h"
#include "text/error.h"
#include "text/term.h"
#include "text/terms.h"
#include "text/utf8.h"
#include "unit/text_support.h"

namespace {

using namespace memory::text;
using text_test::Found;
using text_test::Texts;

void require(bool holds, const char *what) {
    if (!holds) {
        std::fprintf(stderr, "broken: %s\n", what);
        std::abort();
    }
}

bool is_boundary(std::string_view text, std::size_t at) {
    if (at == 0 || at == text.size())
        return true;
    const auto byte = static_cast<unsigned char>(text[at]);
    return (byte & 0xC0) != 0x80 || decode_before(text, at).size == 1 ||
           decode(text, at).point == bad_byte;
}

void check_term(std::string_view term) {
    require(!term.empty() && term.size() <= max_term_bytes, "a term has 1 to 127 bytes");
    for (std::size_t at = 0; at < term.size(); at += decode(term, at).size) {
        require(decode(term, at).point != bad_byte, "a term is UTF-8");
        require(decode(term, at).point >= 0x20, "a term has no control characters");
    }
}

void check_tokens(std::string_view text, const std::vector<Found> &tokens) {
    std::vector<bool> covered(text.size(), false);
    for (const Found &token : tokens) {
        check_term(token.term);
        require(token.begin < token.end && token.end <= text.size(), "a token is in its text");
        require(is_boundary(text, token.begin) && is_boundary(text, token.end),
                "a token is cut between characters");
        std::fill(covered.begin() + token.begin, covered.begin() + token.end, true);
    }
    for (std::size_t at = 0; at < text.size(); at += decode(text, at).size) {
        const char32_t point = decode(text, at).point;
        const Kind kind = kind_of(point);
        require(covered[at] || kind == Kind::separator || kind == Kind::mark ||
                    is_apostrophe_letter(point) || kind == Kind::letter,
                "every digit and ideograph is in a token");
    }
}

// The bytes at which ICU sees a word boundary.
std::vector<bool> icu_boundaries(std::string_view text) {
    std::u16string units;
    std::vector<std::size_t> byte_of;
    for (std::size_t at = 0; at < text.size();) {
        const Decoded next = decode(text, at);
        const char32_t point = next.point == bad_byte ? 0xFFFD : next.point;
        for (std::size_t i = 0; i < (point > 0xFFFF ? 2U : 1U); ++i)
            byte_of.push_back(at);
        if (point > 0xFFFF) {
            units.push_back(static_cast<char16_t>(0xD7C0 + (point >> 10)));
            units.push_back(static_cast<char16_t>(0xDC00 | (point & 0x3FF)));
        } else {
            units.push_back(static_cast<char16_t>(point));
        }
        at += next.size;
    }
    byte_of.push_back(text.size());
    UErrorCode status = U_ZERO_ERROR;
    static UBreakIterator *words = ubrk_open(UBRK_WORD, "", nullptr, 0, &status);
    ubrk_setText(words, units.data(), static_cast<int32_t>(units.size()), &status);
    std::vector<bool> boundaries(text.size() + 1, false);
    for (int32_t unit = ubrk_first(words); unit != UBRK_DONE; unit = ubrk_next(words))
        boundaries[byte_of[static_cast<std::size_t>(unit)]] = true;
    return boundaries;
}

// A token of letters, digits and marks alone is inside one of ICU's words.
void check_uax29(std::string_view text, const std::vector<Found> &tokens) {
    const std::vector<bool> boundaries = icu_boundaries(text);
    for (const Found &token : tokens) {
        bool plain = true;
        for (std::size_t at = token.begin; at < token.end; at += decode(text, at).size) {
            const Kind kind = kind_of(decode(text, at).point);
            plain &= kind == Kind::letter || kind == Kind::digit || kind == Kind::mark;
        }
        for (std::size_t at = token.begin + 1; plain && at < token.end; ++at)
            require(!boundaries[at], "an atom crosses no boundary of UAX #29");
    }
}

// Canonical equivalence is promised where no bound is in reach and no dictionary of ICU's is asked.
bool in_nfc(std::string_view text, std::string &composed) {
    std::size_t word = 0;
    for (std::size_t at = 0; at < text.size(); at += decode(text, at).size) {
        const char32_t point = decode(text, at).point;
        if (point == bad_byte || kind_of(point) == Kind::complex)
            return false;
        word = point == ' ' ? 0 : word + 1;
        if (word > 20)
            return false;
    }
    UErrorCode status = U_ZERO_ERROR;
    std::u16string units(text.size() + 1, u'\0');
    int32_t size = 0;
    u_strFromUTF8(units.data(), static_cast<int32_t>(units.size()), &size, text.data(),
                  static_cast<int32_t>(text.size()), &status);
    std::u16string normal(units.size() * 4, u'\0');
    size = unorm2_normalize(unorm2_getNFCInstance(&status), units.data(), size, normal.data(),
                            static_cast<int32_t>(normal.size()), &status);
    composed.resize(normal.size() * 3);
    int32_t bytes = 0;
    u_strToUTF8(composed.data(), static_cast<int32_t>(composed.size()), &bytes, normal.data(), size,
                &status);
    require(U_SUCCESS(status), "ICU normalizes");
    composed.resize(static_cast<std::size_t>(bytes));
    return true;
}

std::vector<std::string> terms_of(const std::vector<Found> &tokens) {
    std::vector<std::string> terms;
    for (const Found &token : tokens)
        terms.push_back(token.term);
    return terms;
}

void check_refusal(std::string_view text, Texts &texts) {
    bool well_formed = true;
    for (std::size_t at = 0; at < text.size(); at += decode(text, at).size)
        well_formed &= decode(text, at).point != bad_byte;
    try {
        texts.analyze(text, BadBytes::refuse);
        require(well_formed, "bad bytes are refused");
    } catch (const InvalidUtf8 &refusal) {
        require(!well_formed && decode(text, refusal.offset).point == bad_byte,
                "only bad bytes are refused");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
    static Texts fast;
    static Texts slow({.cache_slots = 2, .shortcuts = false});
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const std::vector<Found> tokens = fast.analyze(text);
    check_tokens(text, tokens);
    check_uax29(text, tokens);
    require(tokens == slow.analyze(text), "the shortcuts and the cache change no token");
    require(tokens == fast.analyze(text), "the same text has the same tokens");
    check_refusal(text, fast);
    std::string composed;
    if (in_nfc(text, composed))
        require(terms_of(tokens) == terms_of(fast.analyze(composed)),
                "canonically equivalent texts have the same terms");
    return 0;
}
