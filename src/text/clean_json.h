// JSON as programs write it, without what jsonb cannot hold.
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>

namespace memory::text {

// `json` without the escapes \u0000 and those of halves of surrogate pairs that stand alone. All
// other bytes stay, well-formed or not.
std::pmr::string clean_json(std::string_view json, std::pmr::memory_resource *memory);

} // namespace memory::text
