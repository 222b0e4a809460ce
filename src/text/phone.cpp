// Joins groups of digits while what stands between them may stand in a number.
#include "text/phone.h"

#include <algorithm>

#include <unicode/uchar.h>

#include "text/utf8.h"

namespace memory::text {

namespace {

// A national number of these sizes is also found by its last digits, the number without its area
// code. That term also outweighs other numbers that share two groups with one written without any.
constexpr std::size_t fewest_national = 9;
constexpr std::size_t most_national = 11;
constexpr std::size_t local_digits = 7;

constexpr std::size_t widest_gap = 3; // characters between two groups: ") " or " ("

// How many digits the country code at the front of an international number has (ITU-T E.164).
std::size_t country_code_size(std::string_view digits) {
    constexpr std::string_view two_digits =
        "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 "
        "58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98";
    if (digits[0] == '1' || digits[0] == '7')
        return 1;
    return two_digits.find(digits.substr(0, 2)) != std::string_view::npos ? 2 : 3;
}

bool is_narrow_space(char32_t point) {
    return point == ' ' || point == 0xA0 || point == 0x202F || point == 0x2009;
}

bool is_mark(char32_t point) {
    return point == '-' || point == '.' || point == '/' || point == 0x2010 || point == 0x2011;
}

} // namespace

// Reads what stands between the number so far and a group at `begin`.
bool PhoneNumbers::continues_at(std::uint32_t begin) {
    std::size_t spaces = 0;
    std::size_t marks = 0;
    std::size_t characters = 0;
    bool opens = false;
    for (std::size_t at = end_; at < begin; ++characters) {
        const Decoded next = decode(text_, at);
        if (characters == widest_gap)
            return false;
        spaces += is_narrow_space(next.point);
        marks += is_mark(next.point);
        opens |= next.point == '(';
        if (!is_narrow_space(next.point) && !is_mark(next.point) && next.point != '(' &&
            next.point != ')')
            return false;
        at += next.size;
    }
    if (characters == 0 || spaces > 1 || marks > 1 || (opens && groups_ > 1))
        return false;
    if (spaces == 1 && marks == 0 && punctuated_)
        return false;
    punctuated_ |= marks != 0;
    trunk_zero_ = opens && international_;
    return true;
}

void PhoneNumbers::start(std::uint32_t begin, std::uint32_t ordinal) {
    size_ = 0;
    begin_ = begin;
    ordinal_ = ordinal;
    punctuated_ = false;
    trunk_zero_ = false;
    international_ = begin > 0 && text_[begin - 1] == '+';
}

void PhoneNumbers::add(std::uint32_t begin, std::uint32_t end, std::uint32_t ordinal) {
    if (groups_ != 0 && !continues_at(begin))
        finish();
    if (groups_ == 0)
        start(begin, ordinal);
    const bool skip = trunk_zero_ && text_.substr(begin, end - begin) == "0";
    for (std::size_t at = begin; at < end && !skip;) {
        const Decoded next = decode(text_, at);
        at += next.size;
        const std::int32_t value = u_charDigitValue(static_cast<UChar32>(next.point));
        if (value < 0)
            continue; // a mark on a digit
        if (size_ < most_digits)
            digits_[size_] = static_cast<char>('0' + value);
        if (size_ <= most_digits)
            ++size_;
    }
    end_ = end;
    ++groups_;
}

void PhoneNumbers::emit(std::string_view number) {
    sink_.take({number, ordinal_, begin_, end_, Weight::word});
}

void PhoneNumbers::finish() {
    const bool one_group = groups_ == 1;
    const bool plausible = size_ >= fewest_digits && size_ <= most_digits && groups_ <= most_groups;
    groups_ = 0;
    if (!plausible)
        return;
    std::string_view whole = digits();
    if (!international_ && whole.starts_with("00") && !whole.starts_with("000")) {
        international_ = true;
        whole.remove_prefix(2);
    }
    std::string_view national = whole;
    if (international_)
        national.remove_prefix(std::min(country_code_size(whole), whole.size()));
    else if (whole.size() == 11 && whole[0] == '1')
        national.remove_prefix(1); // North America, without the plus
    national.remove_prefix(std::min(national.find_first_not_of('0'), national.size()));
    if (!one_group || whole.size() != size_)
        emit(whole);
    if (national.size() != whole.size() && national.size() + 2 >= fewest_digits)
        emit(national);
    if (national.size() >= fewest_national && national.size() <= most_national)
        emit(national.substr(national.size() - local_digits));
}

} // namespace memory::text
