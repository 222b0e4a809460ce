// What goes into the composer of statements (sql_composer.h) and what comes out of it. Pure: no
// PostgreSQL header.
#pragma once

#include "pg/sql_words.h"

namespace memory::pg::sql {

// A piece of SQL with a name. {0}, {1}, … in it are the arguments of {name:first,second}.
struct Fragment {
    Literal name;
    Literal text;
};

struct FragmentSet {
    const Fragment *begin;
    const Fragment *end;
};

enum class Refusal {
    none,
    unknown_fragment,
    missing_argument,  // {1} in a fragment that was given one argument
    unknown_function,  // in lower case, called without a schema, and none of built_in_functions
    found_by_path,     // what finds an operator by its name, and has no way to qualify it
    needs_parentheses, // an operator that would bind tighter than the one before it
    unfinished,        // a quote, a comment, a fragment or a bracket without its end
    too_much           // nested too deeply, or too long
};

// A part of the texts that the statement is made of.
struct Piece {
    const char *begin = nullptr;
    const char *end = nullptr;

    constexpr std::size_t size() const { return static_cast<std::size_t>(end - begin); }
};

// A statement in pieces; or why it is refused, and the word that this is about.
struct Composed {
    static constexpr std::size_t most_pieces = 512;

    Piece pieces[most_pieces]{};
    std::size_t count = 0;
    std::size_t size = 0;
    Refusal refusal = Refusal::none;
    Piece word;
};

} // namespace memory::pg::sql
