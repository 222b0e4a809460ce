// Which words stand beside each other in texts.
#include "text/term_places.h"
#include "unit/text_support.h"

#include <gtest/gtest.h>

#include <utility>

namespace {

using namespace text_test;
using memory::text::NumberedTerm;
using memory::text::TermPlaces;

class TermPlacesTest : public testing::Test {
  protected:
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs(std::string_view text) {
        read(text);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
        places_.each_pair(
            [&](std::uint32_t one, std::uint32_t other) { found.emplace_back(one, other); });
        return found;
    }
    std::vector<std::uint32_t> terms(std::string_view text) {
        read(text);
        std::vector<std::uint32_t> found;
        places_.each_term([&](std::uint32_t one) { found.push_back(one); });
        return found;
    }

  private:
    void read(std::string_view text) {
        places_.clear();
        texts_.analyzer().analyze(text, places_);
    }

    static constexpr NumberedTerm terms_[] = {{"train", 4}, {"night", 7}, {"com", 1}, {"21:05", 2}};

    Texts texts_;
    TermPlaces places_{terms_, std::pmr::get_default_resource()};
};

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

TEST_F(TermPlacesTest, ArePairsInTheirOrder) {
    EXPECT_EQ(pairs("The night train, the night trains"), (Pairs{{7, 4}, {4, 7}, {7, 4}}));
    EXPECT_EQ(pairs("train night"), (Pairs{{4, 7}}));
    EXPECT_EQ(pairs(""), Pairs{});
    EXPECT_EQ(pairs("night"), Pairs{});
}

TEST_F(TermPlacesTest, PassOverStopWordsAndNoOthers) {
    EXPECT_EQ(pairs("night of the train"), (Pairs{{7, 4}}));
    EXPECT_EQ(pairs("night strange train"), Pairs{});
}

TEST_F(TermPlacesTest, HaveAWholeWhereItsFirstPartIs) {
    EXPECT_EQ(pairs("train 21:05 night"), (Pairs{{4, 2}}));
    EXPECT_EQ(pairs("night compound"), (Pairs{{7, 1}}));
}

TEST_F(TermPlacesTest, AreTermsAsOftenAsTheyAreThere) {
    EXPECT_EQ(terms("A night train, a train and a bus."), (std::vector<std::uint32_t>{7, 4, 4}));
}

} // namespace
