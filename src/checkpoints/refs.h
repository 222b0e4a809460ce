// What a checkpoint consists of: the argument and the column refs.
#pragma once

#include "pg/given.h"

#include <vector>

namespace memory::checkpoints {

// A part by its name and its version.
struct Ref {
    std::string_view name;
    std::string_view version;

    friend auto operator<=>(const Ref &, const Ref &) = default;
};
using Refs = std::pmr::vector<Ref>; // in the order of their names

// Of the argument: an error when it is no object of strings, or when a name or version is empty or
// too long. Views live as long as the document.
Refs checked_refs(const pg::Given<pg::Document> &given, std::pmr::memory_resource *memory);

// Of the column.
Refs refs_of(pg::Document refs, std::pmr::memory_resource *memory);

// Null where there is none of this name.
const Ref *find(const Refs &refs, std::string_view name);

} // namespace memory::checkpoints
