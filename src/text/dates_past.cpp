// Finds the phrases of a language in a text.
#include "text/dates_past.h"

#include <algorithm>
#include <cassert>

#include <unicode/uchar.h>

#include "text/characters.h"
#include "text/utf8.h"

namespace memory::text {

namespace {

// Letters of scripts without spaces between words are none.
bool is_word_part(char32_t point) {
    const Kind kind = kind_of(point);
    return kind == Kind::letter || kind == Kind::digit || kind == Kind::mark;
}

bool is_digit(char32_t point) { return kind_of(point) == Kind::digit; }

// Whether no word goes on over `at`.
bool is_boundary(std::string_view text, std::size_t at) {
    return at == 0 || at == text.size() || !is_word_part(decode_before(text, at).point) ||
           !is_word_part(decode(text, at).point);
}

std::size_t behind_space(std::string_view text, std::size_t at) {
    return at + (at < text.size() && text[at] == ' ' ? 1 : 0);
}

std::string_view trimmed(std::string_view text) {
    if (text.starts_with(' '))
        text.remove_prefix(1);
    if (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

bool ends_with_digit(std::string_view text) {
    return !text.empty() && is_digit(decode_before(text, text.size()).point);
}

// Digits that a text has at a place; a number that is too large is largest_count + 1.
std::pair<int, std::size_t> digits_at(std::string_view text, std::size_t at) {
    int value = 0;
    std::size_t end = at;
    while (end < text.size()) {
        const Decoded next = decode(text, end);
        if (!is_digit(next.point))
            break;
        value = std::min(value * 10 + u_charDigitValue(static_cast<UChar32>(next.point)),
                         PastPhrases::largest_count + 1);
        end += next.size;
    }
    return {value, end - at};
}

} // namespace

// The phrases of a text.
class PastPhrases::Matcher {
  public:
    Matcher(PastPhrases &past, std::string_view text)
        : past_(past), text_(text),
          has_counted_(
              std::any_of(past.phrases_.begin(), past.phrases_.end(), [text](const Phrase &one) {
                  return one.numbered && text.find(one.behind) != text.npos &&
                         text.find(one.before) != text.npos;
              })) {}

    // The longest one that begins at a boundary; of size 0 where there is none.
    CountedDate at(std::size_t begin) {
        CountedDate longest{begin, 0, PastUnit::day, 0};
        for (const Phrase &phrase : past_.phrases_)
            if (const CountedDate one = matched(phrase, begin); one.size > longest.size)
                longest = one;
        return longest;
    }

  private:
    CountedDate matched(const Phrase &phrase, std::size_t begin) {
        const CountedDate none{begin, 0, phrase.unit, 0};
        std::size_t end = begin;
        int count = phrase.count;
        if (!take(phrase.before, end))
            return none;
        if (phrase.numbered) {
            if (!phrase.before.empty())
                end = behind_space(text_, end);
            const Number number = has_counted_ ? number_at(end) : Number{};
            count = number.value;
            end = behind_space(text_, end + number.size);
            if (count == 0 || !take(phrase.behind, end))
                return none;
        }
        const bool from_number = phrase.numbered && phrase.before.empty();
        if (!is_boundary(text_, end) || (phrase.alone && follows_number(begin)) ||
            (from_number && goes_on_to_the_left(begin)))
            return none;
        return {begin, end - begin, phrase.unit, count};
    }

    bool take(std::string_view expected, std::size_t &at) const {
        if (!text_.substr(at).starts_with(expected))
            return false;
        at += expected.size();
        return true;
    }

    // Digits, or the longest numeral of the language; 0 is none.
    Number number_at(std::size_t at) {
        if (const auto [value, size] = digits_at(text_, at); size > 0)
            return value <= largest_count ? Number{value, size} : Number{};
        Number longest;
        for (const auto &[numeral, value] : past_.numerals())
            if (numeral.size() > longest.size && text_.substr(at).starts_with(numeral))
                longest = {value, numeral.size()};
        return longest;
    }

    bool follows_number(std::size_t begin) {
        std::string_view before = text_.substr(0, begin);
        if (before.ends_with(' '))
            before.remove_suffix(1);
        return ends_with_digit(before) || ends_with_numeral(before);
    }

    // "twenty three", "twenty-three", "1.5"
    bool goes_on_to_the_left(std::size_t begin) {
        std::string_view before = text_.substr(0, begin);
        const bool joined = before.ends_with(' ') || before.ends_with('-');
        const bool fraction = before.ends_with('.') || before.ends_with(',');
        if (joined || fraction)
            before.remove_suffix(1);
        return fraction ? ends_with_digit(before) : ends_with_numeral(before);
    }

    bool ends_with_numeral(std::string_view before) {
        const Numerals &numerals = past_.numerals();
        return std::any_of(numerals.begin(), numerals.end(), [before](const auto &one) {
            return before.ends_with(one.first) &&
                   is_boundary(before, before.size() - one.first.size());
        });
    }

    PastPhrases &past_;
    std::string_view text_;
    bool has_counted_; // it may have a phrase with a number
};

void PastPhrases::find(std::string_view normal, std::pmr::vector<CountedDate> &found,
                       Pause &pause) {
    Matcher matcher(*this, normal);
    for (std::size_t at = 0; at < normal.size();) {
        pause.step(phrases_.size());
        const CountedDate phrase =
            is_boundary(normal, at) ? matcher.at(at) : CountedDate{at, 0, PastUnit::day, 0};
        if (phrase.size > 0)
            found.push_back(phrase);
        at += phrase.size > 0 ? phrase.size : decode(normal, at).size;
    }
}

bool PastPhrases::means_last(std::string_view word) const {
    return std::find(last_.begin(), last_.end(), word) != last_.end();
}

// The first number of the text is a place for any. A phrase in Thai stands behind a
// number only as a part of another.
void PastPhrases::add(std::string_view text, PastUnit unit, int count, bool alone) {
    std::size_t begin = 0;
    while (begin < text.size() && !is_digit(decode(text, begin).point))
        begin += decode(text, begin).size;
    const bool numbered = begin < text.size();
    const std::string_view behind = text.substr(begin + digits_at(text, begin).second);
    std::pmr::memory_resource *const memory = phrases_.get_allocator().resource();
    Phrase phrase{std::pmr::string(numbered ? trimmed(text.substr(0, begin)) : text, memory),
                  std::pmr::string(trimmed(behind), memory),
                  numbered,
                  alone || (!numbered && kind_of(decode(text, 0).point) == Kind::complex),
                  unit,
                  numbered ? 0 : count};
    if (std::none_of(phrases_.begin(), phrases_.end(), [&](const Phrase &known) {
            return known.numbered == numbered && known.before == phrase.before &&
                   known.behind == phrase.behind;
        }))
        phrases_.push_back(std::move(phrase));
}

} // namespace memory::text
