#include "index/codec/dictionary.h"
#include "index/codec/separators.h"
#include "unit/codec_support.h"

#include <algorithm>

namespace {

using namespace codec_test;
using namespace memory::codec;

// A term's postings, or where they are.
struct Entry {
    std::vector<Posting> postings;
    std::uint32_t long_postings = 0;
    std::uint64_t address = 0;
};

struct Segment {
    std::uint32_t documents = 0;
    std::map<std::string, Entry> terms;
};

Segment random_segment(Random &random, std::size_t terms) {
    Segment segment;
    segment.documents = std::max(200U, any_number(random, one_in(random, 2) ? 32 : 12));
    for (const std::string &term : random_terms(random, terms)) {
        Entry &entry = segment.terms[term];
        if (one_in(random, 20)) {
            entry.long_postings =
                block_postings + static_cast<std::uint32_t>(below(random, segment.documents - 128));
            entry.address = random() >> (64 - address_bits);
            continue;
        }
        std::set<std::uint32_t> ordinals;
        for (std::size_t left = 1 + below(random, one_in(random, 9) ? 127 : 3); left > 0; --left)
            ordinals.insert(static_cast<std::uint32_t>(below(random, segment.documents)));
        for (const std::uint32_t ordinal : ordinals)
            entry.postings.push_back({ordinal, 1 + any_number(random, 4)});
    }
    return segment;
}

bool add(DictionaryWriter &writer, const std::string &term, const Entry &entry) {
    return entry.long_postings > 0 ? writer.add(term, entry.long_postings, entry.address)
                                   : writer.add(term, entry.postings);
}

struct Written {
    std::vector<std::vector<std::uint8_t>> dictionaries;
    std::vector<std::string> separators;
};

Written write(const Segment &segment, std::size_t capacity) {
    SymbolCounts counts{};
    for (const auto &[term, entry] : segment.terms)
        count_symbols(term, counts);
    const PrefixEncoder code(counts);
    DictionaryWriter writer(code, segment.documents, capacity, std::pmr::get_default_resource());
    Written written;
    const auto finish = [&] {
        ByteBuffer buffer = new_buffer();
        writer.finish(buffer);
        EXPECT_LE(buffer.size(), capacity);
        written.dictionaries.push_back(copy(buffer));
    };
    std::string last;
    for (const auto &[term, entry] : segment.terms) {
        if (!add(writer, term, entry)) {
            finish();
            written.separators.emplace_back(separator(last, term));
            EXPECT_TRUE(add(writer, term, entry)) << "an empty dictionary has room for any term";
        }
        last = term;
    }
    finish();
    return written;
}

void expect_entry(const DictionaryCursor &cursor, const Entry &entry) {
    if (entry.long_postings > 0) {
        ASSERT_FALSE(cursor.is_short());
        ASSERT_EQ(cursor.postings(), entry.long_postings);
        ASSERT_EQ(cursor.address(), entry.address);
        return;
    }
    ASSERT_TRUE(cursor.is_short());
    ASSERT_EQ(cursor.postings(), entry.postings.size());
    PostingBuffer found;
    cursor.read(found);
    ASSERT_EQ(found.size, entry.postings.size());
    for (std::uint32_t i = 0; i < found.size; ++i)
        ASSERT_EQ((Posting{found.ordinals[i], found.counts[i]}), entry.postings[i]);
}

TEST(Dictionary, HasTheBytesOfItsFormat) {
    SymbolCounts counts{};
    counts['a'] = 2;
    counts['b'] = 1;
    counts[end_mark] = 1; // a: 0, b: 10, end: 11
    const PrefixEncoder code(counts);
    DictionaryWriter writer(code, 8, 4096, std::pmr::get_default_resource());
    const Posting one[] = {{5, 1}};
    const Posting two[] = {{0, 2}, {7, 1}};
    ASSERT_TRUE(writer.add("ab", one));
    ASSERT_TRUE(writer.add("abaa", two));
    ByteBuffer buffer = new_buffer();
    writer.finish(buffer);
    // ab: 0 10 11; one posting: 1; ordinal: 101; count: 1
    // shares 2: 01 0; aa: 0 0 11; two postings: 010; gap 0: 1 0; count 2: 010; gap 6: 0001 0; 1
    EXPECT_EQ(copy(buffer), from_hex("08000000 0200"
                                     "02 01 02 02 61 62"
                                     "0E00"
                                     "5E D1 A9 0A"));
}

TEST(Dictionary, IsReadAsItWasWritten) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 40; ++round) {
        const Segment segment = random_segment(random, 1 + below(random, 1500));
        const Written written = write(segment, 4096 + below(random, 30000));
        auto expected = segment.terms.begin();
        for (const auto &bytes : written.dictionaries) {
            const Dictionary dictionary(bytes);
            ASSERT_EQ(dictionary.documents(), segment.documents);
            DictionaryCursor cursor(dictionary);
            for (std::size_t i = 0; i < dictionary.terms(); ++i, ++expected) {
                ASSERT_TRUE(cursor.next());
                ASSERT_EQ(cursor.term(), expected->first);
                expect_entry(cursor, expected->second);
            }
            ASSERT_FALSE(cursor.next());
        }
        ASSERT_EQ(expected, segment.terms.end());
    }
}

TEST(Dictionary, FindsWhatItHoldsAndTheNextTermOtherwise) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 20; ++round) {
        const Segment segment = random_segment(random, 1 + below(random, 300));
        const Written written = write(segment, UINT16_MAX);
        ASSERT_EQ(written.dictionaries.size(), 1U);
        const Dictionary dictionary(written.dictionaries[0]);
        DictionaryCursor cursor(dictionary);
        auto targets = random_terms(random, 300);
        for (const auto &[term, entry] : segment.terms)
            targets.insert(term);
        targets.insert("");
        for (const std::string &target : targets) {
            const auto expected = segment.terms.lower_bound(target);
            ASSERT_EQ(cursor.seek(target), expected != segment.terms.end());
            if (expected != segment.terms.end()) {
                ASSERT_EQ(cursor.term(), expected->first);
                expect_entry(cursor, expected->second);
            }
            ASSERT_EQ(cursor.find(target), segment.terms.contains(target));
        }
    }
}

TEST(Dictionary, GoesOnFromWhereItWasSought) {
    Random random(6);
    const Segment segment = random_segment(random, 200);
    const Written written = write(segment, UINT16_MAX);
    const Dictionary dictionary(written.dictionaries[0]);
    DictionaryCursor cursor(dictionary);
    for (auto from = segment.terms.begin(); from != segment.terms.end(); ++from) {
        ASSERT_TRUE(cursor.seek(from->first));
        for (auto expected = std::next(from); expected != segment.terms.end(); ++expected) {
            ASSERT_TRUE(cursor.next());
            ASSERT_EQ(cursor.term(), expected->first);
        }
        ASSERT_FALSE(cursor.next());
    }
}

TEST(Dictionary, DamagedIsRefusedOrReadWithinItsBytes) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 6; ++round) {
        const Segment segment = random_segment(random, 1 + below(random, 60));
        const Written written = write(segment, UINT16_MAX);
        damage(written.dictionaries[0], random, 2000, [&](Bytes damaged) {
            const Dictionary dictionary(damaged);
            DictionaryCursor cursor(dictionary);
            std::size_t steps = 0;
            for (bool there = cursor.seek("abc"); there; there = cursor.next()) {
                ASSERT_LE(++steps, 0xFFFFU);
                ASSERT_LE(cursor.term().size(), longest_term);
                if (!cursor.is_short()) {
                    cursor.address();
                    continue;
                }
                PostingBuffer found;
                cursor.read(found);
                for (std::uint32_t i = 0; i < found.size; ++i)
                    ASSERT_LT(found.ordinals[i], dictionary.documents());
            }
        });
    }
}

// --- separators -----------------------------------------------------------------------------

TEST(Separator, IsTheShortestFrontAboveWhatPrecedes) {
    EXPECT_EQ(separator("apple", "banana"), "b");
    EXPECT_EQ(separator("bar", "barn"), "barn");
    EXPECT_EQ(separator("barbara", "barn"), "barn");
    EXPECT_EQ(separator("", "x"), "x");
}

TEST(Separators, LeadToTheDictionaryThatHoldsATerm) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 10; ++round) {
        const Segment segment = random_segment(random, 3000);
        const Written written = write(segment, 4096);
        ASSERT_GT(written.dictionaries.size(), 1U);
        ByteBuffer buffer = new_buffer();
        const std::vector<std::string_view> views(written.separators.begin(),
                                                  written.separators.end());
        append_separators(buffer, views);
        const auto exact = copy(buffer);
        const Separators separators(exact);
        EXPECT_EQ(separators.size(), views.size());
        for (const auto &[term, entry] : segment.terms) {
            const Dictionary dictionary(written.dictionaries.at(separators.find(term)));
            DictionaryCursor cursor(dictionary);
            ASSERT_TRUE(cursor.find(term)) << term;
        }
    }
}

TEST(Separators, OfNothingLeadToTheOnlyDictionary) {
    ByteBuffer buffer = new_buffer();
    append_separators(buffer, {});
    EXPECT_EQ(Separators(buffer).find("anything"), 0U);
}

TEST(Separators, DamagedAreRefusedOrReadWithinTheirBytes) {
    Random random(new_seed());
    const std::vector<std::string_view> views = {"b", "be", "c", "d", "long separator", "z"};
    ByteBuffer buffer = new_buffer();
    append_separators(buffer, views);
    damage(buffer, random, 2000, [&](Bytes damaged) {
        const Separators separators(damaged);
        for (const std::string_view term : {"", "a", "bd", "long", "zzz"})
            ASSERT_LE(separators.find(term), separators.size());
    });
}

} // namespace
