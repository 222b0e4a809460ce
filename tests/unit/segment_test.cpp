// What a segment gives back is what was put in: alone, on pages of any size, and merged.
#include "unit/segment_support.h"

#include "index/codec/lengths.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace memory::segment {

namespace {

std::pmr::memory_resource *memory() { return std::pmr::get_default_resource(); }

void expect_equal(Segment &segment, const std::vector<Text> &texts) {
    ASSERT_EQ(segment.documents(), texts.size());
    for (std::uint32_t ordinal = 0; ordinal < texts.size(); ++ordinal) {
        EXPECT_EQ(segment.row(ordinal), texts[ordinal].document.row);
        EXPECT_EQ(segment.length(ordinal), texts[ordinal].document.length);
        EXPECT_TRUE(segment.alive(ordinal));
    }
    const Lists lists = lists_of(texts);
    TermWalk walk(segment, memory());
    for (const auto &[term, postings] : lists) {
        ASSERT_TRUE(walk.next());
        EXPECT_EQ(walk.term(), term);
        EXPECT_EQ(walk.size(), postings.size());
        EXPECT_EQ(read(walk.list()), postings);
    }
    EXPECT_FALSE(walk.next());
}

class SegmentOf : public testing::TestWithParam<std::tuple<std::uint32_t, std::size_t>> {};

TEST_P(SegmentOf, GivesBackWhatWasPutIn) {
    const auto [count, page_bytes] = GetParam();
    std::mt19937_64 random(count);
    const std::vector<Text> texts = random_texts(random, count, count * 3);
    MemoryPages pages(page_bytes);
    const Root root = write(texts, pages);
    Segment segment(pages, root, memory());
    expect_equal(segment, texts);
}

INSTANTIATE_TEST_SUITE_P(Sizes, SegmentOf,
                         testing::Combine(testing::Values(1, 2, 110, 127, 128, 129, 1024, 1025,
                                                          5000),
                                          testing::Values(8152, 32728)));

TEST(Segment, OfADocumentWithoutTermsIsSound) {
    std::vector<Text> texts(3);
    for (std::uint16_t i = 0; i < 3; ++i)
        texts[i].document.row.tid = {7, static_cast<std::uint16_t>(i + 1)};
    MemoryPages pages;
    const Root root = write(texts, pages);
    Segment segment(pages, root, memory());
    expect_equal(segment, texts);
    PostingList list(pages, memory());
    EXPECT_FALSE(segment.find("any", list));
    EXPECT_EQ(list.size(), 0U);
}

TEST(Segment, OfAHundredDocumentsTakesOnePage) {
    std::mt19937_64 random(1);
    MemoryPages pages;
    write(random_texts(random, 100, 2000), pages);
    EXPECT_EQ(pages.pages().size(), 1U);
}

TEST(Segment, FindsATermByOpeningOnePage) {
    std::mt19937_64 random(2);
    const std::vector<Text> texts = random_texts(random, 3000, 30000);
    MemoryPages pages;
    const Root root = write(texts, pages);
    Segment segment(pages, root, memory());
    const Lists lists = lists_of(texts);
    PostingList list(pages, memory());
    for (const auto &[term, postings] : lists) {
        const std::size_t before = pages.opened();
        ASSERT_TRUE(segment.find(term, list));
        EXPECT_EQ(pages.opened(), before + 1);
        EXPECT_EQ(read(list), postings);
        EXPECT_FALSE(segment.find(term + "!", list));
    }
}

// Rows that are looked for are found, whichever they are, and each group of rows is read about
// once.
TEST(Segment, FindsRowsByTheirTids) {
    std::mt19937_64 random(5);
    const std::vector<Text> texts = random_texts(random, 5000, 100, 7, 3);
    MemoryPages pages;
    const Root root = write(texts, pages);
    for (const unsigned one_in : {1U, 2U, 40U, 2000U, 6000U}) {
        std::vector<codec::Tid> tids;
        std::vector<std::uint32_t> expected;
        for (std::uint32_t ordinal = 0; ordinal < texts.size(); ++ordinal) {
            const codec::Tid tid = texts[ordinal].document.row.tid;
            if (random() % one_in == 0) {
                tids.push_back(tid);
                expected.push_back(ordinal);
            }
            if (random() % one_in == 0)
                tids.push_back({tid.block + 1, tid.offset}); // of no row
        }
        tids.insert(tids.begin(), {0, 1});
        tids.push_back({1'000'000, 1});
        std::sort(tids.begin(), tids.end());
        Segment segment(pages, root, memory());
        const std::size_t before = pages.opened();
        std::pmr::vector<std::uint32_t> found;
        segment.append_ordinals(tids, found);
        EXPECT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end()));
        const std::size_t groups = 5000 / codec::group_rows + 1;
        EXPECT_LE(pages.opened() - before, std::min(3 * groups, 12 * tids.size())) << one_in;
    }
}

TEST(PostingList, CountsAndSeeks) {
    std::mt19937_64 random(3);
    const std::vector<Text> texts = random_texts(random, 20000, 200);
    MemoryPages pages;
    const Root root = write(texts, pages);
    Segment segment(pages, root, memory());
    PostingList list(pages, memory());
    for (const auto &[term, postings] : lists_of(texts)) {
        ASSERT_TRUE(segment.find(term, list));
        std::vector<std::uint32_t> asked;
        std::uint32_t expected = 0;
        for (std::uint32_t ordinal = 0; ordinal < texts.size();
             ordinal += static_cast<std::uint32_t>(1 + random() % 300)) {
            asked.push_back(ordinal);
            expected += texts[ordinal].counts.contains(term) ? 1 : 0;
        }
        EXPECT_EQ(list.count(asked), expected);
        for (const std::uint32_t ordinal : asked) {
            const bool found = list.seek(ordinal);
            EXPECT_EQ(found, ordinal <= postings.back().ordinal);
            if (found) {
                const auto &block = list.block();
                const auto place = std::lower_bound(postings.begin(), postings.end(), ordinal,
                                                    [](const codec::Posting &posting, auto wanted) {
                                                        return posting.ordinal < wanted;
                                                    });
                const std::span known(block.ordinals.data(), block.size);
                EXPECT_EQ(*std::lower_bound(known.begin(), known.end(), ordinal), place->ordinal);
            }
        }
    }
}

TEST(TermWalk, SeeksAcrossDictionaries) {
    std::mt19937_64 random(4);
    const std::vector<Text> texts = random_texts(random, 2000, 20000);
    MemoryPages pages;
    const Root root = write(texts, pages);
    Segment segment(pages, root, memory());
    ASSERT_GT(segment.catalogue().dictionaries(), 2U);
    const Lists lists = lists_of(texts);
    TermWalk walk(segment, memory());
    for (std::uint32_t i = 0; i < 500; ++i) {
        const std::string wanted = "w" + std::to_string(random() % 22000);
        const auto place = lists.lower_bound(wanted);
        ASSERT_EQ(walk.seek(wanted), place != lists.end());
        if (place != lists.end()) {
            EXPECT_EQ(walk.term(), place->first);
        }
    }
    EXPECT_FALSE(walk.seek("x"));
}

// Three segments whose rows interleave, of which some documents have died.
TEST(Merger, KeepsTheLivingInTheOrderOfTheirTids) {
    std::mt19937_64 random(5);
    std::vector<Text> all;
    std::vector<codec::Tid> left_out;
    std::vector<std::unique_ptr<MemoryPages>> pages;
    std::vector<std::unique_ptr<Segment>> segments;
    Merger merger(memory());
    for (std::uint32_t n = 0; n < 3; ++n) {
        const std::vector<Text> texts = random_texts(random, 700 + 900 * n, 900, n, 3);
        pages.push_back(std::make_unique<MemoryPages>());
        const Root root = write(texts, *pages.back());
        {
            Segment before(*pages.back(), root, memory());
            for (std::uint32_t ordinal = 0; ordinal < texts.size(); ++ordinal) {
                const Address table = before.catalogue().lengths(ordinal / documents_per_lengths);
                const std::uint32_t place = ordinal % documents_per_lengths;
                const std::uint64_t fate = random() % 10;
                if (fate == 1) {
                    left_out.push_back(texts[ordinal].document.row.tid);
                } else if (fate == 0) {
                    auto &page = pages.back()->pages()[table.block];
                    page[table.offset + codec::Lengths::alive_byte(place)] ^=
                        codec::Lengths::alive_bit(place);
                } else {
                    all.push_back(texts[ordinal]);
                }
            }
        }
        segments.push_back(std::make_unique<Segment>(*pages.back(), root, memory()));
    }
    std::sort(all.begin(), all.end(),
              [](const Text &a, const Text &b) { return a.document.row.tid < b.document.row.tid; });
    for (const auto &segment : segments)
        merger.add(*segment);
    std::sort(left_out.begin(), left_out.end());
    merger.arrange(left_out);
    MemoryPages merged;
    const Root root = write_segment(merger.documents(), merger, merged, memory());
    Segment segment(merged, root, memory());
    expect_equal(segment, all);
}

// Of 256 documents with one word 60 are alive. The second block of its list begins where the first
// does: the same documents again, few enough for the list of the merged segment to be short.
TEST(Merger, RefusesAListThatHasADocumentTwice) {
    std::vector<Text> texts(256);
    for (std::uint32_t i = 0; i < texts.size(); ++i) {
        texts[i].document = {{{i, 1}, 7}, 1};
        texts[i].counts["word"] = 1;
    }
    MemoryPages pages;
    const Root root = write(texts, pages);
    Address table;
    {
        const Segment sound(pages, root, memory());
        table = sound.catalogue().lengths(0);
    }
    for (std::uint32_t ordinal = 60; ordinal < texts.size(); ++ordinal) {
        pages.pages()[table.block][table.offset + codec::Lengths::alive_byte(ordinal)] &=
            static_cast<std::uint8_t>(~codec::Lengths::alive_bit(ordinal));
    }
    std::vector<std::uint8_t> &page = pages.pages()[0];
    const codec::PostingBlock first(codec::Bytes(page).subspan(page_start), 256);
    constexpr std::size_t before_first = 3; // the block's size and how many postings it has
    codec::store(page.data() + page_start + first.size() + before_first, first.first());
    Segment segment(pages, root, memory());
    Merger merger(memory());
    merger.add(segment);
    merger.arrange();
    MemoryPages merged;
    EXPECT_THROW(write_segment(merger.documents(), merger, merged, memory()), codec::Corrupt);
}

// Whatever bytes are damaged: values or Corrupt, never anything else.
TEST(Segment, DamagedIsCorruptOrWrongButNeverWorse) {
    std::mt19937_64 random(6);
    const std::vector<Text> texts = random_texts(random, 400, 300);
    MemoryPages sound;
    const Root root = write(texts, sound);
    for (int round = 0; round < 300; ++round) {
        MemoryPages pages = sound;
        for (int i = 0; i < 1 + round % 20; ++i) {
            auto &page = pages.pages()[random() % pages.pages().size()];
            page[random() % page.size()] = static_cast<std::uint8_t>(random());
        }
        try {
            Segment segment(pages, root, memory());
            for (std::uint32_t ordinal = 0; ordinal < std::min(segment.documents(), 2000U);
                 ++ordinal) {
                segment.row(ordinal);
                segment.length(ordinal);
            }
            TermWalk walk(segment, memory());
            while (walk.next())
                read(walk.list());
        } catch (const codec::Corrupt &) {
        }
    }
}

} // namespace

} // namespace memory::segment
