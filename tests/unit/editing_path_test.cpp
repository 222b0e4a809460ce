// Names of blocks as paths.
#include "blocks/editing/path.h"

#include <gtest/gtest.h>

#include <vector>

namespace memory::editing {
namespace {

TEST(EditingPath, SegmentsAreAnythingButEmptyOrDots) {
    for (const char *name : {"a", "a b", "/a", "a/b", "/memories/notes.md", "...", ".a", "a./..b",
                             "\n", "ä/ö", "%", "a/.../b"})
        EXPECT_EQ(fault_in(name), Fault::none) << name;
    for (const char *name : {"", "/", "//", "a/", "/a/", "a//b", "//a", "a/b//"})
        EXPECT_EQ(fault_in(name), Fault::empty_segment) << name;
    for (const char *name : {".", "..", "/.", "/..", "a/.", "../a", "a/../b", "/a/./b"})
        EXPECT_EQ(fault_in(name), Fault::dot_segment) << name;
}

TEST(EditingPath, TheFirstFaultCounts) {
    EXPECT_EQ(fault_in("../a//b"), Fault::dot_segment);
    EXPECT_EQ(fault_in("a//../b"), Fault::empty_segment);
}

TEST(EditingPath, WhatLiesInADirectoryIsAFile) {
    EXPECT_FALSE(is_file("human"));
    EXPECT_TRUE(is_file("/human"));
    EXPECT_TRUE(is_file("a/b"));
}

TEST(EditingPath, ALeadingSlashIsNoSegment) {
    EXPECT_EQ(segments("a"), 1U);
    EXPECT_EQ(segments("/a"), 1U);
    EXPECT_EQ(segments("a/b"), 2U);
    EXPECT_EQ(segments("/a/b/c"), 3U);
}

TEST(EditingPath, TheFirstSegmentsAreADirectoryOrTheName) {
    EXPECT_EQ(first_segments("a/b/c", 1), "a");
    EXPECT_EQ(first_segments("a/b/c", 2), "a/b");
    EXPECT_EQ(first_segments("a/b/c", 3), "a/b/c");
    EXPECT_EQ(first_segments("a/b/c", 9), "a/b/c");
    EXPECT_EQ(first_segments("/a/b/c", 1), "/a");
    EXPECT_EQ(first_segments("/a/b/c", 2), "/a/b");
    EXPECT_EQ(first_segments("/a", 1), "/a");
    EXPECT_EQ(first_segments("a", 1), "a");
}

TEST(EditingPath, BelowIsBelowWholeSegments) {
    EXPECT_TRUE(is_below("a/b", "a"));
    EXPECT_TRUE(is_below("a/b/c", "a"));
    EXPECT_FALSE(is_below("ab", "a"));
    EXPECT_FALSE(is_below("a", "a"));
    EXPECT_FALSE(is_below("a", "a/b"));
    EXPECT_FALSE(is_below("/a/b", "a"));
}

std::vector<std::string_view> directories_of(std::string_view name) {
    std::vector<std::string_view> found;
    each_directory(name, [&](std::string_view directory) { found.push_back(directory); });
    return found;
}

TEST(EditingPath, DirectoriesComeFromTheOutermostIn) {
    using Names = std::vector<std::string_view>;
    EXPECT_EQ(directories_of("a"), Names());
    EXPECT_EQ(directories_of("/a"), Names());
    EXPECT_EQ(directories_of("a/b"), Names({"a"}));
    EXPECT_EQ(directories_of("/a/b/c"), Names({"/a", "/a/b"}));
}

} // namespace
} // namespace memory::editing
