// What an item is recalled by.
#pragma once

#include "pg/arrays.h"
#include "pg/datum.h"

namespace memory::items {

// The strings among the values of a JSON value, at any depth, each on a line of its own; empty
// where there are none. In the current memory context.
std::string_view strings_of(pg::Document value);

// A text[] as a column of rows (column.h).
struct Texts {
    static Oid type() noexcept { return TEXTARRAYOID; }
    static std::span<const std::optional<std::string_view>> read(Datum value) {
        return pg::elements_or_null_of<pg::Text>(value);
    }
};

} // namespace memory::items
