// Where an item stands among those of its user: a string of bytes out of path and key, so that one
// B-tree finds an item, keeps it single, and has all that is under a path side by side
// (docs/items.md).
#pragma once

#include <memory_resource>
#include <span>
#include <string>
#include <string_view>

namespace memory::items::place {

// Names of a path. None of them is empty or has a byte 0, which no text of PostgreSQL's has.
using Path = std::span<const std::string_view>;

// An entry of a B-tree has room for 2,704 bytes, of which namespace and user may take 1,040.
inline constexpr std::size_t longest = 1537;

// Places are in the order of paths, name by name, and then of keys, by their bytes; what is on a
// path stands before what is on those that it begins. Of a place that would be as long as `longest`
// or longer, only so many bytes are kept, and a digest of the whole behind them.
inline constexpr std::size_t kept = longest - 32;

// Different items have different places.
std::pmr::string of(Path path, std::string_view key, std::pmr::memory_resource *memory);

// Places from `from` on and before `to`. Where it is not exact, paths must be looked at, too.
struct Range {
    std::pmr::string from;
    std::pmr::string to;
    bool exact;
};

// Of all items whose paths begin with this one, whole names compared; of those on it alone.
Range under(Path prefix, std::pmr::memory_resource *memory);
Range at(Path path, std::pmr::memory_resource *memory);

// Any one name, in what a path is to begin or end with.
inline constexpr std::string_view any_name = "*";

// Whether a path begins with one and ends with the other; they may overlap.
bool matches(Path path, Path prefix, Path suffix);

} // namespace memory::items::place
