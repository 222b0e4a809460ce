// The language of memory.websearch_query: a text in, its clauses out. docs/query.md is the grammar.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/interruption.h"

namespace memory::index::grammar {

enum class Mark : std::uint8_t {
    should,
    must,     // +
    must_not, // -
};

enum class Kind : std::uint8_t {
    words,  // a bag of them; when marked, what stands between two white spaces
    phrase, // "…"
    prefix, // …*
    near,   // …~
};

struct Clause {
    Mark mark;
    Kind kind;
    std::string_view words; // without the operators; views the query

    friend bool operator==(const Clause &, const Clause &) = default;
};

// The clauses of a query, in its order. Any bytes are a query; those that are not UTF-8 are
// ordinary characters. Neighbouring words without a mark are one clause, so that a query without
// operators is one bag of words. Throws only what `memory` and `interruption` throw.
std::pmr::vector<Clause> parse(std::string_view query, std::pmr::memory_resource *memory,
                               text::Interruption &interruption = text::Interruption::none());

// Appends a query that parses to these clauses, which came from parse().
void print(std::span<const Clause> clauses, std::pmr::string &to);

} // namespace memory::index::grammar
