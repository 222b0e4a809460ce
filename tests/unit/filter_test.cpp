// What filters are understood as, what of them PostgreSQL's operators get, and what is no filter.
#include "filter/language/parser.h"
#include "filter/language/plan.h"
#include "json_support.h"

#include <gtest/gtest.h>
#include <optional>
#include <ostream>

namespace memory::filter::language {

void PrintTo(Mistake::Kind kind, std::ostream *to) { *to << static_cast<int>(kind); }

namespace {

using json::TestDocument;
using Kind = Condition::Kind;

// A filter with all that is made of it.
struct Understood {
    explicit Understood(const std::string &text)
        : document(text),
          condition(parse(document.root(), document, std::pmr::get_default_resource())),
          planned(plan(condition, document, std::pmr::get_default_resource())) {}

    std::string shown(const Condition &one) {
        constexpr const char *tests[]{" == ", " > ", " >= ", " < ", " <= ", " in ", " exists "};
        std::string text;
        for (const std::string_view key : one.keys)
            text += '/' + std::string(key);
        if (one.kind == Kind::contains)
            return text + " @> " + document.shown(one.operand);
        if (one.kind == Kind::test)
            return text + tests[static_cast<int>(one.test)] + document.shown(one.operand);
        if (one.kind == Kind::path)
            return "path " + document.shown(one.operand);
        text = one.kind == Kind::all ? "all(" : one.kind == Kind::any ? "any(" : "none(";
        for (const Condition &part : one.parts)
            text += (&part == one.parts.data() ? "" : ", ") + shown(part);
        return text + ')';
    }
    std::string shown() { return shown(condition); }

    std::string contained() {
        std::string text;
        for (const Condition *one : planned.contained)
            text += (text.empty() ? "" : ", ") + shown(*one);
        return text;
    }
    std::string jsonpath() {
        if (planned.tested.empty())
            return "";
        return std::string(jsonpath_of(planned.tested, document, std::pmr::get_default_resource()));
    }

    TestDocument document;
    Condition condition;
    Plan planned;
};

std::string understood(const std::string &text) { return Understood(text).shown(); }

// What is wrong: the kind, the operator, the key it is under, the type found.
using Wrong = std::tuple<Mistake::Kind, std::string, std::string>;
std::optional<Wrong> wrong(const std::string &text) {
    TestDocument document(text);
    try {
        parse(document.root(), document, std::pmr::get_default_resource());
        return std::nullopt;
    } catch (const Mistake &mistake) {
        return Wrong(mistake.kind, mistake.word, mistake.at);
    }
}

TEST(Filter, IsEverythingWithoutConditions) {
    EXPECT_EQ(understood("{}"), "all()");
    const Understood everything(R"({"$and": [{}, {}]})");
    EXPECT_TRUE(everything.planned.contained.empty());
    EXPECT_TRUE(everything.planned.tested.empty());
    EXPECT_FALSE(everything.planned.rest);
}

TEST(Filter, ContainsWhatPlainKeysSay) {
    EXPECT_EQ(understood(R"({"a": 1, "b.c": {"d": "x", "e": {}}, "f": [1, {"g": null}]})"),
              "all(/a @> 1, /b.c/d @> \"x\", /b.c/e @> {}, /f @> [2])");
}

TEST(Filter, TestsOneValueByOperators) {
    EXPECT_EQ(understood(R"({"a": {"$gt": 3, "$lte": 5}})"), "all(all(/a > 3, /a <= 5))");
    EXPECT_EQ(understood(R"({"a": {"b": {"$eq": {"$x": 1}}, "c": 2}})"),
              "all(/a/b == {}, /a/c @> 2)");
    EXPECT_EQ(understood(R"({"a": {"$in": [1, "x"]}})"), "all(/a in [2])");
}

TEST(Filter, TurnsRoundWhatIsMissingToo) {
    EXPECT_EQ(understood(R"({"a": {"$ne": 1}})"), "all(none(/a == 1))");
    EXPECT_EQ(understood(R"({"a": {"$nin": []}})"), "all(none(/a in [0]))");
    EXPECT_EQ(understood(R"({"a": {"$exists": false}})"), "all(none(/a exists false))");
    EXPECT_EQ(understood(R"({"a": {"$not": {"$gt": 1, "$lt": 3}}})"),
              "all(none(all(/a > 1, /a < 3)))");
    EXPECT_EQ(understood(R"({"a": {"$not": {"$not": {"$gt": 1}}}})"), "all(none(none(/a > 1)))");
}

TEST(Filter, JoinsFilters) {
    EXPECT_EQ(understood(R"({"$or": [{"a": 1}, {"b": 2, "$path": "$.c"}], "d": 3})"),
              "all(any(all(/a @> 1), all(/b @> 2, path \"$.c\")), /d @> 3)");
    EXPECT_EQ(understood(R"({"$and": []})"), "all(all())");
    EXPECT_EQ(understood(R"({"$not": {"$or": []}})"), "all(none(all(any())))");
}

TEST(Filter, RefusesWhatIsNoOperator) {
    using enum Mistake::Kind;
    EXPECT_EQ(wrong(R"({"$gt": 3})"), Wrong(unknown_at_top, "$gt", ""));
    EXPECT_EQ(wrong(R"({"$": 3})"), Wrong(unknown_at_top, "$", ""));
    EXPECT_EQ(wrong(R"({"$AND": []})"), Wrong(unknown_at_top, "$AND", ""));
    EXPECT_EQ(wrong(R"({"a": {"$greater": 3}})"), Wrong(unknown_operator, "$greater", "a"));
    EXPECT_EQ(wrong(R"({"a": {"$or": [{"$gt": 3}]}})"), Wrong(unknown_operator, "$or", "a"));
    EXPECT_EQ(wrong(R"({"a": {"$path": "$ > 3"}})"), Wrong(unknown_operator, "$path", "a"));
    EXPECT_EQ(wrong(R"({"$or": [{"a": {"b": {"$x": 1}}}]})"), Wrong(unknown_operator, "$x", "b"));
}

TEST(Filter, RefusesOperatorsInWrongPlaces) {
    using enum Mistake::Kind;
    EXPECT_EQ(wrong(R"({"a": {"b": 1, "$gt": 3}})"), Wrong(mixed, "$gt", "a"));
    EXPECT_EQ(wrong(R"({"a": [{"$gt": 3}]})"), Wrong(in_list, "$gt", "a"));
    EXPECT_EQ(wrong(R"({"a": {"b": [1, [{"c": {"$eq": 3}}]]}})"), Wrong(in_list, "$eq", "b"));
    EXPECT_EQ(wrong(R"({"a": {"$not": {"b": 3}}})"), Wrong(no_operators, "$not", "a"));
    EXPECT_EQ(wrong(R"({"a": {"$not": {}}})"), Wrong(no_operators, "$not", "a"));
    EXPECT_EQ(wrong(R"({"a": {"$not": 3}})"), Wrong(no_operators, "$not", "a"));
}

TEST(Filter, RefusesOperandsOfOtherTypes) {
    using enum Mistake::Kind;
    EXPECT_EQ(wrong(R"({"a": {"$gt": null}})"), Wrong(not_comparable, "$gt", "a"));
    EXPECT_EQ(wrong(R"({"a": {"$lte": [1]}})"), Wrong(not_comparable, "$lte", "a"));
    EXPECT_EQ(wrong(R"({"a": {"$in": 1}})"), Wrong(not_a_list, "$in", "a"));
    EXPECT_EQ(wrong(R"({"a": {"$exists": 1}})"), Wrong(not_a_boolean, "$exists", "a"));
    EXPECT_EQ(wrong(R"({"$and": {"a": 1}})"), Wrong(not_a_list, "$and", ""));
    EXPECT_EQ(wrong(R"({"$or": [{"a": 1}, 2]})"), Wrong(not_a_filter, "$or", ""));
    EXPECT_EQ(wrong(R"({"$not": [{"a": 1}]})"), Wrong(not_a_filter, "$not", ""));
    EXPECT_EQ(wrong(R"({"$path": 7})"), Wrong(not_a_string, "$path", ""));
}

TEST(Filter, EndsAtADepth) {
    const auto nested = [](unsigned levels, const std::string &open, const std::string &inner,
                           const std::string &close) {
        std::string text = inner;
        for (unsigned n = 0; n < levels; ++n) {
            text.insert(0, open);
            text += close;
        }
        return text;
    };
    using enum Mistake::Kind;
    EXPECT_EQ(wrong(nested(deepest - 1, R"({"$not": )", "{}", "}")), std::nullopt);
    EXPECT_EQ(wrong(nested(deepest, R"({"$not": )", "{}", "}")), Wrong(too_deep, "", ""));
    EXPECT_EQ(wrong(nested(deepest, R"({"a": )", "1", "}")), std::nullopt);
    EXPECT_EQ(wrong(nested(deepest, R"({"a": )", "{}", "}")), Wrong(too_deep, "", "a"));
    EXPECT_EQ(wrong(R"({"a": )" + nested(deepest, "[", "1", "]") + "}"), Wrong(too_deep, "", "a"));
    EXPECT_EQ(
        wrong(R"({"a": {"$not": )" + nested(deepest, R"({"$not": )", R"({"$eq": 1})", "}") + "}}"),
        Wrong(too_deep, "", "a"));
    EXPECT_EQ(wrong(R"({"a": {"$eq": )" + nested(2000, "[", "1", "]") + "}}"), std::nullopt)
        << "operands are as they are";
}

TEST(Plan, PutsPlainKeysAndEqualityIntoOneObject) {
    Understood filter(R"({"b": {"x": 1, "y": {"$eq": "z"}}, "$and": [{"a": null}], "c": {}})");
    EXPECT_EQ(filter.contained(), "/a @> null, /b/x @> 1, /b/y == \"z\", /c @> {}");
    EXPECT_EQ(filter.jsonpath(), "");
    EXPECT_FALSE(filter.planned.rest);
}

TEST(Plan, AsksAgainForListsAndObjectsThatAreToBeEqual) {
    Understood filter(R"({"a": {"$eq": [1]}})");
    EXPECT_EQ(filter.contained(), "/a == [1]");
    EXPECT_TRUE(filter.planned.rest);
}

TEST(Plan, HasRoomForOneValueAtAPlace) {
    Understood scalars(R"({"$and": [{"a": 1}, {"a": {"b": 2}}, {"a": 3}]})");
    EXPECT_EQ(scalars.contained(), "/a @> 1");
    EXPECT_EQ(scalars.jsonpath(), R"(strict $."a" == 3 && $."a"."b" == 2)");
    EXPECT_FALSE(scalars.planned.rest);
    Understood lists(R"({"$and": [{"a": [1]}, {"a": [2]}]})");
    EXPECT_EQ(lists.contained(), "/a @> [1]");
    EXPECT_TRUE(lists.planned.rest);
}

TEST(Plan, WritesWhatAnIndexFinds) {
    Understood filter(R"({"a.\"b\\": {"$in": [-1.5]}, "c": {"d": {"$in": [1, "x", null, true]}}})");
    EXPECT_EQ(filter.jsonpath(), "strict ($.\"a.\\\"b\\\\\" == -1.5)"
                                 " && ($.\"c\".\"d\" == 1 || $.\"c\".\"d\" == \"x\" ||"
                                 " $.\"c\".\"d\" == null || $.\"c\".\"d\" == true)");
    EXPECT_FALSE(filter.planned.rest);
    Understood either(R"({"$or": [{"a": 1, "b": {"$in": [2]}}, {"c": "x"}]})");
    EXPECT_EQ(either.jsonpath(), R"(strict (($."a" == 1 && ($."b" == 2)) || ($."c" == "x")))");
    EXPECT_EQ(Understood("{\"a\": {\"$in\": [\"\n\x1f\"]}}").jsonpath(),
              R"(strict ($."a" == "\u000a\u001f"))");
}

TEST(Plan, LeavesTheRest) {
    for (const char *text :
         {R"({"a": {"$ne": 1}})", R"({"a": {"$gt": 1}})", R"({"a": {"$exists": true}})",
          R"({"a": {"$in": []}})", R"({"a": {"$in": [[1]]}})", R"({"$or": []})",
          R"({"$or": [{"a": [1]}]})", R"({"$not": {"a": 1}})",
          R"({"$or": [{"$path": "$.a == 1"}]})"}) {
        Understood filter(text);
        EXPECT_EQ(filter.contained(), "") << text;
        EXPECT_EQ(filter.jsonpath(), "") << text;
        EXPECT_TRUE(filter.planned.rest) << text;
    }
    std::string many = R"({"a": {"$in": [0)";
    for (int n = 1; n < 65; ++n)
        many += ',' + std::to_string(n);
    EXPECT_TRUE(Understood(many + "]}}").planned.rest);
}

} // namespace

} // namespace memory::filter::language
