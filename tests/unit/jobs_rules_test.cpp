#include "jobs/rules/backoff.h"
#include "jobs/rules/claim.h"
#include "jobs/rules/shares.h"

#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <memory_resource>
#include <random>
#include <vector>

namespace {

using namespace memory::jobs::rules;

std::string text_of(const Claim &claim) {
    return std::string(written(claim, std::pmr::get_default_resource()));
}

Claim any_claim(std::mt19937_64 &random) {
    Claim claim{static_cast<Task>(random() % task_words.size()),
                static_cast<std::int64_t>(random()),
                {},
                random()};
    for (std::uint8_t &byte : claim.target)
        byte = static_cast<std::uint8_t>(random());
    return claim;
}

TEST(Claim, IsWrittenAsItsCommentSays) {
    Claim claim{Task::embed, 0x0002e0c5f3a91b40, {}, 0x9f86d081884c7d65};
    claim.target = {0x01, 0x90, 0xa4, 0xc2, 0xd1, 0xe8, 0x7b, 0x3f,
                    0x8c, 0x5d, 0x2e, 0x6f, 0x7a, 0x8b, 0x9c, 0x0d};
    EXPECT_EQ(text_of(claim),
              "embed-0002e0c5f3a91b40-0190a4c2d1e87b3f8c5d2e6f7a8b9c0d-9f86d081884c7d65");
}

TEST(Claim, ComesBackAsItWas) {
    std::mt19937_64 random(20);
    for (int n = 0; n < 10000; ++n) {
        const Claim claim = any_claim(random);
        const std::string text = text_of(claim);
        EXPECT_LE(text.size(), longest_claim);
        EXPECT_EQ(read_claim(text), claim);
    }
}

TEST(Claim, IsRefusedWithAnyOtherCharacter) {
    std::mt19937_64 random(21);
    const Claim claim = any_claim(random);
    const std::string text = text_of(claim);
    for (std::size_t place = 0; place < text.size(); ++place)
        for (int byte = 0; byte < 256; ++byte) {
            std::string other = text;
            other[place] = static_cast<char>(byte);
            const std::optional<Claim> read = read_claim(other);
            EXPECT_TRUE(!read || text_of(*read) == other) << other;
        }
}

TEST(Claim, IsRefusedWhenItIsShorterOrLonger) {
    std::mt19937_64 random(22);
    const std::string text = text_of(any_claim(random));
    for (std::size_t size = 0; size < text.size(); ++size)
        EXPECT_FALSE(read_claim(std::string_view(text).substr(0, size)));
    EXPECT_FALSE(read_claim(text + "0"));
    EXPECT_FALSE(read_claim(" " + text));
    EXPECT_FALSE(read_claim(""));
    EXPECT_FALSE(read_claim("dream" + text.substr(text.find('-'))));
}

TEST(Backoff, DoublesUpToAnHour) {
    EXPECT_EQ(seconds_after(1), 2);
    EXPECT_EQ(seconds_after(2), 4);
    EXPECT_EQ(seconds_after(7), 128);
    EXPECT_EQ(seconds_after(11), 2048);
    EXPECT_EQ(seconds_after(12), 3600);
    EXPECT_EQ(seconds_after(std::numeric_limits<std::int32_t>::max()), 3600);
    EXPECT_EQ(seconds_after(-1), 1);
}

// What share() takes of queues of these lengths, of which every third job is void.
std::map<Task, std::int64_t> shared(std::map<Task, std::int64_t> queued, std::int64_t wanted,
                                    bool with_void = false) {
    std::vector<Task> tasks;
    for (const auto &[task, length] : queued)
        tasks.push_back(task);
    std::map<Task, std::int64_t> handed;
    share(tasks, wanted, [&](Task task, std::int64_t most) {
        const std::int64_t looked = std::min(most, queued[task]);
        queued[task] -= looked;
        const std::int64_t handed_out = with_void ? looked - looked / 3 : looked;
        handed[task] += handed_out;
        return Taken{looked, handed_out};
    });
    return handed;
}

TEST(Shares, AreEvenWhereAllHaveEnough) {
    const auto handed =
        shared({{Task::embed, 100}, {Task::extract, 100}, {Task::profile, 100}}, 16);
    EXPECT_EQ(handed.at(Task::embed), 6);
    EXPECT_EQ(handed.at(Task::extract), 5);
    EXPECT_EQ(handed.at(Task::profile), 5);
}

TEST(Shares, WhatOneHasNotGoesToTheOthers) {
    const auto handed = shared({{Task::embed, 100}, {Task::extract, 1}, {Task::profile, 0}}, 16);
    EXPECT_EQ(handed.at(Task::embed), 15);
    EXPECT_EQ(handed.at(Task::extract), 1);
}

TEST(Shares, EndWhenNothingIsLeft) {
    const auto handed = shared({{Task::embed, 3}, {Task::extract, 2}}, 16);
    EXPECT_EQ(handed.at(Task::embed), 3);
    EXPECT_EQ(handed.at(Task::extract), 2);
}

TEST(Shares, JobsThatAreVoidDoNotCount) {
    const auto handed = shared({{Task::embed, 100}, {Task::extract, 100}}, 16, true);
    EXPECT_EQ(handed.at(Task::embed) + handed.at(Task::extract), 16);
}

} // namespace
