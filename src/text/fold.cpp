// ICU's case folding and normal forms, in windows of a bounded size; ASCII goes another, shorter
// way.
#include "text/fold.h"

#include <algorithm>

#include <unicode/uchar.h>
#include <unicode/utf16.h>

#include "text/characters.h"
#include "text/error.h"
#include "text/utf8.h"
#include "text/vietnamese.h"

namespace memory::text {

namespace {

constexpr char16_t ypogegrammeni = 0x0345;
constexpr char32_t fraction_slash = 0x2044;
constexpr std::size_t window_bytes = 128; // of a whole folded at a time, if a boundary can be found

struct Substitute {
    char32_t from;
    std::string_view to;
};

// Latin letters whose stroke or ligature is no combining mark; sorted.
constexpr Substitute latin_letters[] = {
    {0x00E6, "ae"}, {0x00F0, "d"}, {0x00F8, "o"}, {0x00FE, "th"}, {0x0111, "d"},
    {0x0127, "h"},  {0x0131, "i"}, {0x0142, "l"}, {0x0153, "oe"}, {0x0167, "t"},
};

// Calls `use` with every character of `text`.
template <typename Use>
void each_character(std::u16string_view text, Use use) {
    for (std::size_t i = 0; i < text.size();) {
        char32_t point = text[i++];
        if (U16_IS_LEAD(point) && i < text.size() && U16_IS_TRAIL(text[i]))
            point = static_cast<char32_t>(U16_GET_SUPPLEMENTARY(point, text[i++]));
        use(point);
    }
}

// What a letter or mark of a script that is folded character by character becomes; 0 to leave it
// out.
char32_t fold_in_script(char32_t point, Script script) {
    switch (script) {
    case Script::cyrillic:
        return point == 0x0451 || point == 0x0450   ? 0x0435
               : point == 0x045D                    ? 0x0438
               : point == 0x0300 || point == 0x0301 ? 0
                                                    : point;
    case Script::arabic:
        if ((point >= 0x064B && point <= 0x065F) || point == 0x0670 || point == 0x0640)
            return 0;
        return point == 0x06CC ? 0x064A : point == 0x06A9 ? 0x0643 : point;
    case Script::hebrew:
        return point >= 0x0591 && point <= 0x05C7 ? 0 : point;
    case Script::devanagari:
        if (point == 0x093C)
            return 0;
        if (point == 0x0901)
            return 0x0902;
        return point == 0x0929 || point == 0x0931 || point == 0x0934 ? point - 1 : point;
    default:
        return point;
    }
}

Script first_script(std::u16string_view word) {
    Script found = Script::other;
    each_character(word, [&](char32_t point) {
        if (found == Script::other)
            found = script_of(point);
    });
    return found;
}

bool is_accent(char32_t point) { return point >= 0x0300 && point <= 0x036F; }

void append_substituted(std::pmr::string &to, char32_t point) {
    const auto *letter =
        std::lower_bound(std::begin(latin_letters), std::end(latin_letters), point,
                         [](const Substitute &s, char32_t p) { return s.from < p; });
    if (letter != std::end(latin_letters) && letter->from == point)
        to.append(letter->to);
    else
        append(to, point);
}

bool contains_digit(std::string_view word) {
    return std::any_of(word.begin(), word.end(),
                       [](char byte) { return is_ascii_digit(static_cast<unsigned char>(byte)); });
}

const UNormalizer2 *normalizer(const UNormalizer2 *(*get)(UErrorCode *)) {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *form = get(&status);
    if (U_FAILURE(status))
        throw IcuFailure("ICU has no normalization data");
    return form;
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char byte) { return static_cast<signed char>(byte) >= 0; });
}

} // namespace

Folder::Folder(std::pmr::memory_resource *memory, Pause &pause, bool shortcuts)
    : case_folding_(normalizer(unorm2_getNFKCCasefoldInstance)),
      decomposition_(normalizer(unorm2_getNFDInstance)), pause_(pause), shortcuts_(shortcuts),
      letters_(case_folding_, decomposition_, memory), plain_(memory), accented_(memory) {}

FoldedWord Folder::fold_ascii_word(std::string_view raw) {
    plain_.clear();
    bool has_letter = false;
    bool has_digit = false;
    for (const char byte : raw) {
        if (byte == ',')
            continue;
        const bool digit = is_ascii_digit(static_cast<unsigned char>(byte));
        has_digit |= digit;
        has_letter |= !digit;
        plain_.push_back(ascii_lower(byte));
    }
    return {plain_, plain_, has_letter ? Script::latin : Script::other, has_digit, false};
}

// Moves the front of `raw` into source_: all of it if it is short, else up to a character that no
// composition reaches across. Returns how many bytes it took.
std::size_t Folder::take_window(std::string_view raw) {
    source_size_ = 0;
    std::size_t at = 0;
    while (at < raw.size()) {
        const Decoded next = decode(raw, at);
        if (at + next.size > max_word_bytes)
            break;
        if (at >= window_bytes && raw.size() > max_word_bytes &&
            unorm2_hasBoundaryBefore(case_folding_, static_cast<UChar32>(next.point)))
            break;
        at += next.size;
        const char32_t point = prepared(next.point);
        if (point == 0)
            continue;
        if (point > 0xFFFF)
            source_[source_size_++] = U16_LEAD(point);
        source_[source_size_++] =
            static_cast<UChar>(point > 0xFFFF ? static_cast<char32_t>(U16_TRAIL(point)) : point);
    }
    return at;
}

std::u16string_view Folder::case_fold() {
    std::u16string_view source(source_.data(), source_size_);
    // The one mark that folds to a letter must stand where canonical order has it before it does.
    if (source.find(ypogegrammeni) != source.npos)
        source = decompose(source);
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t size =
        unorm2_normalize(case_folding_, source.data(), static_cast<std::int32_t>(source.size()),
                         folded_.data(), static_cast<std::int32_t>(folded_.size()), &status);
    if (U_FAILURE(status))
        throw IcuFailure("ICU could not fold a word");
    return {folded_.data(), static_cast<std::size_t>(size)};
}

std::u16string_view Folder::decompose(std::u16string_view folded) {
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t size = unorm2_normalize(
        decomposition_, folded.data(), static_cast<std::int32_t>(folded.size()), decomposed_.data(),
        static_cast<std::int32_t>(decomposed_.size()), &status);
    if (U_FAILURE(status))
        throw IcuFailure("ICU could not decompose a word");
    return {decomposed_.data(), static_cast<std::size_t>(size)};
}

// Folds and decomposes at once a word of letters that all fold by themselves. Of another one
// nothing is left in `folded`.
Folder::Forms Folder::fold_letters(std::string_view raw) {
    std::size_t folded = 0;
    std::size_t decomposed = 0;
    for (std::size_t at = 0; at < raw.size();) {
        const Decoded next = decode(raw, at);
        at += next.size;
        if (is_ascii_letter(next.point) || is_ascii_digit(next.point)) {
            const auto unit = static_cast<UChar>(ascii_lower(static_cast<char>(next.point)));
            folded_[folded++] = decomposed_[decomposed++] = unit;
            continue;
        }
        const Letters::Letter *letter = next.point < 0x80 ? nullptr : letters_.find(next.point);
        if (letter == nullptr)
            return {};
        folded_[folded++] = letter->folded;
        for (const char16_t unit : letter->decomposed)
            if (unit != 0)
                decomposed_[decomposed++] = unit;
    }
    return {{folded_.data(), folded}, {decomposed_.data(), decomposed}};
}

bool Folder::belongs(char32_t point) {
    if (point < 0x80)
        return is_ascii_letter(point) || is_ascii_digit(point);
    return (shortcuts_ && letters_.find(point) != nullptr) || belongs_to_word(point);
}

void Folder::append_without_accents(std::u16string_view nfd) {
    each_character(nfd, [this](char32_t point) {
        if (!is_accent(point) && belongs(point))
            append_substituted(plain_, point);
    });
}

FoldedWord Folder::finish(std::u16string_view folded, Script script) {
    each_character(folded, [&](char32_t point) {
        const char32_t kept = point == fraction_slash ? U'/' // so that ½ is also what 1/2 is
                              : belongs(point)        ? fold_in_script(point, script)
                                                      : 0;
        if (kept != 0)
            append(plain_, kept);
    });
    return {plain_, plain_, script, contains_digit(plain_), false};
}

FoldedWord Folder::fold_latin(const Forms &forms) {
    each_character(forms.folded, [this](char32_t point) {
        if (belongs(point))
            append(accented_, point);
    });
    if (is_vietnamese_syllable(forms.decomposed))
        return {accented_, accented_, Script::latin, false, true};
    append_without_accents(forms.decomposed);
    return {plain_, accented_, Script::latin, contains_digit(plain_), false};
}

FoldedWord Folder::fold_word(std::string_view raw) {
    if (is_ascii(raw))
        return fold_ascii_word(raw);
    plain_.clear();
    accented_.clear();
    Forms forms = shortcuts_ ? fold_letters(raw) : Forms{};
    const bool by_letters = !forms.folded.empty();
    if (!by_letters) {
        take_window(raw);
        forms.folded = case_fold();
    }
    const Script script = first_script(forms.folded);
    if (script != Script::latin && script != Script::greek)
        return finish(forms.folded, script);
    if (!by_letters)
        forms.decomposed = decompose(forms.folded);
    if (script == Script::latin)
        return fold_latin(forms);
    append_without_accents(forms.decomposed);
    return {plain_, plain_, script, contains_digit(plain_), false};
}

void Folder::fold_whole(std::string_view raw, TermBuilder &to) {
    if (is_ascii(raw)) {
        std::array<char, 64> lower;
        while (!raw.empty()) {
            std::size_t used = 0;
            const std::size_t taken = std::min(raw.size(), lower.size());
            for (const char byte : raw.substr(0, taken))
                if (byte != ',' && byte != '\'' && byte != '"')
                    lower[used++] = ascii_lower(byte);
            to.append({lower.data(), used});
            raw.remove_prefix(taken);
            pause_.step(taken);
        }
        return;
    }
    while (!raw.empty()) {
        const std::size_t taken = take_window(raw);
        raw.remove_prefix(taken);
        pause_.step(taken);
        plain_.clear();
        each_character(case_fold(), [&](char32_t point) {
            if (point > 0x20 && !is_apostrophe_letter(point))
                append(plain_, point);
        });
        to.append(plain_);
    }
}

std::string_view Folder::fold_characters(std::string_view raw) {
    take_window(raw);
    plain_.clear();
    each_character(case_fold(), [&](char32_t point) { append(plain_, point); });
    return plain_;
}

} // namespace memory::text
