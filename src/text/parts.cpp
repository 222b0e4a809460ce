// Cuts an atom where its letters change case or kind.
#include "text/parts.h"

#include <unicode/uchar.h>

#include "text/characters.h"
#include "text/utf8.h"

namespace memory::text {

namespace {

enum class Shape : std::uint8_t { none, small, capital, digit, mark };

Shape shape_of(char32_t point) {
    if (point < 0x80)
        return is_ascii_digit(point)    ? Shape::digit
               : point >= 'a'           ? Shape::small
               : is_ascii_letter(point) ? Shape::capital
                                        : Shape::mark; // a comma inside a number
    switch (kind_beyond_ascii(point)) {
    case Kind::digit:
        return Shape::digit;
    case Kind::letter:
        return u_isupper(static_cast<UChar32>(point)) ? Shape::capital : Shape::small;
    default:
        return Shape::mark;
    }
}

bool is_plural_s(std::string_view atom, std::size_t at) {
    if (atom[at] != 's')
        return false;
    if (at + 1 == atom.size())
        return true;
    const Shape next = shape_of(decode(atom, at + 1).point);
    return next != Shape::small && next != Shape::mark;
}

} // namespace

Parts::Parts(std::string_view atom) {
    Shape before = Shape::none;
    bool capitals = false; // the two characters before are capitals
    std::size_t before_at = 0;
    std::size_t characters = 0;
    for (std::size_t at = 0; at < atom.size();) {
        const Decoded next = decode(atom, at);
        const Shape shape = shape_of(next.point);
        if (shape != Shape::mark) {
            const bool number = (shape == Shape::digit) != (before == Shape::digit);
            if (before != Shape::none &&
                (number || (shape == Shape::capital && before == Shape::small)))
                cut(at);
            else if (shape == Shape::small && capitals && !is_plural_s(atom, at))
                cut(before_at);
            capitals = shape == Shape::capital && before == Shape::capital;
            before = shape;
            before_at = at;
            ++characters;
        }
        at += next.size;
    }
    finish(characters, atom.size());
}

void Parts::cut(std::size_t at) {
    if (count_ == most_parts - 1) {
        too_many_ = true;
        return;
    }
    parts_[count_++] = {begin_, static_cast<std::uint32_t>(at)};
    begin_ = static_cast<std::uint32_t>(at);
}

void Parts::finish(std::size_t characters, std::size_t end) {
    cut(end);
    const bool random = count_ > 2 && characters < 2 * count_;
    if (count_ < 2 || too_many_ || random)
        count_ = 0;
}

} // namespace memory::text
