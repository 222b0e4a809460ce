// Edit distance with exchanged neighbours, as far as two; most terms are told apart by the letters
// that they have.
#include "text/spelling.h"

#include <algorithm>
#include <bit>

#include "text/characters.h"
#include "text/utf8.h"

namespace memory::text {

namespace {

// Shorter words have a neighbour wherever a letter changes.
constexpr std::size_t least_letters = 4;
// From so many on two changes are few.
constexpr std::size_t letters_for_two = 6;

std::uint64_t class_of(char32_t point) { return std::uint64_t{1} << (point & 63); }

} // namespace

void Spelling::Letters::add(char32_t point) {
    points[count++] = point;
    classes |= class_of(point);
}

std::optional<Spelling> Spelling::of(std::string_view term) {
    Spelling word;
    for (std::size_t at = 0; at < term.size();) {
        const Decoded next = decode(term, at);
        const Kind kind = kind_of(next.point);
        if (word.letters_.count == most_letters ||
            (kind != Kind::letter && (kind != Kind::mark || at == 0)))
            return std::nullopt;
        word.letters_.add(next.point);
        at += next.size;
    }
    if (word.letters_.count < least_letters)
        return std::nullopt;
    word.most_ = word.letters_.count < letters_for_two ? 1 : most_distance;
    word.first_bytes_ = decode(term, 0).size;
    term.copy(word.first_.data(), word.first_bytes_);
    return word;
}

// Each character of a class that the word has none of takes an edit: most terms are left after a
// few such. False if there are too many, or if all have no room.
bool Spelling::read(std::string_view term, Letters &letters) const {
    std::uint32_t edits = 0;
    for (std::size_t at = 0; at < term.size();) {
        const Decoded next = decode(term, at);
        edits += (class_of(next.point) & letters_.classes) == 0 ? 1 : 0;
        if (edits > most_ || letters.count == letters_.count + most_)
            return false;
        letters.add(next.point);
        at += next.size;
    }
    return true;
}

// So does each class that only the word has.
std::optional<std::uint32_t> Spelling::distance(std::string_view term) const {
    Letters other;
    if (term.size() + most_ < letters_.count || !read(term, other) ||
        other.count + most_ < letters_.count ||
        static_cast<std::uint32_t>(std::popcount(letters_.classes & ~other.classes)) > most_)
        return std::nullopt;
    const std::uint32_t exact = exact_distance(other);
    return exact <= most_ ? std::optional(exact) : std::nullopt;
}

// Optimal string alignment: no letter is changed twice. Row by row, the last two at hand.
std::uint32_t Spelling::exact_distance(const Letters &other) const {
    using Row = std::array<std::uint32_t, room + 1>;
    std::array<Row, 3> rows;
    for (std::uint32_t column = 0; column <= other.count; ++column)
        rows[0][column] = column;
    for (std::uint32_t row = 1; row <= letters_.count; ++row) {
        const Row &before = rows[(row + 2) % 3];
        const Row &two_before = rows[(row + 1) % 3];
        Row &its = rows[row % 3];
        its[0] = row;
        const char32_t letter = letters_.points[row - 1];
        for (std::uint32_t column = 1; column <= other.count; ++column) {
            const char32_t theirs = other.points[column - 1];
            its[column] = std::min({before[column] + 1, its[column - 1] + 1,
                                    before[column - 1] + (letter == theirs ? 0 : 1)});
            if (row > 1 && column > 1 && letter == other.points[column - 2] &&
                letters_.points[row - 2] == theirs)
                its[column] = std::min(its[column], two_before[column - 2] + 1);
        }
    }
    return rows[letters_.count % 3][other.count];
}

} // namespace memory::text
