#include "rank/collection.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <sstream>
#include <string>

namespace {

using namespace memory::rank;

std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> found;
    while (!text.empty()) {
        const std::size_t space = std::min(text.find(' '), text.size());
        if (space > 0)
            found.push_back(text.substr(0, space));
        text.remove_prefix(std::min(space + 1, text.size()));
    }
    return found;
}

class CollectionTest : public testing::Test {
  protected:
    void add(std::string_view text) { collection_.add(words(text)); }

    std::vector<double> scores(std::string_view query, const Bm25Parameters &parameters = {}) {
        std::vector<double> result(collection_.size(), -1);
        collection_.score(words(query), parameters, result);
        return result;
    }

    Collection collection_{std::pmr::get_default_resource()};
};

class GoldenDocuments : public CollectionTest {
  protected:
    GoldenDocuments() {
        add("the cat sat on the mat");
        add("dogs run fast");
        add("cats love fish");
    }

    static constexpr Bm25Parameters golden_parameters{.k1 = 1.5, .b = 0.75};
};

TEST_F(GoldenDocuments, ScoreAsThePublishedNumbersSay) {
    const auto cat = scores("cat", golden_parameters);
    EXPECT_NEAR(cat[0], 0.800676941234, 5e-13);
    EXPECT_EQ(cat[1], 0);
    EXPECT_EQ(cat[2], 0);

    const auto fish_dogs = scores("fish dogs", golden_parameters);
    EXPECT_EQ(fish_dogs[0], 0);
    EXPECT_NEAR(fish_dogs[1], 1.105159721703, 5e-13);
    EXPECT_NEAR(fish_dogs[2], 1.105159721703, 5e-13);
}

TEST_F(GoldenDocuments, ScoreTheSameWhateverTheOrderOfTheQuery) {
    EXPECT_EQ(scores("the fast cat sat"), scores("sat cat the fast"));
}

TEST_F(GoldenDocuments, CountARepeatedQueryTokenTwice) {
    EXPECT_DOUBLE_EQ(scores("cat cat")[0], 2 * scores("cat")[0]);
}

TEST_F(GoldenDocuments, ScoreNothingForAnEmptyOrUnknownQuery) {
    EXPECT_EQ(scores(""), (std::vector<double>{0, 0, 0}));
    EXPECT_EQ(scores("zebra"), (std::vector<double>{0, 0, 0}));
}

TEST_F(GoldenDocuments, HaveTheStatisticsOneCanCount) {
    EXPECT_EQ(collection_.statistics().documents, 3U);
    EXPECT_EQ(collection_.statistics().total_length, 12U);
    EXPECT_EQ(collection_.document_frequency("the"), 1U);
    EXPECT_EQ(collection_.document_frequency("zebra"), 0U);
}

TEST_F(GoldenDocuments, NeverReachTheMostAQueryCouldScore) {
    for (const std::string_view query : {"the", "cat sat", "fish fish dogs", "the zebra"}) {
        const double most = collection_.most(words(query), golden_parameters);
        for (const double score : scores(query, golden_parameters))
            EXPECT_LT(score, most) << query;
    }
}

TEST_F(GoldenDocuments, AreLessRelevantToAQueryThatAsksForMoreThanTheyHold) {
    EXPECT_GT(collection_.most(words("cat zebra"), {}), collection_.most(words("cat"), {}));
    EXPECT_EQ(collection_.most({}, {}), 0);
}

TEST_F(CollectionTest, CountsDocumentsWithoutTokens) {
    add("");
    add("a word");
    add("");
    EXPECT_EQ(collection_.statistics().documents, 3U);
    const auto found = scores("word");
    EXPECT_EQ(found[0], 0);
    EXPECT_GT(found[1], 0);
}

TEST_F(CollectionTest, AnswersWhenItIsEmpty) {
    EXPECT_TRUE(scores("anything").empty());
    add("");
    EXPECT_EQ(scores("anything"), std::vector<double>{0});
}

TEST_F(CollectionTest, KeepsItsTermsWhenTheCallersBytesAreGone) {
    {
        std::string text = "short lived words";
        add(text);
        text.assign(text.size(), 'x');
    }
    EXPECT_GT(scores("lived")[0], 0);
    EXPECT_EQ(scores("xxxxx")[0], 0);
}

TEST_F(CollectionTest, TakesTermCountsForTheSameDocument) {
    Collection counted(std::pmr::get_default_resource());
    const TermCount terms[] = {{"to", 2}, {"be", 1}, {"or", 1}, {"not", 1}, {"be", 1}};
    counted.add(terms, 6);
    add("to be or not to be");
    double score = -1;
    counted.score(words("be to"), {}, std::span(&score, 1));
    EXPECT_EQ(score, scores("be to")[0]);
    EXPECT_EQ(counted.document_frequency("be"), 1U);
}

TEST_F(CollectionTest, TakesTheLengthThatItIsGiven) {
    Collection counted(std::pmr::get_default_resource());
    const TermCount terms[] = {{"cat", 1}, {"the", 5}};
    counted.add(terms, 1);
    counted.add(terms, 6);
    std::vector<double> found(2);
    counted.score(words("cat"), {}, found);
    EXPECT_EQ(counted.statistics().total_length, 7U);
    EXPECT_GT(found[0], found[1]);
}

// The formula written down again, naively, from counts in maps.
class NaiveScorer {
  public:
    explicit NaiveScorer(const std::vector<std::string> &texts) {
        for (const std::string &text : texts) {
            auto &counts = documents_.emplace_back();
            for (const std::string_view word : words(text)) {
                ++counts[std::string(word)];
                ++lengths_[&counts - documents_.data()];
                ++total_;
            }
            for (const auto &entry : counts)
                ++containing_[entry.first];
        }
    }

    double score(std::size_t document, std::string_view query, const Bm25Parameters &p) {
        const auto n = static_cast<double>(documents_.size());
        double sum = 0;
        for (const std::string_view word : words(query)) {
            const double f = documents_[document][std::string(word)];
            if (f > 0) {
                const double df = containing_[std::string(word)];
                const double dl = lengths_[static_cast<std::ptrdiff_t>(document)];
                sum += std::log(1 + (n - df + 0.5) / (df + 0.5)) * f * (p.k1 + 1) /
                       (f + p.k1 * (1 - p.b + p.b * dl / (total_ / n)));
            }
        }
        return sum;
    }

  private:
    std::vector<std::map<std::string, int>> documents_;
    std::map<std::ptrdiff_t, int> lengths_;
    std::map<std::string, int> containing_;
    double total_ = 0;
};

std::string random_text(std::mt19937 &random, int longest) {
    std::ostringstream text;
    const int length = std::uniform_int_distribution<>(0, longest)(random);
    for (int i = 0; i < length; ++i)
        text << 'w' << std::geometric_distribution<>(0.1)(random) << ' ';
    return text.str();
}

TEST_F(CollectionTest, AgreesWithTheFormulaOnRandomTexts) {
    const auto seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    std::vector<std::string> texts;
    for (int i = 0; i < 200; ++i) {
        texts.push_back(random_text(random, 60));
        add(texts.back());
    }
    NaiveScorer naive(texts);
    for (int i = 0; i < 50; ++i) {
        const std::string query = random_text(random, 8);
        const Bm25Parameters parameters{.k1 = 0.1 * i, .b = 0.02 * i};
        const auto found = scores(query, parameters);
        for (std::size_t d = 0; d < texts.size(); ++d) {
            ASSERT_NEAR(found[d], naive.score(d, query, parameters), 1e-9)
                << "query '" << query << "' document '" << texts[d] << "'";
        }
    }
}

} // namespace
