// From a query to its pattern: every clause is cut into terms by the analyzer that texts met, too.
#pragma once

#include "index/grammar/pattern.h"
#include "text/analyzer.h"

namespace memory::index::grammar {

enum class Reading : bool {
    plain,    // a bag of words: no character is special
    websearch // the language of parser.h
};

// `query` is UTF-8 as far as it is text. Throws what the analyzer and `memory` throw.
Pattern compile(std::string_view query, Reading reading, text::Analyzer &analyzer,
                std::pmr::memory_resource *memory);

} // namespace memory::index::grammar
