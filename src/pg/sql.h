// SQL that reads like SQL, made safe at compile time.
//
//     MEMORY_STATEMENT(find_one, R"(
//         SELECT f.object FROM memory.facts f
//         WHERE {tenant:f} AND f.id = $3 AND f.known_from <= now())"_sql);
//
// Operators, PostgreSQL's own functions and types are written bare and reach PostgreSQL with their
// schema, so that no search_path gives them another meaning. {name:arguments} is a fragment, a
// piece that many statements share, of the sets that a room's operator _sql knows. Operators of
// other schemas are written OPERATOR(memory.<@>), tables and other functions with their schema.
//
// What cannot be made safe is a compile error that names the word: docs/door.md has the rules.
// Pure: no PostgreSQL header.
#pragma once

#include "pg/sql_composer.h"

#include <algorithm>

namespace memory::pg {

// A text that is known at compile time.
template <std::size_t size>
struct SqlText {
    char text[size]{};

    // NOLINTNEXTLINE(google-explicit-constructor): a literal is one
    consteval SqlText(const char (&literal)[size]) { std::copy_n(literal, size, text); }
    consteval explicit SqlText(sql::Piece piece) { std::copy(piece.begin, piece.end, text); }
    consteval sql::Piece piece() const { return {text, text + size - 1}; }
};

// A statement that _sql has made.
struct Sql {
    const char *text;
};

namespace sql {

// Refused: the compiler names one of these, with the word that it is about.
template <SqlText word>
struct NoSuchFragment;
template <SqlText word>
struct FragmentLacksArgument;
template <SqlText word>
struct FunctionNeedsSchema;
template <SqlText word>
struct FindsOperatorByPath;
template <SqlText word>
struct OperatorNeedsParentheses;
template <SqlText word>
struct HasNoEnd;
template <SqlText word>
struct IsTooMuch;

template <Refusal refusal, SqlText word>
consteval void refuse() {
    if constexpr (refusal == Refusal::unknown_fragment)
        static_cast<void>(NoSuchFragment<word>{});
    else if constexpr (refusal == Refusal::missing_argument)
        static_cast<void>(FragmentLacksArgument<word>{});
    else if constexpr (refusal == Refusal::unknown_function)
        static_cast<void>(FunctionNeedsSchema<word>{});
    else if constexpr (refusal == Refusal::found_by_path)
        static_cast<void>(FindsOperatorByPath<word>{});
    else if constexpr (refusal == Refusal::needs_parentheses)
        static_cast<void>(OperatorNeedsParentheses<word>{});
    else if constexpr (refusal == Refusal::unfinished)
        static_cast<void>(HasNoEnd<word>{});
    else if constexpr (refusal == Refusal::too_much)
        static_cast<void>(IsTooMuch<word>{});
}

template <std::size_t count>
consteval FragmentSet set_of(const Fragment (&fragments)[count]) {
    return {fragments, fragments + count};
}

template <std::size_t size>
struct Text {
    char text[size]{};
};

template <SqlText written, const auto &...fragments>
consteval auto composed_text() {
    constexpr FragmentSet sets[]{set_of(fragments)..., {nullptr, nullptr}};
    constexpr Composed composed = Composer(sets, sizeof...(fragments)).compose(written.piece());
    if constexpr (composed.refusal != Refusal::none)
        refuse<composed.refusal, SqlText<composed.word.size() + 1>(composed.word)>();
    Text<composed.size + 1> text;
    char *to = text.text;
    for (std::size_t i = 0; i < composed.count; ++i)
        for (const char *from = composed.pieces[i].begin; from != composed.pieces[i].end;)
            *to++ = *from++;
    return text;
}

template <SqlText written, const auto &...fragments>
inline constexpr auto composed = composed_text<written, fragments...>();

} // namespace sql

// `written`, by these sets of fragments: arrays of sql::Fragment. A room calls it in its operator.
template <SqlText written, const auto &...fragments>
consteval Sql compose() {
    return {sql::composed<written, fragments...>.text};
}

} // namespace memory::pg
