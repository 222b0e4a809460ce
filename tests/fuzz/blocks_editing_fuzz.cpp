// Names and texts of any bytes: what is said of a name holds for its parts, an edit changes what it
// is asked to, and what a change took away gives the text before it back.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "blocks/editing/edit.h"
#include "blocks/editing/path.h"
#include "blocks/editing/splice.h"

namespace {

using namespace memory::editing;

std::pmr::memory_resource *memory() { return std::pmr::get_default_resource(); }

void require(bool holds) {
    if (!holds)
        std::abort();
}

// The bytes up to the next zero.
std::string_view next_text(std::string_view &bytes) {
    const std::string_view text = bytes.substr(0, bytes.find('\0'));
    bytes.remove_prefix(std::min(text.size() + 1, bytes.size()));
    return text;
}

void check_name(std::string_view name) {
    if (fault_in(name) != Fault::none)
        return;
    std::size_t count = 0;
    each_directory(name, [&](std::string_view directory) {
        require(fault_in(directory) == Fault::none && is_below(name, directory));
        require(first_segments(name, ++count) == directory && segments(directory) == count);
    });
    require(segments(name) == count + 1 && first_segments(name, count + 1) == name);
}

void check_splice(std::string_view before, std::string_view now) {
    const Splice splice = splice_back(before, now);
    require(undone(now, splice, memory()) == before);
    require(splice.taken.size() <= before.size());
}

void check_foreign_splice(std::string_view now, std::size_t kept_before, std::size_t kept_behind) {
    const auto text = undone(now, {kept_before, kept_behind, "x"}, memory());
    require(!text || text->size() <= now.size() + 1);
}

void check_places(std::string_view part, std::string_view text) {
    if (part.empty())
        return;
    const Places places = places_of(part, text, memory());
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++at)
        count += text.substr(at).starts_with(part) ? 1 : 0;
    require(places.count == count);
    if (count == 0)
        return;
    require(text.find(part) == places.first && std::ranges::is_sorted(places.lines));
    const auto breaks = std::ranges::count(text.substr(0, places.first), '\n');
    require(places.lines.front() == 1 + static_cast<std::size_t>(breaks));
    const auto changed = replaced(text, places.first, part.size(), "new", memory());
    require(changed.substr(places.first, 3) == "new");
    require(changed.size() + part.size() == text.size() + 3);
}

void check_lines(std::string_view text, std::string_view lines) {
    const std::size_t count = lines_in(text);
    require(!inserted(text, count + 1, lines, memory()));
    for (std::size_t line = 0; line <= count; ++line) {
        const auto result = inserted(text, line, lines, memory());
        require(result && result->size() <= text.size() + lines.size() + 2);
        require(result->find(lines) != result->npos);
        // No line of the text has become a part of another.
        if (!lines.empty())
            require(lines_in(*result) == count + lines_in(lines));
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    std::string_view bytes(reinterpret_cast<const char *>(data), size);
    const std::string_view first = next_text(bytes);
    const std::string_view second = next_text(bytes);
    check_name(first);
    check_splice(first, second);
    check_foreign_splice(first, second.size(), bytes.size());
    check_places(first, second);
    if (first.size() < 1000)
        check_lines(first, second);
    return 0;
}
