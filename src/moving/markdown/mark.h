// The comment behind an entry: which memory it is, and what its line does not say.
//
//     <!-- episode:01900000-0000-7000-8000-000000000001 5f2a9c1e77aa0011 kind=note role=user -->
#pragma once

#include "moving/markdown/document.h"

namespace memory::markdown {

// Where a mark stands in a line: from `at`, `size` bytes. Nothing where none does. An entry's own
// comments are none, nor is one behind a backslash.
struct MarkPlace {
    std::size_t at;
    std::size_t size; // 0: it does not end
};
std::optional<MarkPlace> find_mark(std::string_view line);

// Takes what a mark says into `entry`; nullptr, or what is wrong with it.
const char *read_mark(std::string_view mark, Entry &entry);

void write_mark(const Entry &entry, std::pmr::string &to);

} // namespace memory::markdown
