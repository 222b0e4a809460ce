// What the word cache keeps, and what it lets go.
#include "text/word_cache.h"

#include <memory_resource>
#include <string>

#include <gtest/gtest.h>

namespace {

using memory::text::Weight;
using memory::text::WordCache;

class WordCacheOfOnePair : public testing::Test {
  protected:
    // What is kept for the word, or "".
    std::string find(std::string_view word) {
        const WordCache::Slot *slot = cache_.find(word);
        return slot == nullptr ? "" : std::string(slot->term_view());
    }

    WordCache cache_{2, std::pmr::get_default_resource()};
};

TEST_F(WordCacheOfOnePair, KeepsTheTermAndWeightOfAWord) {
    EXPECT_EQ(find("cats"), "");
    cache_.keep("cats", "cat", Weight::weak);
    EXPECT_EQ(find("cats"), "cat");
    EXPECT_EQ(cache_.find("cats")->weight, Weight::weak);
    EXPECT_EQ(find("cat"), "");
}

TEST_F(WordCacheOfOnePair, KeepsAWordThatWasAskedForAgainWhileOthersComeAndGo) {
    cache_.keep("cats", "cat", Weight::word);
    EXPECT_EQ(find("cats"), "cat");
    cache_.keep("dogs", "dog", Weight::word);
    cache_.keep("cows", "cow", Weight::word);
    EXPECT_EQ(find("cats"), "cat");
    EXPECT_EQ(find("dogs"), "");
    EXPECT_EQ(find("cows"), "cow");
}

TEST_F(WordCacheOfOnePair, LetsAWordGoThatNobodyAsksForAnyMore) {
    cache_.keep("cats", "cat", Weight::word);
    EXPECT_EQ(find("cats"), "cat");
    cache_.keep("dogs", "dog", Weight::word);
    EXPECT_EQ(find("dogs"), "dog");
    cache_.keep("cows", "cow", Weight::word);
    EXPECT_EQ(find("cats"), "");
    EXPECT_EQ(find("dogs"), "dog");
}

TEST_F(WordCacheOfOnePair, DoesNotKeepWhatDoesNotFitALine) {
    const std::string longer(WordCache::Slot::key_bytes + 1, 'a');
    cache_.keep(longer, "a", Weight::word);
    cache_.keep("a", std::string(WordCache::Slot::term_bytes + 1, 'a'), Weight::word);
    EXPECT_EQ(find(longer), "");
    EXPECT_EQ(find("a"), "");
}

} // namespace
