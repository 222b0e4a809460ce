// Classifies each character by a table, takes what begins there, and goes on behind it.
#include "text/scanner.h"

#include <algorithm>
#include <array>

#include <unicode/uchar.h>

#include "text/characters.h"
#include "text/contraction.h"
#include "text/emoji.h"
#include "text/error.h"
#include "text/parts.h"
#include "text/utf8.h"

namespace memory::text {

namespace {

constexpr std::uint8_t small_bit = 1;
constexpr std::uint8_t capital_bit = 2;
constexpr std::uint8_t digit_bit = 4;

constexpr std::array<std::uint8_t, 256> ascii_bits() {
    std::array<std::uint8_t, 256> bits{};
    for (std::size_t byte = 'a'; byte <= 'z'; ++byte)
        bits[byte] = small_bit;
    for (std::size_t byte = 'A'; byte <= 'Z'; ++byte)
        bits[byte] = capital_bit;
    for (std::size_t byte = '0'; byte <= '9'; ++byte)
        bits[byte] = digit_bit;
    return bits;
}

constexpr std::array<std::uint8_t, 256> ascii_class = ascii_bits();

std::uint8_t bits_of(char byte) { return ascii_class[static_cast<unsigned char>(byte)]; }
bool beyond_ascii(char byte) { return static_cast<unsigned char>(byte) >= 0x80; }

bool is_capital(char32_t point) {
    if (point < 0x80)
        return bits_of(static_cast<char>(point)) == capital_bit;
    const bool caseless = point >= 0x0590 && point < 0x10A0; // Hebrew to Burmese
    return !caseless && u_isupper(static_cast<UChar32>(point));
}

constexpr std::size_t longest_signed = 8; // bytes of the term before ++

} // namespace

void Scanner::run(BadBytes bad_bytes) {
    for (std::size_t at = 0; at < text_.size();) {
        const std::size_t end = take(at, bad_bytes);
        pause_.step(end - at);
        at = end;
    }
    break_identifiers();
}

// Takes what begins at `at`, and returns its end.
std::size_t Scanner::take(std::size_t at, BadBytes bad_bytes) {
    const char next = text_[at];
    if (beyond_ascii(next))
        return take_beyond_ascii(at, bad_bytes);
    if (bits_of(next) == 0 && next != '#' && next != '*')
        return at + 1;
    if (const std::size_t end = keycap_end(text_, at); end != at)
        return take_keycap(at, end);
    return bits_of(next) == 0 ? at + 1 : take_atom(at);
}

std::size_t Scanner::take_beyond_ascii(std::size_t at, BadBytes bad_bytes) {
    const Decoded next = decode(text_, at);
    if (next.point == bad_byte && bad_bytes == BadBytes::refuse)
        throw InvalidUtf8(at);
    switch (kind_of(next.point)) {
    case Kind::separator:
    case Kind::mark:
        return at + next.size;
    case Kind::letter:
    case Kind::digit:
    case Kind::numeral:
        return take_atom(at);
    case Kind::pictograph:
    case Kind::flag_letter:
        return take_emoji_at(at);
    case Kind::ideograph:
    case Kind::complex:
        break;
    }
    break_identifiers();
    const RunEnd end = kind_of(next.point) == Kind::complex
                           ? complex_.take(text_, at, ordinal_, lexicon_.folder(), sink_, pause_)
                           : take_ideographs(text_, at, ordinal_, lexicon_.folder(), sink_, pause_);
    ordinal_ = end.ordinal;
    return end.at;
}

std::size_t Scanner::take_emoji_at(std::size_t begin) {
    break_identifiers();
    return take_emoji(text_, begin, ordinal_++, sink_, pause_);
}

std::size_t Scanner::take_keycap(std::size_t begin, std::size_t end) {
    break_identifiers();
    TermBuilder term;
    term.append(text_.substr(begin, 1));
    term.append(text_.substr(end - 3, 3));
    sink_.take({term.finish(), ordinal_++, static_cast<std::uint32_t>(begin),
                static_cast<std::uint32_t>(end), Weight::word});
    return end;
}

void Scanner::break_identifiers() {
    compounds_.end();
    phones_.end();
}

// Takes letters and digits up to the first byte that is neither, or is not ASCII. True if it has
// stopped before that, for a pause.
bool Scanner::scan_ascii(Atom &atom) const {
    std::uint8_t all = 0;
    std::uint8_t inner = 0;
    std::size_t at = atom.end;
    const std::size_t stop = std::min(text_.size(), at + Pause::steps_between);
    for (; at < stop; ++at) {
        const std::uint8_t bits = bits_of(text_[at]);
        if (bits == 0)
            break;
        all |= bits;
        if (at != atom.begin)
            inner |= bits;
    }
    atom.end = at;
    atom.letters |= (all & (small_bit | capital_bit)) != 0;
    atom.digits |= (all & digit_bit) != 0;
    atom.inner_capital |= (inner & capital_bit) != 0;
    return at == stop && at != text_.size();
}

std::size_t Scanner::apostrophe_size(std::size_t at) const {
    if (at >= text_.size())
        return 0;
    const Decoded next = decode(text_, at);
    return is_apostrophe(next.point) ? next.size : 0;
}

// Whether the punctuation at the atom's end is spelling: п'ять, צה"ל.
bool Scanner::joins_inside(const Atom &atom, std::size_t after) const {
    if (after >= text_.size() || !beyond_ascii(text_[atom.end - 1]) || !beyond_ascii(text_[after]))
        return false;
    const char32_t mark = decode(text_, atom.end).point;
    if (!is_hebrew_abbreviation(mark)) // every apostrophe is one
        return false;
    const Script script = script_of(decode_before(text_, atom.end).point);
    if (script != script_of(decode(text_, after).point))
        return false;
    return (script == Script::cyrillic && is_apostrophe(mark)) || script == Script::hebrew;
}

// Whether ",ddd" follows an atom of digits that are so far one to three, or already grouped.
bool Scanner::groups_thousands(const Atom &atom) const {
    if (byte(atom.end) != ',' || atom.letters || text_[atom.begin] == '0')
        return false;
    if (!atom.grouped && atom.end - atom.begin > 3)
        return false;
    const std::size_t after = atom.end + 4;
    if (after > text_.size())
        return false;
    for (std::size_t at = atom.end + 1; at < after; ++at)
        if (bits_of(text_[at]) != digit_bit)
            return false;
    const Kind next = after < text_.size() ? kind_of(decode(text_, after).point) : Kind::separator;
    return next != Kind::letter && next != Kind::digit && next != Kind::mark;
}

// Takes one character into the atom, if it belongs there.
bool Scanner::scan_character(Atom &atom) const {
    const Decoded next = decode(text_, atom.end);
    const std::size_t after = atom.end + next.size;
    switch (kind_of(next.point)) {
    case Kind::letter:
        atom.letters = true;
        atom.inner_capital |= atom.end != atom.begin && is_capital(next.point);
        break;
    case Kind::digit:
        atom.digits = true;
        break;
    case Kind::mark:
        break;
    default:
        if (atom.end == atom.begin || !joins_inside(atom, after))
            return false;
    }
    atom.end = after;
    return true;
}

Scanner::Atom Scanner::scan(std::size_t begin) const {
    Atom atom{begin, begin, false, false, false, false};
    const Decoded first = decode(text_, begin);
    if (kind_of(first.point) == Kind::numeral) {
        atom.end += first.size;
        atom.letters = true; // nothing to join to a phone number
        while (atom.end < text_.size() && kind_of(decode(text_, atom.end).point) == Kind::mark)
            atom.end += decode(text_, atom.end).size;
        return atom;
    }
    for (;;) {
        while (fast_ && scan_ascii(atom))
            pause_.step(Pause::steps_between);
        pause_.step();
        if (atom.end < text_.size() &&
            (!fast_ || beyond_ascii(text_[atom.end]) || beyond_ascii(text_[atom.end - 1])) &&
            scan_character(atom))
            continue;
        if (!groups_thousands(atom))
            return atom;
        atom.end += 4;
        atom.grouped = true;
    }
}

// Whether the atom is a piece of English like the didn and the t of didn't.
bool Scanner::is_contracted(const Atom &atom) const {
    const std::string_view word = text_.substr(atom.begin, atom.end - atom.begin);
    if (last_atom_end_ != 0 && last_atom_end_ < atom.begin &&
        last_atom_end_ + apostrophe_size(last_atom_end_) == atom.begin)
        return is_contraction_tail(word);
    const std::size_t mark = apostrophe_size(atom.end);
    if (mark == 0 || ascii_lower(byte(atom.end + mark)) != 't')
        return false;
    const char after = byte(atom.end + mark + 1);
    return bits_of(after) == 0 && !beyond_ascii(after) && is_contraction_head(word);
}

// Returns the size of the last term.
std::size_t Scanner::emit_terms(std::size_t begin, std::size_t end, std::uint32_t ordinal,
                                bool weak) {
    const WordTerms found = lexicon_.look_up(text_.substr(begin, end - begin));
    std::size_t size = 0;
    for (const std::string_view term : found.terms) {
        size = term.size();
        sink_.take({term, ordinal, static_cast<std::uint32_t>(begin),
                    static_cast<std::uint32_t>(end), weak ? Weight::weak : found.weight});
    }
    return size;
}

// Returns how many ordinals the atom takes.
std::uint32_t Scanner::emit_parts(const Atom &atom) {
    const std::size_t size = atom.end - atom.begin;
    if (size > max_word_bytes || !(atom.inner_capital || (atom.letters && atom.digits)))
        return 1;
    const Parts parts(text_.substr(atom.begin, size));
    std::uint32_t count = 0;
    for (const Part &part : parts.list())
        emit_terms(atom.begin + part.begin, atom.begin + part.end, ordinal_ + count++, false);
    return std::max(count, 1u);
}

// C++, C#: what the sign makes another word of one whose term has this size.
void Scanner::emit_signed(const Atom &atom, std::size_t term_size) {
    const char sign = byte(atom.end);
    if ((sign != '+' && sign != '#') || term_size == 0)
        return;
    const std::size_t signs = sign == '+' ? 2 : 1;
    const std::size_t end = atom.end + signs;
    if (atom.digits || term_size > (sign == '+' ? longest_signed : 1) || byte(end - 1) != sign ||
        byte(end) == sign)
        return;
    TermBuilder term;
    lexicon_.folder().fold_whole(text_.substr(atom.begin, end - atom.begin), term);
    sink_.take({term.finish(), ordinal_, static_cast<std::uint32_t>(atom.begin),
                static_cast<std::uint32_t>(end), Weight::word});
}

std::size_t Scanner::take_atom(std::size_t begin) {
    const Atom atom = scan(begin);
    const auto first = static_cast<std::uint32_t>(begin);
    const auto end = static_cast<std::uint32_t>(atom.end);
    compounds_.add(first, end, ordinal_); // may end the one before
    if (atom.digits && !atom.letters && !atom.grouped)
        phones_.add(first, end, ordinal_);
    else
        phones_.end();
    const std::size_t size = emit_terms(begin, atom.end, ordinal_, is_contracted(atom));
    emit_signed(atom, size);
    ordinal_ += emit_parts(atom);
    last_atom_end_ = atom.end;
    return atom.end;
}

} // namespace memory::text
