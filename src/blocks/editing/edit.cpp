// Finding and changing places of a text.
#include "blocks/editing/edit.h"

#include <algorithm>

namespace memory::editing {

namespace {

// Where the line after `line` begins; the end of the text for the last one. Nothing where the text
// has fewer lines.
std::optional<std::size_t> end_of_line(std::string_view text, std::size_t line) {
    std::size_t at = 0;
    for (std::size_t n = 0; n < line; ++n) {
        if (at == text.size())
            return std::nullopt;
        at = std::min(text.find('\n', at), text.size() - 1) + 1;
    }
    return at;
}

bool runs_on(std::string_view text) { return !text.empty() && !text.ends_with('\n'); }

} // namespace

std::size_t lines_in(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n')) + (runs_on(text) ? 1 : 0);
}

Places places_of(std::string_view part, std::string_view text, std::pmr::memory_resource *memory) {
    Places places(memory);
    std::size_t line = 1;
    std::size_t counted = 0; // line feeds before here are in `line`
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) {
        if (places.count++ == 0)
            places.first = at;
        line +=
            static_cast<std::size_t>(std::ranges::count(text.substr(counted, at - counted), '\n'));
        counted = at;
        if (!places.lines.empty() && places.lines.back() == line)
            continue;
        if (places.lines.size() < Places::most_lines)
            places.lines.push_back(line);
        else
            places.more_lines = true;
    }
    return places;
}

std::pmr::string replaced(std::string_view text, std::size_t at, std::size_t size,
                          std::string_view replacement, std::pmr::memory_resource *memory) {
    std::pmr::string result(memory);
    result.reserve(text.size() - size + replacement.size());
    result.append(text.substr(0, at)).append(replacement).append(text.substr(at + size));
    return result;
}

std::optional<std::pmr::string> inserted(std::string_view text, std::size_t line,
                                         std::string_view lines,
                                         std::pmr::memory_resource *memory) {
    const std::optional<std::size_t> at = end_of_line(text, line);
    if (!at)
        return std::nullopt;
    const std::string_view before = text.substr(0, *at);
    const std::string_view behind = text.substr(*at);
    std::pmr::string result(memory);
    result.reserve(text.size() + lines.size() + 2);
    result.append(before);
    if (!lines.empty() && runs_on(before))
        result.push_back('\n');
    result.append(lines);
    if (runs_on(lines) && !behind.empty())
        result.push_back('\n');
    result.append(behind);
    return result;
}

} // namespace memory::editing
