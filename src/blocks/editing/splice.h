// What a change of a text took away, so small that a thousand changes of a long text are kept in
// little more than what they changed.
//
//     before   "Name: Ada. Likes tea."        now   "Name: Ada. Likes coffee."
//     splice   keep 17 characters of `now` before it, "tea", keep 1 character behind it
//
// A splice is made of two texts and applied to the later one. It counts characters of UTF-8, not
// bytes, so that it survives a dump into a database of another encoding; a text that is not UTF-8
// is cut at its bytes that are no continuation bytes, and comes back as it was all the same.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>

namespace memory::editing {

struct Splice {
    std::size_t kept_before; // characters of the later text that the earlier one begins with
    std::size_t kept_behind; // and ends with; the two do not overlap, in neither text
    std::string_view taken;  // what stood between them: a part of the earlier text

    friend bool operator==(const Splice &a, const Splice &b) = default;
};

// From `now` back to `before`, with as much kept as can be.
Splice splice_back(std::string_view before, std::string_view now);

// The text before. Nothing where the splice was not made of `now`: it has fewer characters than
// are kept.
std::optional<std::pmr::string> undone(std::string_view now, const Splice &splice,
                                       std::pmr::memory_resource *memory);

} // namespace memory::editing
