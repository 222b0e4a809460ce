// A text with the words of a query marked in it, whole or as its best fragments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>

#include "text/analyzer.h"

namespace memory::text {

struct HighlightOptions {
    std::string_view start_tag = "<b>";
    std::string_view end_tag = "</b>";
    std::size_t max_fragments = 0;     // 0: the whole text
    std::size_t fragment_bytes = 240;  // about; a fragment is longer if one match is
    std::string_view ellipsis = " … "; // between fragments
    std::size_t max_bytes = SIZE_MAX;  // of the result
};

// Appends `text` with the tags around what `query` finds in it. Between the tags every byte of
// the text is as it was: nothing is escaped or unescaped, so a text that is HTML already stays
// so. Matches that touch or overlap share their tags. A fragment begins and ends at white space
// where there is some, never inside a match; without any match the text's beginning is the only
// fragment. The fragments are those with the most different words of the query, of equals those
// with the most places of them, in the order of the text. False, and nothing is appended, if that
// is longer than `max_bytes`.
bool highlight(Analyzer &analyzer, std::string_view text, std::string_view query,
               const HighlightOptions &options, std::pmr::memory_resource *memory,
               std::pmr::string &to);

} // namespace memory::text
