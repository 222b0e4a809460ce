// What _sql makes of statements: they read like SQL and mean the same under every search_path.
#include "pg/sql.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace memory::pg {
namespace {

constexpr sql::Fragment of_all[]{
    {"tenant", "{0}.namespace = $1 AND {0}.user_id = $2"},
    {"not_expired", "({0}.expires_at IS NULL OR {0}.expires_at > statement_timestamp())"},
};
constexpr sql::Fragment of_room[]{
    {"alive", "{tenant:{0}} AND {not_expired:{0}}"},
    {"valid_at", "({1} IS NULL OR {0}.valid_from <= {1})"},
    {"one_of", "{0}.id = ANY ({1})"},
    {"columns", "id, content"},
    {"twice", "{one_of:{0},{1}} AND {one_of:{1},{0}}"},
};

template <SqlText written>
consteval std::string_view operator""_sql() {
    return compose<written, of_all, of_room>().text;
}

TEST(Sql, QualifiesOperators) {
    EXPECT_EQ("SELECT f.a = $1"_sql, "SELECT f.a OPERATOR(pg_catalog.=) $1");
    EXPECT_EQ("a <> b AND c <= d OR e >= f"_sql,
              "a OPERATOR(pg_catalog.<>) b AND c OPERATOR(pg_catalog.<=) d"
              " OR e OPERATOR(pg_catalog.>=) f");
    EXPECT_EQ("a || b || c"_sql, "a OPERATOR(pg_catalog.||) b OPERATOR(pg_catalog.||) c");
    EXPECT_EQ("m @> $1, m @@ $2"_sql, "m OPERATOR(pg_catalog.@>) $1, m OPERATOR(pg_catalog.@@) $2");
    EXPECT_EQ("a # b"_sql, "a OPERATOR(pg_catalog.#) b");
    EXPECT_EQ("a=b"_sql, "a OPERATOR(pg_catalog.=) b");
    EXPECT_EQ("(a)=(b)"_sql, "(a) OPERATOR(pg_catalog.=) (b)");
    EXPECT_EQ("a = ANY ($4)"_sql, "a OPERATOR(pg_catalog.=) ANY ($4)");
    EXPECT_EQ("ROW(a, b) < ROW(c, d)"_sql, "ROW(a, b) OPERATOR(pg_catalog.<) ROW(c, d)");
}

TEST(Sql, QualifiesJsonOperatorsWhole) {
    EXPECT_EQ("m -> 'a' ->> 'b' = 'c'"_sql,
              "m OPERATOR(pg_catalog.->) 'a' OPERATOR(pg_catalog.->>) 'b' OPERATOR(pg_catalog.=) "
              "'c'");
    EXPECT_EQ("m->'a'"_sql, "m OPERATOR(pg_catalog.->) 'a'");
    EXPECT_EQ("m #>> '{a,b}'"_sql, "m OPERATOR(pg_catalog.#>>) '{a,b}'");
    EXPECT_EQ("m ? 'a' AND m ?| $1"_sql,
              "m OPERATOR(pg_catalog.?) 'a' AND m OPERATOR(pg_catalog.?|) $1");
}

TEST(Sql, LeavesWhatIsNoOperator) {
    EXPECT_EQ("SELECT DISTINCT a FROM memory.x"_sql, "SELECT DISTINCT a FROM memory.x");
    EXPECT_EQ("DELETE FROM memory.x USING memory.y"_sql, "DELETE FROM memory.x USING memory.y");
    EXPECT_EQ("SELECT * FROM memory.x f"_sql, "SELECT * FROM memory.x f");
    EXPECT_EQ("SELECT f.*, count(*)"_sql, "SELECT f.*, pg_catalog.count(*)");
    EXPECT_EQ("DELETE FROM memory.x RETURNING *"_sql, "DELETE FROM memory.x RETURNING *");
    EXPECT_EQ("memory.recall('x', k => 5)"_sql, "memory.recall('x', k => 5)");
    EXPECT_EQ("a[1:2]"_sql, "a[1:2]");
    EXPECT_EQ("a.b OPERATOR(memory.<@>) $1"_sql, "a.b OPERATOR(memory.<@>) $1");
}

TEST(Sql, TellsSignsFromOperators) {
    EXPECT_EQ("a = -1"_sql, "a OPERATOR(pg_catalog.=) -1");
    EXPECT_EQ("a=-1"_sql, "a OPERATOR(pg_catalog.=) -1");
    EXPECT_EQ("(-1, +2, 1e-5, 1.5)"_sql, "(-1, +2, 1e-5, 1.5)");
    EXPECT_EQ("a -1"_sql, "a OPERATOR(pg_catalog.-) 1");
    EXPECT_EQ("a - b - 1"_sql, "a OPERATOR(pg_catalog.-) b OPERATOR(pg_catalog.-) 1");
    EXPECT_EQ("a * b"_sql, "a OPERATOR(pg_catalog.*) b");
    EXPECT_EQ("(a + b) * -c"_sql,
              "(a OPERATOR(pg_catalog.+) b) OPERATOR(pg_catalog.*) OPERATOR(pg_catalog.-) c");
    EXPECT_EQ("LIMIT $1 + 1"_sql, "LIMIT $1 OPERATOR(pg_catalog.+) 1");
}

TEST(Sql, LeavesQuotedTextAlone) {
    EXPECT_EQ("a = 'b = c'"_sql, "a OPERATOR(pg_catalog.=) 'b = c'");
    EXPECT_EQ("a = 'it''s = now()'"_sql, "a OPERATOR(pg_catalog.=) 'it''s = now()'");
    EXPECT_EQ(R"(a = E'it\'s = c')"_sql, R"(a OPERATOR(pg_catalog.=) E'it\'s = c')");
    EXPECT_EQ("'{tenant:f}'"_sql, "'{tenant:f}'");
    EXPECT_EQ(R"("a = ""b""" = c)"_sql, R"("a = ""b""" OPERATOR(pg_catalog.=) c)");
    EXPECT_EQ("$$a = b$$ = $1"_sql, "$$a = b$$ OPERATOR(pg_catalog.=) $1");
    EXPECT_EQ("$q$ $$ = '$q$ = $12"_sql, "$q$ $$ = '$q$ OPERATOR(pg_catalog.=) $12");
    EXPECT_EQ("'a'   ='  b'"_sql, "'a' OPERATOR(pg_catalog.=) '  b'");
}

TEST(Sql, CommentsAndIndentationBecomeBlanks) {
    EXPECT_EQ(R"(
        SELECT a -- = b, {c}, it's
        FROM /* = 'x */ memory.d
    )"_sql,
              "SELECT a FROM memory.d");
    EXPECT_EQ("a/* */b"_sql, "a b");
    EXPECT_EQ("a =-- c\n b"_sql, "a OPERATOR(pg_catalog.=) b");
    EXPECT_EQ("  "_sql, "");
}

TEST(Sql, QualifiesFunctionsOfPostgres) {
    EXPECT_EQ("now() + '1 second'::interval"_sql,
              "pg_catalog.now() OPERATOR(pg_catalog.+) '1 second'::interval");
    EXPECT_EQ("coalesce(max (a), 0)"_sql, "coalesce(pg_catalog.max (a), 0)");
    EXPECT_EQ("memory.now()"_sql, "memory.now()");
    EXPECT_EQ("SELECT now, f.count FROM memory.f AS f (now)"_sql,
              "SELECT now, f.count FROM memory.f AS f (now)");
    EXPECT_EQ("EXISTS(SELECT) AND ARRAY['', $5]"_sql, "EXISTS(SELECT) AND ARRAY['', $5]");
}

TEST(Sql, QualifiesTypesOfCasts) {
    EXPECT_EQ("$1::text, $2::text[], $3::int4"_sql,
              "$1::pg_catalog.text, $2::pg_catalog.text[], $3::pg_catalog.int4");
    EXPECT_EQ("$1::bigint, $2::double precision"_sql, "$1::bigint, $2::double precision");
    EXPECT_EQ("$1::memory.query, c::\"char\""_sql, "$1::memory.query, c::pg_catalog.\"char\"");
    EXPECT_EQ("a::\"A b\".\"c\""_sql, "a::\"A b\".\"c\"");
    EXPECT_EQ("a::text = b"_sql, "a::pg_catalog.text OPERATOR(pg_catalog.=) b");
}

TEST(Sql, LeavesAssignmentsAlone) {
    EXPECT_EQ("UPDATE memory.x AS x SET a = $1, b = x.b + 1 WHERE x.c = 2"_sql,
              "UPDATE memory.x AS x SET a = $1, b = x.b OPERATOR(pg_catalog.+) 1"
              " WHERE x.c OPERATOR(pg_catalog.=) 2");
    EXPECT_EQ("DO UPDATE SET a = excluded.a, b = (c = d)"_sql,
              "DO UPDATE SET a = excluded.a, b = (c OPERATOR(pg_catalog.=) d)");
    EXPECT_EQ("SET (a, b) = (SELECT c = d), e = f"_sql,
              "SET (a, b) = (SELECT c OPERATOR(pg_catalog.=) d), e = f");
    EXPECT_EQ("SET a = greatest(b, c = d) RETURNING a = 1"_sql,
              "SET a = greatest(b, c OPERATOR(pg_catalog.=) d)"
              " RETURNING a OPERATOR(pg_catalog.=) 1");
}

TEST(Sql, KeepsThePrecedenceOfOperators) {
    EXPECT_EQ("a + b = c"_sql, "a OPERATOR(pg_catalog.+) b OPERATOR(pg_catalog.=) c");
    EXPECT_EQ("a = (b + c)"_sql, "a OPERATOR(pg_catalog.=) (b OPERATOR(pg_catalog.+) c)");
    EXPECT_EQ("a = b AND c + d > e"_sql, "a OPERATOR(pg_catalog.=) b AND"
                                         " c OPERATOR(pg_catalog.+) d OPERATOR(pg_catalog.>) e");
    EXPECT_EQ("CASE WHEN a = b THEN c + d ELSE e END = f"_sql,
              "CASE WHEN a OPERATOR(pg_catalog.=) b THEN c OPERATOR(pg_catalog.+) d"
              " ELSE e END OPERATOR(pg_catalog.=) f");
}

TEST(Sql, ExpandsFragments) {
    EXPECT_EQ("WHERE {tenant:e}"_sql, "WHERE e.namespace OPERATOR(pg_catalog.=) $1"
                                      " AND e.user_id OPERATOR(pg_catalog.=) $2");
    EXPECT_EQ("{tenant:e}"_sql, "{tenant:e}"_sql);
    EXPECT_EQ("SELECT {columns} FROM memory.x"_sql, "SELECT id, content FROM memory.x");
    EXPECT_EQ("{valid_at:f,$6}"_sql, "($6 IS NULL OR f.valid_from OPERATOR(pg_catalog.<=) $6)");
    EXPECT_EQ("NOT {one_of:e,ARRAY['{}']}"_sql,
              "NOT e.id OPERATOR(pg_catalog.=) ANY (ARRAY['{}'])");
}

TEST(Sql, FragmentsNest) {
    EXPECT_EQ("{alive:e}"_sql,
              "e.namespace OPERATOR(pg_catalog.=) $1 AND e.user_id OPERATOR(pg_catalog.=) $2"
              " AND (e.expires_at IS NULL OR"
              " e.expires_at OPERATOR(pg_catalog.>) pg_catalog.statement_timestamp())");
    EXPECT_EQ("{twice:a,b}"_sql, "a.id OPERATOR(pg_catalog.=) ANY (b)"
                                 " AND b.id OPERATOR(pg_catalog.=) ANY (a)");
    EXPECT_EQ("{valid_at:{columns},$1}"_sql,
              "($1 IS NULL OR id, content.valid_from OPERATOR(pg_catalog.<=) $1)");
}

// What the compiler refuses, asked of the composer itself.
constexpr sql::Refusal refusal_of(std::string_view text) {
    constexpr sql::FragmentSet sets[]{sql::set_of(of_all), sql::set_of(of_room)};
    return sql::Composer(sets, 2).compose({text.data(), text.data() + text.size()}).refusal;
}

TEST(Sql, RefusesWhatItCannotMakeSafe) {
    using sql::Refusal;
    EXPECT_EQ(refusal_of("SELECT a = b"), Refusal::none);
    EXPECT_EQ(refusal_of("{tenan:e}"), Refusal::unknown_fragment);
    EXPECT_EQ(refusal_of("{}"), Refusal::unknown_fragment);
    EXPECT_EQ(refusal_of("{tenant}"), Refusal::missing_argument);
    EXPECT_EQ(refusal_of("{0}"), Refusal::missing_argument);
    EXPECT_EQ(refusal_of("{one_of:e}"), Refusal::missing_argument);
    EXPECT_EQ(refusal_of("SELECT f(1)"), Refusal::unknown_function);
    EXPECT_EQ(refusal_of("unnest($1) AS k(key)"), Refusal::unknown_function);
    EXPECT_EQ(refusal_of("a IS DISTINCT FROM b"), Refusal::found_by_path);
    EXPECT_EQ(refusal_of("a IS NOT DISTINCT FROM b"), Refusal::found_by_path);
    EXPECT_EQ(refusal_of("nullif(a, b)"), Refusal::found_by_path);
    EXPECT_EQ(refusal_of("a IN (1, 2)"), Refusal::found_by_path);
    EXPECT_EQ(refusal_of("a NOT IN(SELECT b)"), Refusal::found_by_path);
    EXPECT_EQ(refusal_of("a BETWEEN b AND c"), Refusal::found_by_path);
    EXPECT_EQ(refusal_of("a NOT LIKE b"), Refusal::found_by_path);
    EXPECT_EQ(refusal_of("FROM memory.x JOIN memory.y USING (a)"), Refusal::found_by_path);
    EXPECT_EQ(refusal_of("FROM memory.x NATURAL JOIN memory.y"), Refusal::found_by_path);
    EXPECT_EQ(refusal_of("CASE a WHEN b THEN c END"), Refusal::found_by_path);
    EXPECT_EQ(refusal_of("a = b + c"), Refusal::needs_parentheses);
    EXPECT_EQ(refusal_of("a || b + c"), Refusal::needs_parentheses);
    EXPECT_EQ(refusal_of("a + b * c"), Refusal::needs_parentheses);
    EXPECT_EQ(refusal_of("a < b < c"), Refusal::needs_parentheses);
    EXPECT_EQ(refusal_of("a = CASE WHEN b THEN c ELSE d END + e"), Refusal::needs_parentheses);
    EXPECT_EQ(refusal_of("a < b OPERATOR(memory.<@>) c"), Refusal::needs_parentheses);
    EXPECT_EQ(refusal_of("a = 'b"), Refusal::unfinished);
    EXPECT_EQ(refusal_of("\"a"), Refusal::unfinished);
    EXPECT_EQ(refusal_of("$a$ $$"), Refusal::unfinished);
    EXPECT_EQ(refusal_of("a /* b"), Refusal::unfinished);
    EXPECT_EQ(refusal_of("{tenant:e"), Refusal::unfinished);
    EXPECT_EQ(refusal_of("tenant}"), Refusal::unfinished);
    EXPECT_EQ(refusal_of("(a"), Refusal::unfinished);
    EXPECT_EQ(refusal_of("a)"), Refusal::unfinished);
    EXPECT_EQ(refusal_of("OPERATOR(memory.="), Refusal::unfinished);
}

constexpr sql::Fragment of_itself[]{{"again", "{again}"}};

TEST(Sql, RefusesAFragmentOfItself) {
    constexpr sql::FragmentSet sets[]{sql::set_of(of_itself)};
    constexpr std::string_view text = "{again}";
    EXPECT_EQ(sql::Composer(sets, 1).compose({text.data(), text.data() + text.size()}).refusal,
              sql::Refusal::too_much);
}

} // namespace
} // namespace memory::pg
