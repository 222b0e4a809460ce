// Normal forms of whole texts, in time proportional to the text.
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>

#include <unicode/unorm2.h>

#include "text/interruption.h"

namespace memory::text {

// NFKC case folding, and NFKC. Throw IcuFailure.
const UNormalizer2 *nfkc_case_folding();
const UNormalizer2 *nfkc();

// Appends to `to` what unorm2_normalize() makes of `source`, which is well-formed. ICU alone takes
// a time that is quadratic in the marks between two letters, as it puts each into its place. `form`
// is one of those above. Throws IcuFailure.
void append_normalized(const UNormalizer2 *form, std::u16string_view source,
                       std::pmr::u16string &to, Pause &pause);

} // namespace memory::text
