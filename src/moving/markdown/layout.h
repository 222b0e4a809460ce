// Which memories stand in which file (docs/moving.md, "Markdown").
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>

namespace memory::markdown {

enum class File : std::uint8_t {
    soul,  // the block `soul`, as it is
    notes, // what is known: facts, and notes that last
    day,   // what happened on a day
    block, // a block that is a file, as it is
    none,
};

inline constexpr std::string_view soul_path = "SOUL.md";
inline constexpr std::string_view notes_path = "MEMORY.md";
inline constexpr std::string_view day_folder = "memory/";
inline constexpr std::string_view extension = ".md";

File file_at(std::string_view path);

// "2026-03-01" of the path of a day, whether there is such a day or not.
constexpr std::string_view day_of(std::string_view path) {
    path.remove_prefix(day_folder.size());
    path.remove_suffix(extension.size());
    return path;
}

std::pmr::string path_of_day(std::string_view day, std::pmr::memory_resource *memory);

// A time in ISO 8601 and UTC, "2026-03-01T09:15:03.5+00:00", as files say it, and back.
struct Moment {
    // Finite.
    Moment(std::string_view iso, std::pmr::memory_resource *memory);

    std::pmr::string day;    // "2026-03-01"
    std::string_view minute; // "09:15", of `iso`
    bool is_minute;          // and no part of one
};
// `time` as far as it is said: "", "09:15", "09:15:03".
std::pmr::string iso_time(std::string_view day, std::string_view time,
                          std::pmr::memory_resource *memory);

} // namespace memory::markdown
