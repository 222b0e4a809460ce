// Edits of a text: the places of a part, and lines between lines.
#include "blocks/editing/edit.h"

#include <gtest/gtest.h>

namespace memory::editing {
namespace {

std::pmr::memory_resource *memory() { return std::pmr::get_default_resource(); }

using Lines = std::pmr::vector<std::size_t>;

TEST(Editing, AMissingPartHasNoPlace) {
    EXPECT_EQ(places_of("x", "abc", memory()).count, 0U);
    EXPECT_EQ(places_of("abcd", "abc", memory()).count, 0U);
    EXPECT_EQ(places_of("a", "", memory()).count, 0U);
}

TEST(Editing, APartThatStandsOnceIsFound) {
    const Places places = places_of("c\nd", "a\nb\nc\nd\n", memory());
    EXPECT_EQ(places.count, 1U);
    EXPECT_EQ(places.first, 4U);
    EXPECT_EQ(places.lines, Lines({3}));
}

TEST(Editing, PlacesThatOverlapAreSeveral) {
    const Places places = places_of("aa", "aaa", memory());
    EXPECT_EQ(places.count, 2U);
    EXPECT_EQ(places.lines, Lines({1}));
}

TEST(Editing, ALineIsNamedOnceHoweverOftenThePartStandsThere) {
    const Places places = places_of("x", "x x\ny\nx\n\nx", memory());
    EXPECT_EQ(places.count, 4U);
    EXPECT_EQ(places.lines, Lines({1, 3, 5}));
}

TEST(Editing, APartThatBeginsWithALineFeedBeginsInTheLineBefore) {
    EXPECT_EQ(places_of("\n", "a\nb\n", memory()).lines, Lines({1, 2}));
}

TEST(Editing, OnlyTheFirstLinesAreNamed) {
    std::string text;
    for (int n = 0; n < 50; ++n)
        text += "x\n";
    const Places places = places_of("x", text, memory());
    EXPECT_EQ(places.count, 50U);
    EXPECT_EQ(places.lines.size(), Places::most_lines);
    EXPECT_EQ(places.lines.back(), Places::most_lines);
    EXPECT_TRUE(places.more_lines);
    EXPECT_FALSE(places_of("x", std::string_view(text).substr(0, 40), memory()).more_lines);
}

TEST(Editing, OnePlaceIsReplaced) {
    EXPECT_EQ(replaced("abc", 1, 1, "XY", memory()), "aXYc");
    EXPECT_EQ(replaced("abc", 0, 3, "", memory()), "");
    EXPECT_EQ(replaced("abc", 3, 0, "d", memory()), "abcd");
}

TEST(Editing, WhatFollowsTheLastLineFeedIsALine) {
    EXPECT_EQ(lines_in(""), 0U);
    EXPECT_EQ(lines_in("a"), 1U);
    EXPECT_EQ(lines_in("a\n"), 1U);
    EXPECT_EQ(lines_in("a\nb"), 2U);
    EXPECT_EQ(lines_in("\n\n"), 2U);
}

TEST(Editing, LinesComeBehindALine) {
    EXPECT_EQ(inserted("a\nb\n", 0, "x\n", memory()), "x\na\nb\n");
    EXPECT_EQ(inserted("a\nb\n", 1, "x\n", memory()), "a\nx\nb\n");
    EXPECT_EQ(inserted("a\nb\n", 2, "x\n", memory()), "a\nb\nx\n");
}

TEST(Editing, ALineFeedIsAddedOnlyWhereLinesWouldRunTogether) {
    EXPECT_EQ(inserted("a\nb", 0, "x", memory()), "x\na\nb");
    EXPECT_EQ(inserted("a\nb", 1, "x", memory()), "a\nx\nb");
    EXPECT_EQ(inserted("a\nb", 2, "x", memory()), "a\nb\nx");
    EXPECT_EQ(inserted("a\nb\n", 2, "x", memory()), "a\nb\nx");
    EXPECT_EQ(inserted("", 0, "x", memory()), "x");
    EXPECT_EQ(inserted("a", 1, "\n", memory()), "a\n\n");
}

TEST(Editing, NothingInsertedChangesNothing) {
    EXPECT_EQ(inserted("a\nb", 1, "", memory()), "a\nb");
    EXPECT_EQ(inserted("a\nb", 2, "", memory()), "a\nb");
    EXPECT_EQ(inserted("", 0, "", memory()), "");
}

TEST(Editing, BehindALineThatIsNotThereNothingIsInserted) {
    EXPECT_EQ(inserted("", 1, "x", memory()), std::nullopt);
    EXPECT_EQ(inserted("a\nb\n", 3, "x", memory()), std::nullopt);
    EXPECT_EQ(inserted("a\nb", 3, "x", memory()), std::nullopt);
    EXPECT_EQ(inserted("a", SIZE_MAX, "x", memory()), std::nullopt);
}

TEST(Editing, EveryLineThatIsCountedCanBeInsertedBehind) {
    for (const char *text : {"", "a", "a\n", "\n", "a\n\nb", "a\nb\n"}) {
        EXPECT_TRUE(inserted(text, lines_in(text), "x", memory())) << text;
        EXPECT_FALSE(inserted(text, lines_in(text) + 1, "x", memory())) << text;
    }
}

} // namespace
} // namespace memory::editing
