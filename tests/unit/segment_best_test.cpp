// The best that are found by passing over what cannot be among them are the best of all: the same
// documents in the same order with the same scores to the last bit, ties included. The parts of
// scores by term are what each term adds.
#include "unit/segment_support.h"

#include "index/segment/best.h"
#include "index/segment/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace memory::segment {

namespace {

std::pmr::memory_resource *memory() { return std::pmr::get_default_resource(); }

std::uint32_t below(std::mt19937_64 &random, std::uint32_t bound) {
    return static_cast<std::uint32_t>(random() % bound);
}

// Documents of one tenant in several segments, and what one query asks of them.
class Corpus {
  public:
    Corpus(std::mt19937_64 &random, std::uint32_t segments, std::uint32_t documents,
           std::uint32_t words)
        : random_(random), words_(words) {
        for (std::uint32_t n = 0; n < segments; ++n) {
            texts_.push_back(random_texts(random, 1 + below(random, documents), words));
            pages_.push_back(std::make_unique<MemoryPages>());
            roots_.push_back(write(texts_.back(), *pages_.back()));
            excluded_.emplace_back();
        }
    }

    std::vector<std::vector<Text>> &texts() { return texts_; }

    // Every `one_in`th document does not count.
    void exclude(std::uint32_t one_in) {
        for (std::size_t n = 0; n < texts_.size(); ++n) {
            excluded_[n].clear();
            for (std::uint32_t ordinal = 0; ordinal < texts_[n].size(); ++ordinal)
                if (random_() % one_in == 0)
                    excluded_[n].push_back(ordinal);
        }
    }

    std::vector<std::string> random_query() {
        std::vector<std::string> query;
        for (std::size_t i = 0; i < 1 + random_() % 6; ++i)
            query.push_back("w" + std::to_string(random_() % (1 + random_() % words_)));
        std::sort(query.begin(), query.end());
        query.erase(std::unique(query.begin(), query.end()), query.end());
        return query;
    }

    // The best `k` of all, and of those that can be among them.
    void search(const std::vector<std::string> &query, std::size_t k) {
        rank::Bm25 bm25({.k1 = below(random_, 30) / 10.0, .b = below(random_, 11) / 10.0},
                        {.documents = 10000, .total_length = 100000 + random_() % 300000});
        std::vector<double> weights;
        std::vector<std::uint32_t> numbers;
        for (std::uint32_t number = 0; number < query.size(); ++number) {
            weights.push_back(bm25.weight(random_() % 10000, 1 + below(random_, 2)));
            numbers.push_back(number);
        }
        bm25.settle(weights);
        rank::TermScores scores(bm25);
        const std::array conditions{Condition{numbers, nullptr}};
        Search search;
        search.weights = weights;
        search.scores = &scores;
        search.conditions = conditions;
        ASSERT_TRUE(wants_all_scored(search));
        Best all(k, memory());
        Best best(k, memory());
        for (std::uint32_t n = 0; n < texts_.size(); ++n) {
            Segment segment(*pages_[n], roots_[n], memory());
            std::pmr::vector<PostingList> lists(memory());
            for (const std::string &term : query)
                segment.find(term, lists.emplace_back(*pages_[n], memory()));
            search.lists = lists;
            search.excluded = excluded_[n];
            std::pmr::vector<Found> found(memory());
            find(segment, search, found, memory());
            for (const Found &one : found)
                all.offer({one.score, {n, one.ordinal}});
            expect_stretches(segment, search, found);
            find_best(segment, search, n, best, memory());
            expect_parts(segment, search, query, texts_[n]);
        }
        const auto expected = all.ranked();
        const auto given = best.ranked();
        ASSERT_EQ(given.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            ASSERT_EQ(given[i].score, expected[i].score) << "at place " << i << " of " << k;
            ASSERT_EQ(given[i].key, expected[i].key) << "at place " << i << " of " << k;
        }
    }

  private:
    // What is found stretch by stretch is what is found at once.
    void expect_stretches(Segment &segment, const Search &search, std::span<const Found> at_once) {
        std::pmr::vector<Found> found(memory());
        for (Stretch stretch{0, 0}; stretch.end < segment.documents();) {
            stretch = {stretch.end, stretch.end + window_documents * (1 + below(random_, 3))};
            find(segment, search, stretch, found, memory());
        }
        ASSERT_EQ(found.size(), at_once.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            ASSERT_EQ(found[i].ordinal, at_once[i].ordinal);
            ASSERT_EQ(found[i].score, at_once[i].score);
        }
    }

    // Of some documents, whether they have any of the terms or not.
    void expect_parts(Segment &segment, const Search &search, const std::vector<std::string> &query,
                      const std::vector<Text> &texts) {
        std::vector<std::uint32_t> ordinals;
        for (std::uint32_t ordinal = below(random_, 9); ordinal < texts.size();
             ordinal += 1 + below(random_, 1U << below(random_, 12)))
            ordinals.push_back(ordinal);
        std::vector<double> parts(ordinals.size() * query.size());
        read_parts(segment, search, ordinals, parts);
        for (std::size_t at = 0; at < ordinals.size(); ++at)
            for (std::size_t term = 0; term < query.size(); ++term) {
                const Text &text = texts[ordinals[at]];
                const auto count = text.counts.find(query[term]);
                const double part = count == text.counts.end()
                                        ? 0
                                        : (*search.scores)(search.weights[term], count->second,
                                                           text.document.length);
                ASSERT_EQ(parts[at * query.size() + term], part) << ordinals[at] << query[term];
            }
    }

    std::mt19937_64 &random_;
    std::uint32_t words_;
    std::vector<std::vector<Text>> texts_;
    std::vector<std::unique_ptr<MemoryPages>> pages_;
    std::vector<Root> roots_;
    std::vector<std::vector<std::uint32_t>> excluded_;
};

class BestOf : public testing::TestWithParam<std::tuple<std::uint32_t, std::uint32_t>> {};

TEST_P(BestOf, AreTheBestOfAll) {
    const auto [documents, words] = GetParam();
    std::mt19937_64 random(documents + words);
    for (std::uint32_t segments = 1; segments <= 4; ++segments) {
        Corpus corpus(random, segments, documents, words);
        for (int round = 0; round < 30; ++round) {
            if (round % 15 == 5)
                corpus.exclude(2 + below(random, 50));
            corpus.search(corpus.random_query(), 1 + random() % (1U << random() % 9));
            ASSERT_FALSE(HasFailure());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, BestOf,
                         testing::Combine(testing::Values(1, 130, 4096, 20000),
                                          testing::Values(3, 60, 3000)));

// A corpus of a few different texts: all scores are ties.
TEST(Best, OfEqualsAreThoseThatComeFirst) {
    std::mt19937_64 random(1);
    const std::vector<Text> patterns = random_texts(random, 3, 5);
    std::vector<Text> texts = random_texts(random, 9000, 5);
    for (Text &text : texts) {
        const Text &pattern = patterns[random() % patterns.size()];
        text.document.length = pattern.document.length;
        text.counts = pattern.counts;
    }
    MemoryPages pages;
    const Root root = write(texts, pages);
    Segment segment(pages, root, memory());
    for (const auto &[term, postings] : lists_of(texts)) {
        std::pmr::vector<PostingList> lists(memory());
        ASSERT_TRUE(segment.find(term, lists.emplace_back(pages, memory())));
        rank::Bm25 bm25({}, {.documents = 9000, .total_length = 180000});
        std::array<double, 1> weights{bm25.weight(postings.size(), 1)};
        bm25.settle(weights);
        rank::TermScores scores(bm25);
        const std::array<std::uint32_t, 1> numbers{0};
        const std::array conditions{Condition{numbers, nullptr}};
        Search search;
        search.lists = lists;
        search.weights = weights;
        search.scores = &scores;
        search.conditions = conditions;
        const std::size_t before = pages.opened();
        Best best(5, memory());
        find_best(segment, search, 0, best, memory());
        EXPECT_LE(pages.opened() - before, 30U); // the list is gone through, the lengths are not
        const auto ranked = best.ranked();
        ASSERT_EQ(ranked.size(), 5U);
        for (std::size_t i = 1; i < ranked.size(); ++i)
            EXPECT_TRUE(better(ranked[i - 1], ranked[i]));
        for (const codec::Posting &posting : postings) {
            const double score =
                scores(weights[0], posting.count, texts[posting.ordinal].document.length);
            const Best::Entry entry{score, {0, posting.ordinal}};
            EXPECT_FALSE(better(entry, ranked.back()) &&
                         std::none_of(ranked.begin(), ranked.end(),
                                      [&](const auto &kept) { return kept.key == entry.key; }));
        }
    }
}

// In a window of the usual width and in wide ones, few and more than are expected.
TEST(Candidates, AreThoseThatWereAddedInTheirOrder) {
    std::mt19937_64 random(7);
    for (const std::uint32_t places : {4096U, 8192U, Candidates::most_places}) {
        Candidates candidates(places, memory());
        for (const std::uint32_t count : {3U, places / 2, 100U}) {
            std::map<std::uint32_t, double> expected;
            for (std::uint32_t i = 0; i < count; ++i) {
                const std::uint32_t place = below(random, places);
                candidates.add(place).most += i;
                expected[place] += i;
            }
            const auto expect_same = [&] {
                std::map<std::uint32_t, double> given;
                std::uint32_t last = 0;
                candidates.each([&](std::uint32_t place, const Gathered &gathered) {
                    EXPECT_GE(place, last);
                    last = place;
                    given[place] = gathered.most;
                });
                EXPECT_EQ(given, expected);
            };
            expect_same();
            const std::uint32_t kept =
                candidates.keep([](const Gathered &gathered) { return gathered.most > 1; });
            std::erase_if(expected, [](const auto &one) { return one.second <= 1; });
            EXPECT_EQ(kept, expected.size());
            expect_same();
            EXPECT_EQ(candidates.find(expected.begin()->first)->most, expected.begin()->second);
            candidates.clear();
            EXPECT_EQ(candidates.find(expected.begin()->first), nullptr);
        }
    }
}

class Cancel final : public text::Interruption {
  public:
    struct Cancelled {};
    void check() override {
        if (++checks == at)
            throw Cancelled();
    }
    std::size_t checks = 0;
    std::size_t at = SIZE_MAX; // which check ends the work
};

// However many of its terms no document has.
TEST(Search, OfManyTermsEndsWhenAskedTo) {
    constexpr std::uint32_t terms = 5000;
    std::mt19937_64 random(1);
    MemoryPages pages;
    const Root root = write(random_texts(random, 9000, 60), pages);
    Segment segment(pages, root, memory());
    std::pmr::vector<PostingList> lists(memory());
    std::vector<double> weights(terms, 1);
    std::vector<std::uint32_t> numbers(terms);
    for (std::uint32_t term = 0; term < terms; ++term) {
        segment.find("w" + std::to_string(term), lists.emplace_back(pages, memory()));
        numbers[term] = term;
    }
    rank::Bm25 bm25({}, {.documents = 9000, .total_length = 180000});
    bm25.settle(weights);
    rank::TermScores scores(bm25);
    Cancel cancel;
    // One of all, and of each the first with all others: terms and conditions each cost something.
    std::vector<Condition> conditions{{numbers, nullptr}};
    Search search;
    search.lists = lists;
    search.weights = weights;
    search.scores = &scores;
    search.conditions = conditions;
    search.interruption = &cancel;
    std::pmr::vector<Found> found(memory());
    find(segment, search, found, memory());
    const std::size_t by_terms = cancel.checks;
    EXPECT_GE(by_terms, 6U);
    Best best(5, memory());
    cancel.checks = 0;
    find_best(segment, search, 0, best, memory());
    EXPECT_GE(cancel.checks, 2U);
    conditions.resize(terms, {std::span(numbers).first(1), nullptr});
    search.conditions = conditions;
    cancel.checks = 0;
    find(segment, search, found, memory());
    EXPECT_GE(cancel.checks, by_terms + 6);
    cancel.at = 3;
    cancel.checks = 0;
    EXPECT_THROW(find(segment, search, found, memory()), Cancel::Cancelled);
}

TEST(Best, AreNotLookedForWhereAScoreIsNotAll) {
    const std::array<double, 3> weights{1, 0, 2};
    const std::array<std::uint32_t, 2> scored{0, 2};
    const std::array<std::uint32_t, 2> some{0, 1};
    Search search;
    search.weights = weights;
    std::array conditions{Condition{scored, nullptr}};
    search.conditions = conditions;
    EXPECT_TRUE(wants_all_scored(search));
    conditions[0].any_of = some;
    EXPECT_FALSE(wants_all_scored(search));
}

} // namespace

} // namespace memory::segment
