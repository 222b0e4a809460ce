// Writes what others have said so that it stays what they have said.
#include "context/prompt/fence.h"

#include "context/prompt/characters.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace memory::prompt {

namespace {

// What chat templates put between messages. Where a program reads a prompt's text for them, one
// inside a fence would end the message that the prompt is part of. (U+FF5C is a bar, too.)
constexpr std::string_view markers[]{
    "<|",       "<\xEF\xBD\x9C", "<s>",    "</s>",    "<bos>",           "<eos>",
    "<<SYS>>",  "<</SYS>>",      "[INST]", "[/INST]", "<start_of_turn>", "<end_of_turn>",
    "[SYSTEM_", "[/SYSTEM_",
};

// U+FFFD, for what is no character: left as they are, such bytes could become one beside others.
constexpr std::string_view replacement = "\xEF\xBF\xBD";

// The next character at or behind `at` that is not left out; at the text's end a NUL.
Character kept_at(std::string_view text, std::size_t at) {
    while (at < text.size()) {
        const Character next = character_at(text, at);
        if (!next.well_formed || !is_left_out(next.point))
            return next;
        at = next.end;
    }
    return {0, at, true};
}

// The same that is no blank either.
Character seen_at(std::string_view text, std::size_t at) {
    Character next = kept_at(text, at);
    while (is_blank(next.point))
        next = kept_at(text, next.end);
    return next;
}

constexpr char32_t lower(char32_t point) {
    return point >= 'A' && point <= 'Z' ? point + ('a' - 'A') : point;
}

// Whether `memory` or `/memory` follows a < that ends at `at`.
bool names_fence(std::string_view text, std::size_t at) {
    Character next = seen_at(text, at);
    if (next.point == '/')
        next = seen_at(text, next.end);
    for (const char letter : std::string_view("memory")) {
        if (lower(next.point) != static_cast<char32_t>(letter))
            return false;
        next = seen_at(text, next.end);
    }
    return true;
}

// Whether `marker` stands at `at`, once what is left out is gone.
bool stands_at(std::string_view text, std::size_t at, std::string_view marker) {
    for (std::size_t of_marker = 0; of_marker < marker.size();) {
        const Character wanted = character_at(marker, of_marker);
        const Character found = kept_at(text, at);
        if (found.point != wanted.point)
            return false;
        at = found.end;
        of_marker = wanted.end;
    }
    return true;
}

// Whether a backslash goes behind the < or [ at `at`.
bool is_dangerous(std::string_view text, std::size_t at) {
    return (text[at] == '<' && names_fence(text, at + 1)) ||
           std::ranges::any_of(
               markers, [=](std::string_view marker) { return stands_at(text, at, marker); });
}

// A character, which is `written`, as an attribute has it; as `&#8238;`, made in `room`, where an
// attribute cannot hold it.
std::string_view attribute_of(const Character &character, std::string_view written,
                              std::span<char> room) {
    const char32_t point = character.point;
    constexpr std::u32string_view named = U"&\"<>[\n\t";
    if (!character.well_formed)
        return replacement;
    if (!is_left_out(point) && named.find(point) == named.npos)
        return written;
    room[0] = '&';
    room[1] = '#';
    char *end =
        std::to_chars(room.data() + 2, room.data() + room.size(), static_cast<std::uint32_t>(point))
            .ptr;
    *end++ = ';';
    return {room.data(), end};
}

} // namespace

void Page::go_back_to(const Mark &mark) {
    text_.resize(mark.bytes);
    code_points_ = mark.code_points;
    full_ = false;
}

bool Page::put(std::string_view character) {
    full_ = full_ || code_points_ >= limit_;
    if (full_)
        return false;
    text_ += character;
    ++code_points_;
    return true;
}

void Page::write(std::string_view own) {
    for (std::size_t at = 0, end = 0; at < own.size(); at = end) {
        end = character_at(own, at).end;
        if (!put(own.substr(at, end - at)))
            return;
    }
}

void Page::write_text(std::string_view foreign) {
    for (std::size_t at = 0, end = 0; at < foreign.size(); at = end) {
        const Character next = character_at(foreign, at);
        end = next.end;
        if (next.well_formed && is_left_out(next.point))
            continue;
        if (!put(next.well_formed ? foreign.substr(at, end - at) : replacement))
            return;
        if ((next.point == '<' || next.point == '[') && is_dangerous(foreign, at))
            put("\\");
    }
}

void Page::write_attribute(std::string_view foreign) {
    std::array<char, 16> room;
    for (std::size_t at = 0, end = 0; at < foreign.size() && !full_; at = end) {
        const Character next = character_at(foreign, at);
        end = next.end;
        write(attribute_of(next, foreign.substr(at, end - at), room));
    }
}

} // namespace memory::prompt
