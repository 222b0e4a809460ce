// What a look at the meta page of an index tells of its health: one page is read.
#pragma once

#include "pg/backend.h"

namespace memory::index {

// Whether the access method of an index is recall.
bool is_recall(Relation index) noexcept;

// Whether the texts of a valid recall index were cut into terms by the rules that hold now. An
// error when its meta page cannot be used.
bool has_current_rules(Relation index);

// What is said where they were not.
inline constexpr char other_rules[] = "it was built with text rules other than the current ones";

} // namespace memory::index
