// A Levenshtein automaton with exchanged neighbours, its states as sets of bits. Where it has edits
// left, any letter may follow; where it has not, only the letters that the word goes on with: these
// few are looked for instead of all that there are.
#include "text/near_strings.h"

#include "text/utf8.h"

#include <algorithm>
#include <bit>

namespace memory::text {

namespace {

template <class Use>
void each_place(std::uint64_t places, Use &&use) {
    for (; places != 0; places &= places - 1)
        use(static_cast<std::size_t>(std::countr_zero(places)));
}

// The first four bytes, which are all that a character has: they compare as the string does with
// one.
std::uint32_t key_of(std::string_view string) {
    std::uint32_t key = 0;
    for (std::size_t at = 0; at < sizeof key; ++at)
        key = key << 8 | (at < string.size() ? static_cast<unsigned char>(string[at]) : 0U);
    return key;
}

} // namespace

NearStrings::NearStrings(const Spelling &word, std::pmr::memory_resource *memory)
    : word_(word), limit_(word.most_), bytes_(memory), followed_(memory), found_(memory) {
    const Spelling::Letters &letters = word.letters_;
    within_ = (std::uint64_t{2} << letters.count) - 1;
    letters_within_ = within_ >> 1;
    for (std::size_t place = 0; place < letters.count; ++place) {
        places_[letters.points[place] % places_.size()] |= std::uint64_t{1} << place;
        append(bytes_, letters.points[place]);
        keys_[place] = key_of(std::string_view(bytes_).substr(starts_[place]));
        starts_[place + 1] = static_cast<std::uint8_t>(bytes_.size());
    }
    limit(limit_);
}

void NearStrings::limit(std::uint32_t edits) {
    limit_ = edits;
    depth_ = 0;
    path_[0] = {};
    for (std::uint32_t taken_out = 0; taken_out <= limit_; ++taken_out)
        path_[0].behind[taken_out] = ((std::uint64_t{2} << taken_out) - 1) & within_;
}

std::uint64_t NearStrings::places_of(char32_t letter) const {
    std::uint64_t places = 0;
    each_place(places_[letter % places_.size()], [&](std::size_t place) {
        if (word_.letters_.points[place] == letter)
            places |= std::uint64_t{1} << place;
    });
    return places;
}

// What each line adds: the letter that comes next; the second letter of two that are exchanged. A
// letter put in; one changed; one taken out; the first of two that are exchanged. Of more edits
// than the limit nothing is asked.
NearStrings::State NearStrings::step(const State &from, char32_t letter,
                                     std::uint32_t bytes) const {
    const std::uint64_t here = places_of(letter);
    State to;
    to.end = from.end + bytes;
    to.behind[0] = (from.behind[0] & here) << 1;
    for (std::uint32_t edits = 1; edits <= most; ++edits) {
        const std::uint64_t before = from.behind[edits - 1];
        to.exchanging[edits] = before & (here >> 1);
        to.behind[edits] = ((from.behind[edits] & here) << 1) | before | (before << 1) |
                           (to.behind[edits - 1] << 1) | ((from.exchanging[edits] & here) << 2);
        to.behind[edits] &= within_;
    }
    return to;
}

// With a letter of the word, which becomes part of what is found.
NearStrings::State NearStrings::step_to(const State &from, std::size_t place) {
    const auto size = static_cast<std::uint32_t>(starts_[place + 1] - starts_[place]);
    found_.append(bytes_, starts_[place], size);
    return step(from, word_.letters_.points[place], size);
}

// The place of the first letter that may follow where there are no edits left, above a string.
std::optional<std::size_t> NearStrings::next_letter(const State &state,
                                                    std::string_view above) const {
    const std::uint32_t least = key_of(above);
    std::optional<std::size_t> first;
    each_place((state.behind[limit_] | state.exchanging[limit_]) & letters_within_,
               [&](std::size_t place) {
                   if (keys_[place] > least && (!first || keys_[place] < keys_[*first]))
                       first = place;
               });
    return first;
}

void NearStrings::return_to_common_beginning(std::string_view from) {
    const std::size_t sizes = std::min(from.size(), last().end);
    const auto differs = std::mismatch(
        followed_.begin(), followed_.begin() + static_cast<std::ptrdiff_t>(sizes), from.begin());
    const auto common = static_cast<std::size_t>(differs.first - followed_.begin());
    while (last().end > common)
        --depth_;
}

// Goes on through the characters of a string as long as it can become near. Whether all are gone
// through, or as good as that: behind what is no character anything may follow.
bool NearStrings::follow(std::string_view from) {
    return_to_common_beginning(from);
    followed_ = from;
    while (last().end < from.size()) {
        const Decoded next = decode(from, last().end);
        if (next.point == bad_byte)
            return allows_any_letter(last());
        const State after = step(last(), next.point, next.size);
        if (!is_live(after))
            return false;
        path_[++depth_] = after;
    }
    return true;
}

// Behind what is found so far: the least string that is near. With one place to go on from, that is
// the rest of the word.
std::string_view NearStrings::completed(State state) {
    while (!allows_any_letter(state) && !is_near(state)) {
        const std::uint64_t places = state.behind[limit_];
        if (std::has_single_bit(places) && state.exchanging[limit_] == 0)
            return found_.append(bytes_,
                                 starts_[static_cast<std::size_t>(std::countr_zero(places))]);
        state = step_to(state, *next_letter(state, {}));
    }
    return found_;
}

// Of the strings above `from` that do not begin with it: what they share is the last of the path.
std::optional<std::string_view> NearStrings::least_above(std::string_view from) {
    for (;; --depth_) {
        const State &state = last();
        const std::string_view rest = from.substr(state.end);
        found_.assign(from, 0, state.end);
        if (allows_any_letter(state)) {
            found_.append(rest, 0, decode(rest, 0).size);
            ++found_.back(); // never the last byte that there is: it ends a character
            return found_;
        }
        if (const auto place = next_letter(state, rest))
            return completed(step_to(state, *place));
        if (depth_ == 0)
            return std::nullopt;
    }
}

std::optional<std::string_view> NearStrings::least(std::string_view from) {
    if (!follow(from))
        return least_above(from);
    if (last().end < from.size() || allows_any_letter(last()) || is_near(last()))
        return from;
    found_ = from;
    return completed(last());
}

} // namespace memory::text
