// The words and characters that the composer of statements (sql_composer.h) tells apart. Functions
// and types are written in lower case, keywords in upper case. Pure: no PostgreSQL header.
//
// All of it runs in the compiler, for every character of every statement: plain loops over plain
// arrays take it a tenth of the time that the standard library's algorithms do.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memory::pg::sql {

// A text of the source.
struct Literal {
    const char *text;
    std::size_t length;

    template <std::size_t size>
    // NOLINTNEXTLINE(google-explicit-constructor): a literal is one
    constexpr Literal(const char (&literal)[size]) : text(literal), length(size - 1) {}
};

// PostgreSQL's functions that statements may call by their bare names. Others are written with
// their schema.
inline constexpr Literal built_in_functions[]{"aclexplode",
                                              "array_agg",
                                              "bool_and",
                                              "bool_or",
                                              "cardinality",
                                              "chr",
                                              "clock_timestamp",
                                              "concat_ws",
                                              "count",
                                              "current_setting",
                                              "format",
                                              "has_schema_privilege",
                                              "has_table_privilege",
                                              "hashtextextended",
                                              "jsonb_agg",
                                              "jsonb_build_object",
                                              "jsonb_each_text",
                                              "max",
                                              "min",
                                              "now",
                                              "pg_advisory_xact_lock",
                                              "pg_get_expr",
                                              "pg_get_userbyid",
                                              "pg_has_role",
                                              "quote_ident",
                                              "row_number",
                                              "row_security_active",
                                              "statement_timestamp",
                                              "string_agg",
                                              "string_to_array",
                                              "sum",
                                              "unnest"};

// These look like functions and belong to the grammar: they have no schema.
inline constexpr Literal grammar_functions[]{"coalesce", "greatest", "least"};

// Types that are the grammar's own words.
inline constexpr Literal grammar_types[]{"bigint",   "boolean", "double", "int",      "integer",
                                         "interval", "numeric", "real",   "smallint", "varchar"};

// After these an operand begins, and no operator reaches across them.
inline constexpr Literal clause_words[]{
    "ALL",  "AND",   "AS",     "BY",     "CROSS",     "DISTINCT", "DO",    "ELSE",      "EXCEPT",
    "FROM", "GROUP", "HAVING", "IN",     "INTERSECT", "INTO",     "IS",    "JOIN",      "LATERAL",
    "LEFT", "LIMIT", "NOT",    "OFFSET", "ON",        "OR",       "ORDER", "RETURNING", "SELECT",
    "SET",  "THEN",  "UNION",  "UPDATE", "USING",     "VALUES",   "WHEN",  "WHERE",     "WITH"};

template <std::size_t count>
constexpr bool contains(const Literal (&words)[count], const char *word, std::size_t length) {
    for (const Literal &one : words) {
        if (one.length != length || one.text[0] != word[0])
            continue;
        std::size_t same = 1;
        while (same < length && one.text[same] == word[same])
            ++same;
        if (same == length)
            return true;
    }
    return false;
}

// What a character is; a quote, a bracket and the like are none of these.
enum Kind : std::uint8_t { other = 0, blank = 1, lower = 2, upper = 4, digit = 8, symbol = 16 };
inline constexpr int in_word = lower | upper | digit;

class Kinds {
  public:
    constexpr Kinds() {
        mark(" \t\r\n\f", blank);
        mark("+-*/<>=~!@#%^&|`?", symbol);
        mark("_", lower);
        for (int c = 'a'; c <= 'z'; ++c)
            kinds_[c] = lower;
        for (int c = 'A'; c <= 'Z'; ++c)
            kinds_[c] = upper;
        for (int c = '0'; c <= '9'; ++c)
            kinds_[c] = digit;
        for (int c = 128; c < 256; ++c) // letters beyond ASCII are as good as those of a name
            kinds_[c] = lower;
    }
    constexpr int operator[](char c) const { return kinds_[static_cast<unsigned char>(c)]; }

  private:
    constexpr void mark(const char *characters, Kind kind) {
        for (; *characters != '\0'; ++characters)
            kinds_[static_cast<unsigned char>(*characters)] = kind;
    }

    std::uint8_t kinds_[256]{};
};
inline constexpr Kinds kinds;

} // namespace memory::pg::sql
