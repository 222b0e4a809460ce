#include "moving/markdown/text.h"

#include <algorithm>

namespace memory::markdown {

namespace {

// Copies `line`, with a backslash more, or one less where there is one, before each mark.
void copy(std::string_view line, const Escape &how, bool more, std::pmr::string &to) {
    std::size_t backslashes = 0;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] == '\\') {
            ++backslashes;
            continue;
        }
        const bool marked =
            line.substr(at).starts_with(how.mark) && (!how.at_begin || at == backslashes);
        if (marked && more)
            ++backslashes;
        else if (marked && backslashes > 0)
            --backslashes;
        to.append(backslashes, '\\');
        to.push_back(line[at]);
        backslashes = 0;
    }
    to.append(backslashes, '\\');
}

} // namespace

std::string_view next_line(std::string_view &text) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const std::string_view line = text.substr(0, end);
    const bool both = text.substr(end).starts_with("\r\n");
    text.remove_prefix(std::min(end + (both ? 2 : 1), text.size()));
    return line;
}

std::pmr::string normal(std::string_view text, std::pmr::memory_resource *memory) {
    std::pmr::string result(memory);
    result.reserve(text.size());
    std::size_t empty_lines = 0;
    while (!text.empty()) {
        std::string_view line = without_blanks_behind(next_line(text));
        if (line.empty()) {
            ++empty_lines;
            continue;
        }
        if (result.empty())
            line = without_blanks_before(line);
        else
            result.append(empty_lines + 1, '\n');
        empty_lines = 0;
        result.append(line);
    }
    return result;
}

bool stands_at(std::string_view line, std::size_t at, std::string_view mark) {
    return line.substr(at).starts_with(mark) && (at == 0 || line[at - 1] != '\\');
}

void escape(std::string_view line, const Escape &how, std::pmr::string &to) {
    copy(line, how, true, to);
}

void unescape(std::string_view line, const Escape &how, std::pmr::string &to) {
    copy(line, how, false, to);
}

std::uint64_t digest(std::string_view text, std::uint64_t before) {
    constexpr std::uint64_t prime = 0x100000001B3u; // FNV-1a
    for (const char c : text)
        before = (before ^ static_cast<unsigned char>(c)) * prime;
    // What ends one text is in no other.
    return (before ^ 0x1FFu) * prime;
}

} // namespace memory::markdown
