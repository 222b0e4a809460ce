// A query's words marked in a text.
#include "text/highlight.h"

#include "text_support.h"

#include <gtest/gtest.h>

namespace {

using memory::text::HighlightOptions;

class Highlight : public testing::Test {
  protected:
    std::string mark(std::string_view text, std::string_view query,
                     const HighlightOptions &options = {.start_tag = "[", .end_tag = "]"}) {
        std::pmr::string marked;
        memory::text::highlight(texts_.analyzer(), text, query, options,
                                std::pmr::get_default_resource(), marked);
        return std::string(marked);
    }
    std::string fragments(std::string_view text, std::string_view query, std::size_t most) {
        return mark(
            text, query,
            {.start_tag = "[", .end_tag = "]", .max_fragments = most, .fragment_bytes = 40});
    }
    text_test::Texts texts_;
};

TEST_F(Highlight, MarksEveryFormOfTheWords) {
    EXPECT_EQ(mark("A cat, two Cats; cät!", "cats"), "A [cat], two [Cats]; [cät]!");
}

TEST_F(Highlight, LeavesTheTextAloneWithoutAMatch) {
    EXPECT_EQ(mark("nothing here", "cats"), "nothing here");
    EXPECT_EQ(mark("nothing here", ""), "nothing here");
    EXPECT_EQ(mark("", "cats"), "");
}

TEST_F(Highlight, EscapesAndUnescapesNothing) {
    EXPECT_EQ(mark("<i>cat</i> &amp; \"dog\" \\ %s", "cat"), "<i>[cat]</i> &amp; \"dog\" \\ %s");
}

TEST_F(Highlight, IgnoresStopWordsBesideOthers) {
    EXPECT_EQ(mark("the cat and the dog", "the cat"), "the [cat] and the dog");
    EXPECT_EQ(mark("the cat and the dog", "the"), "[the] cat and [the] dog");
}

TEST_F(Highlight, MarksWhatTouchesOnce) {
    EXPECT_EQ(mark("東京都庁前", "東京都"), "[東京都]庁前");
    EXPECT_EQ(mark("call getUserName", "getUserName"), "call [getUserName]");
    EXPECT_EQ(mark("at foo_bar-9, foo", "foo_bar-9"), "at [foo_bar-9], [foo]");
}

TEST_F(Highlight, FindsASingleCharacterInsideAWord) {
    EXPECT_EQ(mark("黒猫と白猫", "猫"), "黒[猫]と白[猫]");
}

TEST_F(Highlight, GivesTheFragmentWithTheMostDifferentWords) {
    const std::string text = "first there is a cat sitting alone in the morning and nothing more "
                             "but later on a cat meets a dog in the street, and they talk";
    EXPECT_EQ(fragments(text, "cat dog", 1), "later on a [cat] meets a [dog] in the");
}

TEST_F(Highlight, JoinsFragmentsInTheOrderOfTheText) {
    std::string filler;
    for (int i = 0; i < 30; ++i)
        filler += " filler";
    const std::string text = "one cat" + filler + " two cat dog" + filler + " three dog";
    EXPECT_EQ(fragments(text, "cat dog", 2),
              "one [cat] filler filler filler filler … filler two [cat] [dog] filler filler");
    EXPECT_EQ(fragments(text, "cat dog", 9), "one [cat] filler filler filler filler … filler two "
                                             "[cat] [dog] filler filler … filler filler "
                                             "filler filler three [dog]");
}

TEST_F(Highlight, BeginsTheTextWhereNothingMatches) {
    EXPECT_EQ(fragments("some text that is much longer than one fragment of forty", "x", 3),
              "some text that is much longer than one");
}

TEST_F(Highlight, CutsBetweenCharactersWhereThereAreNoSpaces) {
    std::string text;
    for (int i = 0; i < 50; ++i)
        text += "長い文";
    text += "猫";
    const std::string fragment = fragments(text, "文猫", 1);
    EXPECT_TRUE(fragment.ends_with("[文猫]")) << fragment;
    EXPECT_EQ((fragment.size() - 2) % 3, 0U) << fragment;
}

TEST_F(Highlight, NeverCutsAMatch) {
    EXPECT_EQ(fragments("see https://example.org/a/very/long/path/that/is/longer/than/forty bytes",
                        "https://example.org/a/very/long/path/that/is/longer/than/forty", 1),
              "[https://example.org/a/very/long/path/that/is/longer/than/forty]");
}

TEST_F(Highlight, MakesNothingThatIsTooLong) {
    HighlightOptions options{.start_tag = "[", .end_tag = "]", .max_bytes = 9};
    EXPECT_EQ(mark("a cat a", "cat", options), "a [cat] a");
    options.max_bytes = 8;
    std::pmr::string marked;
    EXPECT_FALSE(memory::text::highlight(texts_.analyzer(), "a cat a", "cat", options,
                                         std::pmr::get_default_resource(), marked));
    EXPECT_EQ(marked, "");
}

} // namespace
