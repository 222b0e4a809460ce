// Deltas: what is written is read back through chains of any length, wherever the changes are; what
// is damaged is refused; long work asks whether to go on.
#include "checkpoints/delta/checksum.h"
#include "checkpoints/delta/delta.h"

#include <gtest/gtest.h>
#include <random>
#include <string>

namespace {

using namespace memory;
using codec::as_bytes;
using delta::Delta;
using Random = std::mt19937_64;

std::size_t below(Random &random, std::size_t limit) { return random() % limit; }

std::string random_text(Random &random, std::size_t size, unsigned letters = 26) {
    std::string text(size, ' ');
    for (char &byte : text)
        byte = static_cast<char>('a' + random() % letters);
    return text;
}

std::string delta_of(std::string_view base, std::string_view target) {
    codec::ByteBuffer buffer;
    delta::write(as_bytes(base), as_bytes(target), buffer, text::Interruption::none());
    return {buffer.begin(), buffer.end()};
}

std::string restored(std::string_view keyframe, const std::vector<std::string> &chain,
                     text::Interruption &interruption = text::Interruption::none()) {
    std::vector<Delta> deltas;
    for (const std::string &written : chain)
        deltas.emplace_back(as_bytes(written));
    std::string to(deltas.empty() ? keyframe.size() : deltas.back().target_size(), '?');
    delta::restore(as_bytes(keyframe), deltas,
                   {reinterpret_cast<std::uint8_t *>(to.data()), to.size()},
                   std::pmr::get_default_resource(), interruption);
    return to;
}

// Replaces, inserts, deletes, moves or repeats a part.
std::string changed(Random &random, std::string state, unsigned letters) {
    const std::size_t at = below(random, state.size() + 1);
    const std::size_t size = below(random, std::min<std::size_t>(200, state.size() - at) + 1);
    switch (below(random, 5)) {
    case 0:
        return state.replace(at, size, random_text(random, size, letters));
    case 1:
        return state.insert(at, random_text(random, size, letters));
    case 2:
        return state.erase(at, size);
    case 3: {
        const std::string part = state.substr(at, size);
        state.erase(at, size);
        return state.insert(below(random, state.size() + 1), part);
    }
    default:
        return state.insert(below(random, state.size() + 1), state.substr(at, size));
    }
}

TEST(Delta, ChainsOfAnyChangesAreReadBack) {
    Random random(1);
    for (int round = 0; round < 300; ++round) {
        const unsigned letters = round % 3 == 0 ? 2 : 26; // few letters: what repeats is everywhere
        const std::string keyframe = random_text(random, below(random, 3000), letters);
        std::string state = keyframe;
        std::vector<std::string> chain;
        const std::size_t steps = below(random, 40);
        for (std::size_t step = 0; step < steps; ++step) {
            std::string next = state;
            for (std::size_t edits = below(random, 6); edits > 0; --edits)
                next = changed(random, std::move(next), letters);
            if (below(random, 20) == 0)
                next = random_text(random, below(random, 3000), letters);
            if (below(random, 20) == 0)
                next.clear();
            chain.push_back(delta_of(state, next));
            state = std::move(next);
            ASSERT_EQ(restored(keyframe, chain), state) << "round " << round << " step " << step;
        }
    }
}

TEST(Delta, SmallCasesAreReadBack) {
    for (const char *base : {"", "a", "abcdefgh", "abcdefghijklmnop", "abcdefghijklmnopq"})
        for (const char *target :
             {"", "a", "b", "abcdefgh", "xabcdefghijklmnop", "abcdefghijklmno"})
            EXPECT_EQ(restored(base, {delta_of(base, target)}), target) << base << " " << target;
}

// The example of docs/checkpoints.md.
TEST(Delta, IsWrittenAsThePageSays) {
    EXPECT_EQ(delta_of(R"({"step": 41, "done": false})", R"({"step": 42, "done": false})"),
              std::string("\x01\x1b\x1b\x15\x00\x02\x32\x21\x00", 9));
}

// One head and one copy, however long the state is.
TEST(Delta, WhatIsTheSameCostsNothing) {
    Random random(2);
    const std::string state = random_text(random, 1'000'000);
    EXPECT_LE(delta_of(state, state).size(), 13U);
}

// In the middle of 1 MB, and moved: what changed and a few bytes beside it.
TEST(Delta, WhatChangesCostsWhatChanged) {
    Random random(3);
    const std::string state = random_text(random, 1'000'000);
    std::string next = state;
    next.replace(500'000, 10'000, random_text(random, 10'000));
    EXPECT_LE(delta_of(state, next).size(), 10'030U);
    next = state;
    for (std::size_t at = 5'000; at < next.size(); at += 10'000)
        next.replace(at, 100, random_text(random, 100 + at % 7));
    EXPECT_LE(delta_of(state, next).size(), 100U * (103 + 8) + 20);
    next = state.substr(600'000) + state.substr(0, 600'000);
    EXPECT_LE(delta_of(state, next).size(), 30U);
    next = state + random_text(random, 1'200);
    EXPECT_LE(delta_of(state, next).size(), 1'225U);
}

// Words replaced by longer and shorter ones: the new words, an insert and a copy each, and one byte
// for the difference.
TEST(Delta, ReplacementsOfOtherLengthsCostTheirBytes) {
    Random random(6);
    std::string state = random_text(random, 1'000'000);
    std::string next = state;
    std::size_t inserted = 0;
    for (std::size_t at = 1'000; at + 1'000 < next.size(); at += 1'000) {
        const std::string word = random_text(random, 4 + below(random, 9));
        inserted += word.size();
        next.replace(at, 4 + below(random, 9), word);
    }
    const std::string delta = delta_of(state, next);
    EXPECT_LE(delta.size(), inserted + 998U * 4 + 20);
    EXPECT_EQ(restored(state, {delta}), next);
}

// Pieces that come from everywhere, in no order, and many times from one place.
TEST(Delta, WhatIsMovedAndRepeatedIsReadBack) {
    Random random(7);
    const std::string keyframe = random_text(random, 20'000);
    std::string state = keyframe;
    std::vector<std::string> chain;
    for (int step = 0; step < 20; ++step) {
        std::string next;
        while (next.size() < 40'000)
            next += state.substr(below(random, state.size()), below(random, 300));
        chain.push_back(delta_of(state, next));
        state = std::move(next);
        ASSERT_EQ(restored(keyframe, chain), state) << "step " << step;
    }
}

// Whatever is turned around in a delta, reading it ends within its bounds: it is refused, or makes
// as many bytes as it says.
TEST(Delta, DamageIsRefusedOrStaysWithinBounds) {
    Random random(4);
    const std::string base = random_text(random, 2'000);
    std::string target = base;
    for (int i = 0; i < 20; ++i)
        target = changed(random, std::move(target), 26);
    const std::string good = delta_of(base, target);
    std::size_t refused = 0;
    for (int round = 0; round < 5'000; ++round) {
        std::string bad = good;
        bad[below(random, bad.size())] ^= static_cast<char>(1 << below(random, 8));
        if (below(random, 4) == 0)
            bad.resize(below(random, bad.size()));
        try {
            (void)restored(base, {bad});
        } catch (const codec::Corrupt &) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 1'000U);
    EXPECT_THROW((void)restored(base + "x", {good}), codec::Corrupt); // against another version
    EXPECT_THROW((void)restored(base, {good + "x"}), codec::Corrupt);
    EXPECT_THROW((void)restored(base, {good, good}), codec::Corrupt);
    EXPECT_THROW((void)restored(base, {""}), codec::Corrupt);
}

struct Cancelled {};

class Counting final : public text::Interruption {
  public:
    void check() override {
        if (++checks == last)
            throw Cancelled();
    }
    std::size_t checks = 0;
    std::size_t last = SIZE_MAX;
};

TEST(Delta, LongWorkAsks) {
    Random random(5);
    const std::string state = random_text(random, 4 << 20);
    std::string other = random_text(random, 4 << 20);
    for (const std::string *target : {&state, &std::as_const(other)}) {
        Counting counting;
        codec::ByteBuffer buffer;
        delta::write(as_bytes(state), as_bytes(*target), buffer, counting);
        EXPECT_GE(counting.checks, std::size_t{4 << 20} / (256 << 10));
        Counting reading;
        EXPECT_EQ(restored(state, {std::string(buffer.begin(), buffer.end())}, reading), *target);
        EXPECT_GE(reading.checks, std::size_t{4 << 20} / (256 << 10));
        Counting ended;
        ended.last = 3;
        EXPECT_THROW(delta::write(as_bytes(state), as_bytes(*target), buffer, ended), Cancelled);
    }
}

std::uint64_t checksum(std::string_view text) {
    return delta::checksum(as_bytes(text), text::Interruption::none());
}

// The numbers that the specification of XXH64 and its programs give.
TEST(Checksum, IsXxh64) {
    EXPECT_EQ(checksum(""), 0xEF46DB3751D8E999U);
    EXPECT_EQ(checksum("a"), 0xD24EC4F1A98C6E5BU);
    EXPECT_EQ(checksum("abc"), 0x44BC2CF5AD770999U);
    EXPECT_EQ(checksum("Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1U);
}

TEST(Checksum, OfMuchAsks) {
    const std::string much(4 << 20, 'x');
    Counting counting;
    EXPECT_EQ(delta::checksum(as_bytes(much), counting), checksum(much));
    EXPECT_GE(counting.checks, much.size() / (256 << 10));
}

} // namespace
