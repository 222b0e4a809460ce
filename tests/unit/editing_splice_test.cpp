// What a change took away, and the text before it.
#include "blocks/editing/splice.h"

#include <gtest/gtest.h>

#include <random>

namespace memory::editing {
namespace {

std::pmr::memory_resource *memory() { return std::pmr::get_default_resource(); }

void expect_back(std::string_view before, std::string_view now) {
    const Splice splice = splice_back(before, now);
    EXPECT_EQ(undone(now, splice, memory()), before);
}

TEST(EditingSplice, AnAppendTakesNothingAway) {
    EXPECT_EQ(splice_back("abc", "abcdef"), (Splice{3, 0, ""}));
}

TEST(EditingSplice, AnEditKeepsWhatStandsAroundIt) {
    EXPECT_EQ(splice_back("likes tea.", "likes coffee."), (Splice{6, 1, "tea"}));
}

TEST(EditingSplice, ATextThatIsTakenAwayWholeIsKeptWhole) {
    EXPECT_EQ(splice_back("abc", ""), (Splice{0, 0, "abc"}));
    EXPECT_EQ(splice_back("abc", "xyz"), (Splice{0, 0, "abc"}));
    EXPECT_EQ(splice_back("", "abc"), (Splice{0, 0, ""}));
}

TEST(EditingSplice, BeginningAndEndDoNotOverlap) {
    EXPECT_EQ(splice_back("aa", "aaa"), (Splice{2, 0, ""}));
    EXPECT_EQ(splice_back("aaa", "aa"), (Splice{2, 0, "a"}));
    EXPECT_EQ(splice_back("same", "same"), (Splice{4, 0, ""}));
}

TEST(EditingSplice, CharactersAreCountedAndNotDivided) {
    // ä is C3 A4, ö C3 B6: they share their first byte. 丂 is E4 B8 82, 乂 E4 B9 82.
    EXPECT_EQ(splice_back("ä", "ö"), (Splice{0, 0, "ä"}));
    EXPECT_EQ(splice_back("xäy", "xöy"), (Splice{1, 1, "ä"}));
    EXPECT_EQ(splice_back("ää丂", "ää乂"), (Splice{2, 0, "丂"}));
    EXPECT_EQ(splice_back("丂!", "乂!"), (Splice{0, 1, "丂"}));
}

TEST(EditingSplice, ASpliceOfALongerTextIsNotApplied) {
    EXPECT_EQ(undone("abc", {4, 0, ""}, memory()), std::nullopt);
    EXPECT_EQ(undone("abc", {0, 4, ""}, memory()), std::nullopt);
    EXPECT_EQ(undone("abc", {2, 2, ""}, memory()), std::nullopt);
    EXPECT_EQ(undone("abc", {SIZE_MAX, SIZE_MAX, ""}, memory()), std::nullopt);
    EXPECT_EQ(undone("abc", {1, 2, "x"}, memory()), "axbc");
}

TEST(EditingSplice, AnyTextsComeBack) {
    std::minstd_rand random(7);
    const std::string_view letters[]{"a", "b", "\n", "ä", "ö", "丂", "乂", "😀"};
    for (int round = 0; round < 20000; ++round) {
        std::string texts[2];
        for (std::string &text : texts)
            for (auto length = random() % 6; length > 0; --length)
                text += letters[random() % std::size(letters)];
        expect_back(texts[0], texts[1]);
    }
}

TEST(EditingSplice, BytesThatAreNoUtf8ComeBackToo) {
    std::minstd_rand random(7);
    const char bytes[]{'a', '\x80', '\x82', '\xC3', '\xE4'};
    for (int round = 0; round < 20000; ++round) {
        std::string texts[2];
        for (std::string &text : texts)
            for (auto length = random() % 6; length > 0; --length)
                text += bytes[random() % std::size(bytes)];
        expect_back(texts[0], texts[1]);
    }
}

} // namespace
} // namespace memory::editing
