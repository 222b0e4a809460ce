// What jsonb cannot hold is gone, everything else is as it was.
#include "text/clean_json.h"

#include <gtest/gtest.h>

namespace {

std::string clean(std::string_view json) {
    return std::string(memory::text::clean_json(json, std::pmr::get_default_resource()));
}

TEST(CleanJson, DropsNulAndHalvesOfPairs) {
    EXPECT_EQ(clean(R"("a\u0000b")"), R"("ab")");
    EXPECT_EQ(clean(R"("a\ud83d")"), R"("a")");
    EXPECT_EQ(clean(R"("\uDE00b")"), R"("b")");
    EXPECT_EQ(clean(R"({"k\u0000": ["\u0000"]})"), R"({"k": [""]})");
    EXPECT_EQ(clean(R"("\ud83d\ud83d\ude00")"), R"("\ud83d\ude00")");
    EXPECT_EQ(clean(R"("\ude00\ud83d")"), R"("")");
}

TEST(CleanJson, MakesNoPairOfWhatStoodApart) {
    EXPECT_EQ(clean(R"("\ud83d\u0000\ude00")"), R"("")");
    EXPECT_EQ(clean(R"("\ud83dx\ude00")"), R"("x")");
}

TEST(CleanJson, KeepsEverythingElse) {
    for (const char *json :
         {"", R"("\ud83d\ude00")", R"("\uD7FF\ue000\u0001")", R"("\\u0000")", R"("\\\\ud83d")",
          R"({"a": "\"\n\/"})", "\"\xf0\x9f\x98\x80\"", "not json \\", "\\u", "\\u00", "\\u000g",
          "\\u+000", "\\u-001", "\\u 000", "\\U0000", "\\ud83", "\\x"})
        EXPECT_EQ(clean(json), json);
    EXPECT_EQ(clean(R"("\\\u0000")"), R"("\\")");
}

} // namespace
