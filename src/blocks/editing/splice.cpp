// The common beginning and end of two texts, cut between characters.
#include "blocks/editing/splice.h"

#include <algorithm>

namespace memory::editing {

namespace {

constexpr bool begins_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

// The first byte of a text always begins one, whatever it is.
std::size_t characters(std::string_view text) {
    if (text.empty())
        return 0;
    return 1 + static_cast<std::size_t>(std::ranges::count_if(text.substr(1), begins_character));
}

// Whether a cut at this place of the text divides no character.
bool divides_none(std::string_view text, std::size_t at) {
    return at == text.size() || begins_character(text[at]);
}

// Where so many characters from the beginning end; nothing where there are fewer.
std::optional<std::size_t> end_of_first(std::string_view text, std::size_t count) {
    for (std::size_t at = 0; at < text.size(); ++at)
        if ((at == 0 || begins_character(text[at])) && count-- == 0)
            return at;
    return count == 0 ? std::optional(text.size()) : std::nullopt;
}

// Where so many characters at the end begin.
std::optional<std::size_t> begin_of_last(std::string_view text, std::size_t count) {
    std::size_t at = text.size();
    for (; count > 0 && at > 0; --at)
        if (begins_character(text[at - 1]))
            --count;
    return count == 0 ? std::optional(at) : std::nullopt;
}

} // namespace

Splice splice_back(std::string_view before, std::string_view now) {
    const auto [from_before, from_now] = std::ranges::mismatch(before, now);
    auto begin = static_cast<std::size_t>(from_before - before.begin());
    while (begin > 0 && !(divides_none(before, begin) && divides_none(now, begin)))
        --begin;
    const std::size_t most = std::min(before.size(), now.size()) - begin;
    std::size_t end = 0;
    while (end < most && before[before.size() - end - 1] == now[now.size() - end - 1])
        ++end;
    // What is kept at the end begins with a character of its own.
    while (end > 0 && !begins_character(now[now.size() - end]))
        --end;
    return {characters(now.substr(0, begin)), characters(now.substr(now.size() - end)),
            before.substr(begin, before.size() - begin - end)};
}

std::optional<std::pmr::string> undone(std::string_view now, const Splice &splice,
                                       std::pmr::memory_resource *memory) {
    const std::optional<std::size_t> begin = end_of_first(now, splice.kept_before);
    const std::optional<std::size_t> end = begin_of_last(now, splice.kept_behind);
    if (!begin || !end || *begin > *end)
        return std::nullopt;
    std::pmr::string text(memory);
    text.reserve(*begin + splice.taken.size() + (now.size() - *end));
    text.append(now.substr(0, *begin)).append(splice.taken).append(now.substr(*end));
    return text;
}

} // namespace memory::editing
