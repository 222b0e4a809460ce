// Which segments of a tenant become one, decided by their sizes alone.
//
// Segments are in tiers: of one class when their documents are within a factor of four. Four of a
// class become one of the next, so a document is rewritten once a class, and of each class three
// stay. An INSERT merges small segments, four of which it reads in some milliseconds. Large ones
// are left to a merge for which nothing waits. Since no segment is both, the two do not meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace memory::segment {

struct Size {
    std::uint32_t documents;
    std::uint32_t pages;
};

// What one merge may read.
struct MergeBound {
    std::uint64_t documents;
    std::uint64_t pages;
};

inline constexpr std::size_t fan_in = 4;

bool is_small(Size size);

enum class Which { small, large, all };

// Of the least class of which four are within the bound together: as many as are, the smallest
// first. Bit i stands for sizes[i], of which there are 64 at most; 0 if nothing is due.
std::uint64_t choose_merge(std::span<const Size> sizes, Which which, MergeBound most);

// What an INSERT may read to merge small segments, if it has sealed so many pages.
MergeBound bound_of_insert(std::uint32_t sealed);

// And large ones, of a tenant with so many runs: nothing, unless nothing else has merged for long.
// `helped`: merges are begun apart, so the INSERT waits longer before it does them itself.
// `of_update`: by a merge here the dead versions of its rows leave, so some is always done.
MergeBound bound_of_large_merge(std::size_t runs, bool helped, bool of_update);

// What a merge may read for which nothing waits.
inline constexpr MergeBound bound_apart{1 << 20, UINT64_MAX};

// Whether the large of a tenant's segments are to be merged apart.
bool merges_apart(std::span<const Size> sizes);

} // namespace memory::segment
