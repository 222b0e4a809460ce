// Headings that mean something.
#pragma once

#include <string_view>

namespace memory::markdown {

inline constexpr std::string_view facts_section = "Facts";
inline constexpr std::string_view notes_section = "Notes"; // what stands in no section

} // namespace memory::markdown
