// Edits of a text: one place of it replaced, and lines put between its lines. Texts are UTF-8, or
// bytes; a line ends with a line feed, which belongs to it.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memory::editing {

// How many lines a text has; what follows its last line feed is one where it is not empty.
std::size_t lines_in(std::string_view text);

// Where a text stands in another; places may overlap.
struct Places {
    explicit Places(std::pmr::memory_resource *memory) : lines(memory) {}

    std::size_t count = 0;
    std::size_t first = 0;               // in bytes, of the first one
    std::pmr::vector<std::size_t> lines; // that they begin in, from 1, each once: the first of them
    bool more_lines = false;
    static constexpr std::size_t most_lines = 20;
};

// `part` is not empty.
Places places_of(std::string_view part, std::string_view text, std::pmr::memory_resource *memory);

// `text` with `replacement` instead of the `size` bytes from `at` on.
std::pmr::string replaced(std::string_view text, std::size_t at, std::size_t size,
                          std::string_view replacement, std::pmr::memory_resource *memory);

// `text` with `lines` behind its line of this number; 0 is before the first. A line feed is added
// only where lines would run together. Nothing where the text has fewer lines.
std::optional<std::pmr::string> inserted(std::string_view text, std::size_t line,
                                         std::string_view lines, std::pmr::memory_resource *memory);

} // namespace memory::editing
