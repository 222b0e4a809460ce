// What English glues on with an apostrophe. The pieces are no words to search for, whatever the
// dictionary says.
#pragma once

#include <string_view>

namespace memory::text {

// The piece after the apostrophe: 's 't 'd 'm 'll 're 've, in any case.
bool is_contraction_tail(std::string_view atom) noexcept;

// The piece before 't that is no word by itself: isn, didn, couldn, …, in any case.
bool is_contraction_head(std::string_view atom) noexcept;

} // namespace memory::text
