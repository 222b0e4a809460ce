#include "index/codec/record.h"
#include "unit/codec_support.h"

#include <algorithm>

namespace {

using namespace codec_test;
using namespace memory::codec;

using Counts = std::map<std::string, std::uint32_t>;

struct Sample {
    Document document;
    Counts counts;
};

Counts random_counts(Random &random, std::size_t terms) {
    Counts counts;
    for (const std::string &term : random_terms(random, terms))
        counts[term] = one_in(random, 3) ? std::max(1U, any_number(random)) : 1;
    return counts;
}

Sample random_sample(Random &random, std::size_t most_terms) {
    return {.document = {.tid = {.block = any_number(random) & 0xFFFFFFFE,
                                 .offset = static_cast<std::uint16_t>(1 + below(random, 0xFFFF))},
                         .length = any_number(random, 31),
                         .fingerprint = static_cast<std::uint32_t>(random())},
            .counts = random_counts(random, below(random, most_terms))};
}

std::vector<TermCount> as_terms(const Counts &counts) {
    std::vector<TermCount> terms;
    for (const auto &[term, count] : counts)
        terms.push_back({term, count});
    return terms;
}

void append(ByteBuffer &buffer, const Sample &sample) {
    const auto terms = as_terms(sample.counts);
    ASSERT_EQ(append_record(buffer, sample.document, terms, false, max_record_bytes), terms.size());
}

Counts read_counts(const Record &record) {
    Counts counts;
    RecordTerms terms(record);
    while (const auto term = terms.next())
        EXPECT_TRUE(counts.emplace(term->term, term->count).second);
    return counts;
}

void expect_document(const Record &record, const Document &document) {
    EXPECT_EQ(record.document.tid, document.tid);
    EXPECT_EQ(record.document.length, document.length);
    EXPECT_EQ(record.document.fingerprint, document.fingerprint);
}

TEST(Record, HasTheBytesOfItsFormat) {
    ByteBuffer buffer = new_buffer();
    const TermCount terms[] = {{"cat", 1}, {"catalogue", 300}, {"dog", 2}};
    append_record(buffer,
                  {.tid = {.block = 300, .offset = 7}, .length = 303, .fingerprint = 0x0A0B0C0D},
                  terms, false, max_record_bytes);
    EXPECT_EQ(copy(buffer), from_hex("1E00 0D0C0B0A AC02 07 DE04 03"
                                     "02 636174"
                                     "B5 616C6F677565 AA02"
                                     "82 646F67 00"));
}

TEST(Record, EscapesLongPrefixesAndSuffixes) {
    ByteBuffer buffer = new_buffer();
    const std::string seven(7, 'x');
    const TermCount terms[] = {{seven, 1}, {"xxxxxxxyyyyyyyyyyyyyyyy", 1}};
    append_record(buffer, {.tid = {.block = 0, .offset = 1}, .length = 0, .fingerprint = 0}, terms,
                  true, max_record_bytes);
    EXPECT_EQ(copy(buffer), from_hex("2500 00000000 00 01 01 02"
                                     "06 78787878787878"
                                     "7F 00 00 79797979797979797979797979797979"));
}

TEST(Record, IsReadAsItWasWritten) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 50; ++round) {
        ByteBuffer buffer = new_buffer();
        std::vector<Sample> samples(below(random, 20));
        for (Sample &sample : samples) {
            sample = random_sample(random, 60);
            append(buffer, sample);
        }
        const std::vector<std::uint8_t> exact = copy(buffer);
        RecordReader reader(exact);
        for (const Sample &sample : samples) {
            const auto record = reader.next();
            ASSERT_TRUE(record);
            EXPECT_FALSE(record->dead);
            EXPECT_FALSE(record->continued);
            expect_document(*record, sample.document);
            ASSERT_EQ(read_counts(*record), sample.counts);
        }
        EXPECT_FALSE(reader.next());
    }
}

TEST(Record, TooLargeForItsPageGoesOnInFragments) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (const std::size_t limit : {300U, 1000U, 8000U, 32767U}) {
        const Sample sample{
            .document = {.tid = {.block = 5, .offset = 6}, .length = 70000, .fingerprint = 1},
            .counts = random_counts(random, 3000)};
        const auto terms = as_terms(sample.counts);
        ByteBuffer buffer = new_buffer();
        for (std::size_t done = 0; done < terms.size();) {
            const std::size_t before = buffer.size();
            const std::size_t taken = append_record(
                buffer, sample.document, std::span(terms).subspan(done), done > 0, limit);
            ASSERT_GT(taken, 0U);
            ASSERT_LE(buffer.size() - before, limit);
            done += taken;
        }
        Counts counts;
        RecordReader reader(buffer);
        for (bool first = true; const auto fragment = reader.next(); first = false) {
            EXPECT_EQ(fragment->continued, !first);
            expect_document(*fragment, sample.document);
            counts.merge(read_counts(*fragment));
        }
        EXPECT_EQ(counts, sample.counts) << limit;
    }
}

TEST(Record, TakesNoMoreThanItsLimitAndAllThatFits) {
    const TermCount terms[] = {{"aa", 1}, {"bb", 1}, {"cc", 1}};
    const Document document{.tid = {.block = 1, .offset = 1}, .length = 3, .fingerprint = 0};
    ByteBuffer whole = new_buffer();
    append_record(whole, document, terms, false, 300);
    for (const auto &[limit, taken] : {std::pair{whole.size(), 3U}, {whole.size() - 1, 2U}}) {
        ByteBuffer buffer = new_buffer();
        EXPECT_EQ(append_record(buffer, document, terms, false, limit), taken);
        EXPECT_LE(buffer.size(), limit);
    }
}

TEST(Record, WithoutTermsIsADocumentAllTheSame) {
    ByteBuffer buffer = new_buffer();
    append_record(buffer, {.tid = {.block = 1, .offset = 2}, .length = 0, .fingerprint = 3}, {},
                  false, 300);
    RecordReader reader(buffer);
    const auto record = reader.next();
    ASSERT_TRUE(record);
    EXPECT_EQ(record->terms, 0U);
    EXPECT_TRUE(read_counts(*record).empty());
}

TEST(Record, IsMarkedDeadInPlace) {
    Random random(1);
    ByteBuffer buffer = new_buffer();
    std::vector<Sample> samples(3);
    for (Sample &sample : samples) {
        sample = random_sample(random, 20);
        append(buffer, sample);
    }
    RecordReader positions(buffer);
    positions.next();
    const std::size_t second = positions.next()->position;
    const std::vector<std::uint8_t> before = copy(buffer);
    mark_dead(buffer.data() + second);

    int changed = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
        changed += before[i] != buffer[i] ? 1 : 0;
    EXPECT_EQ(changed, 1);
    RecordReader reader(buffer);
    EXPECT_FALSE(reader.next()->dead);
    const auto dead = reader.next();
    EXPECT_TRUE(dead->dead);
    expect_document(*dead, samples[1].document);
    EXPECT_EQ(read_counts(*dead), samples[1].counts);
    EXPECT_FALSE(reader.next()->dead);
}

// Terms of the document, near misses of them, and others.
std::set<std::string> random_targets(Random &random, const Counts &counts) {
    std::set<std::string> targets = random_terms(random, below(random, 6));
    for (const auto &[term, count] : counts) {
        if (one_in(random, 4))
            targets.insert(term);
        if (one_in(random, 6))
            targets.insert(term + static_cast<char>(random()));
        if (one_in(random, 6) && term.size() > 1)
            targets.insert(term.substr(0, below(random, term.size() - 1) + 1));
    }
    return targets;
}

TEST(Match, FindsExactlyTheTermsThatTheRecordHas) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 2000; ++round) {
        const Sample sample = random_sample(random, 40);
        ByteBuffer buffer = new_buffer();
        append(buffer, sample);
        const std::set<std::string> wanted = random_targets(random, sample.counts);
        const std::vector<std::string_view> terms(wanted.begin(), wanted.end());
        const TermSet set(terms, std::pmr::get_default_resource());
        std::vector<Match> matches(terms.size());
        const std::vector<std::uint8_t> exact = copy(buffer);
        matches.resize(match(*RecordReader(exact).next(), set, matches));

        std::vector<std::pair<std::string_view, std::uint32_t>> expected;
        for (const std::string_view term : terms)
            if (const auto found = sample.counts.find(std::string(term));
                found != sample.counts.end())
                expected.emplace_back(term, found->second);
        ASSERT_EQ(matches.size(), expected.size());
        for (std::size_t i = 0; i < matches.size(); ++i) {
            ASSERT_EQ(terms[matches[i].target], expected[i].first);
            ASSERT_EQ(matches[i].count, expected[i].second);
        }
    }
}

TEST(Match, OfNoTermsFindsNothing) {
    Random random(2);
    ByteBuffer buffer = new_buffer();
    append(buffer, random_sample(random, 20));
    const TermSet none({}, std::pmr::get_default_resource());
    EXPECT_EQ(match(*RecordReader(buffer).next(), none, {}), 0U);
}

TEST(Record, DamagedIsRefusedOrReadWithinItsBytes) {
    const auto seed = new_seed();
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 20; ++round) {
        ByteBuffer buffer = new_buffer();
        for (int i = 0; i < 4; ++i)
            append(buffer, random_sample(random, 12));
        const std::vector<std::string_view> terms = {"a", "aa", "abc", "b", "bcd", "f"};
        const TermSet set(terms, std::pmr::get_default_resource());
        damage(buffer, random, 500, [&](Bytes damaged) {
            std::vector<Match> matches(terms.size());
            RecordReader reader(damaged);
            std::size_t end = 0;
            while (const auto record = reader.next()) {
                ASSERT_GE(record->position, end);
                end = record->position + 1;
                ASSERT_LE(match(*record, set, matches), terms.size());
                RecordTerms all(*record);
                while (all.next()) {
                }
            }
        });
    }
}

TEST(Record, OfNoSizeIsCorruptNotEndless) {
    const std::vector<std::uint8_t> zeros(20, 0);
    RecordReader reader(zeros);
    EXPECT_THROW(reader.next(), Corrupt);
}

} // namespace
