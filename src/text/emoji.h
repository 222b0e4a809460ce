// Emoji sequences (UTS #51): what a person sees as one picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/interruption.h"
#include "text/term.h"
#include "text/token.h"

namespace memory::text {

// The end of the keycap sequence (1️⃣ #️⃣ *️⃣) that begins at `at`, or `at` if none
// does.
std::size_t keycap_end(std::string_view text, std::size_t at);

// Hands the emoji sequence that begins at `begin`, with a pictograph or a flag_letter, to the sink:
// whole without its presentation selectors, and the pictures it is joined of. Returns its end.
std::size_t take_emoji(std::string_view text, std::size_t begin, std::uint32_t ordinal,
                       TokenSink &sink, Pause &pause);

} // namespace memory::text
