// The arithmetic of valid time: the cases of the contract by name, and random histories against a
// model that knows no intervals, only who holds at each point.
#include "facts/algebra/line.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <random>

#include <gtest/gtest.h>

namespace memory::facts::algebra {

std::ostream &operator<<(std::ostream &out, const Span &span) {
    return out << '[' << span.from << ',' << span.until << ')';
}
bool operator==(const Held &a, const Held &b) { return a.valid == b.valid && a.object == b.object; }
std::ostream &operator<<(std::ostream &out, const Held &held) {
    return out << held.object << held.valid;
}

namespace {

constexpr Object tokyo = 1, paris = 2, rome = 3;

// A line as a caller keeps it: applies what the algebra says.
class Line {
  public:
    void assert_open(Object object, Instant from) {
        assert_closed(object, from, open_end(held_, from));
    }
    void assert_closed(Object object, Instant from, Instant until) {
        const Assertion change = assert_in(held_, object, {from, until}, memory_);
        apply(change, Held{change.valid, object});
    }
    void retract(std::optional<Object> object, Instant from, Instant until) {
        apply(retract_in(held_, object, {from, until}, memory_), std::nullopt);
    }
    // In the order of time.
    const std::vector<Held> &held() const { return held_; }

  private:
    void apply(const Change &change, std::optional<Held> begun) {
        ASSERT_TRUE(std::is_sorted(change.ended.begin(), change.ended.end()));
        std::vector<Held> next;
        for (std::size_t i = 0; i < held_.size(); ++i)
            if (!std::binary_search(change.ended.begin(), change.ended.end(), i))
                next.push_back(held_[i]);
        for (const Remnant &remnant : change.remnants)
            next.push_back({remnant.valid, held_[remnant.of].object});
        if (begun)
            next.push_back(*begun);
        std::sort(next.begin(), next.end(),
                  [](const Held &a, const Held &b) { return a.valid.from < b.valid.from; });
        held_ = next;
    }

    std::vector<Held> held_;
    std::pmr::memory_resource *memory_ = std::pmr::new_delete_resource();
};

using Expected = std::vector<Held>;

TEST(Line, AnOpenEndReachesToTheNextKnownChange) {
    Line line;
    line.assert_open(paris, 30);
    line.assert_open(tokyo, 0);
    EXPECT_EQ(line.held(), (Expected{{{0, 30}, tokyo}, {{30, forever}, paris}}));
}

TEST(Line, ALaterAssertionEndsTheOneBefore) {
    Line line;
    line.assert_open(tokyo, 0);
    line.assert_open(paris, 10);
    line.assert_open(tokyo, 20);
    EXPECT_EQ(line.held(), (Expected{{{0, 10}, tokyo}, {{10, 20}, paris}, {{20, forever}, tokyo}}));
}

TEST(Line, AClosedPastTakesNothingFromWhatComesLater) {
    Line line;
    line.assert_open(paris, 30);
    line.assert_closed(rome, 0, 10);
    EXPECT_EQ(line.held(), (Expected{{{0, 10}, rome}, {{30, forever}, paris}}));
}

TEST(Line, AStayInTheMiddleLeavesBothSides) {
    Line line;
    line.assert_open(tokyo, 0);
    line.assert_closed(rome, 5, 10);
    EXPECT_EQ(line.held(), (Expected{{{0, 5}, tokyo}, {{5, 10}, rome}, {{10, forever}, tokyo}}));
}

TEST(Line, ASecondObjectAtTheSameStartReplacesTheFirst) {
    Line line;
    line.assert_open(tokyo, 0);
    line.assert_open(paris, 0);
    EXPECT_EQ(line.held(), (Expected{{{0, forever}, paris}}));
}

TEST(Line, TheSameAgainIsOneBelief) {
    Line line;
    line.assert_open(tokyo, 50);
    line.assert_open(tokyo, 0); // touches the later one, and so joins it
    line.assert_open(tokyo, 20);
    EXPECT_EQ(line.held(), (Expected{{{0, forever}, tokyo}}));
}

TEST(Line, TouchingPiecesOfOneObjectAreNoChange) {
    const std::array held{Held{{0, 10}, tokyo}, Held{{10, 20}, tokyo}, Held{{40, 50}, paris}};
    EXPECT_EQ(open_end(held, 5), 40);
    const Assertion joined = assert_in(held, tokyo, {20, 30}, std::pmr::new_delete_resource());
    EXPECT_EQ(joined.valid, (Span{0, 30}));
    EXPECT_EQ(joined.taken_up, joined.ended);
    EXPECT_EQ(joined.taken_up.size(), 2U);
    const Assertion inside = assert_in(held, tokyo, {12, 15}, std::pmr::new_delete_resource());
    EXPECT_EQ(inside.valid, (Span{0, 20})) << "a piece behind the one that is met";
    const Assertion before = assert_in(held, tokyo, {-5, 5}, std::pmr::new_delete_resource());
    EXPECT_EQ(before.valid, (Span{-5, 20})) << "a piece beyond the one that is met";
}

TEST(Line, ARetractionLeavesAHole) {
    Line line;
    line.assert_open(tokyo, 0);
    line.retract(std::nullopt, 10, 20);
    EXPECT_EQ(line.held(), (Expected{{{0, 10}, tokyo}, {{20, forever}, tokyo}}));
    line.retract(paris, 0, forever);
    EXPECT_EQ(line.held().size(), 2U) << "another object is not touched";
    line.retract(tokyo, beginning, forever);
    EXPECT_EQ(line.held(), Expected{});
}

TEST(Line, InfiniteSpansAreSpans) {
    Line line;
    line.assert_closed(tokyo, beginning, forever);
    line.assert_closed(paris, beginning, 0);
    line.assert_closed(rome, 10, forever);
    EXPECT_EQ(line.held(),
              (Expected{{{beginning, 0}, paris}, {{0, 10}, tokyo}, {{10, forever}, rome}}));
}

// Who holds at each of these points, 0 for nobody: the first stands for all time before, the last
// for all time after.
class Points {
  public:
    static constexpr int count = 40;

    void put(Object object, int from, int until) {
        for (int i = from; i < until; ++i)
            who_[static_cast<std::size_t>(i)] = object;
    }
    void take(Object object, int from, int until) {
        for (int i = from; i < until; ++i)
            if (object == 0 || at(i) == object)
                who_[static_cast<std::size_t>(i)] = 0;
    }
    // The first point after `from` where somebody begins.
    int next_change(int from) const {
        for (int i = from + 1; i < count; ++i)
            if (at(i) != 0 && at(i) != at(i - 1))
                return i;
        return count;
    }
    Object at(int i) const { return who_[static_cast<std::size_t>(i)]; }

  private:
    std::array<Object, count> who_{};
};

Instant instant(int point) {
    return point == 0 ? beginning : point == Points::count ? forever : point;
}

constexpr bool touch(const Span &a, const Span &b) {
    return a.from <= b.until && b.from <= a.until;
}

// Every point has whom the model says, and beliefs neither overlap nor could be one.
void expect_same(const Line &line, const Points &points) {
    const std::vector<Held> held = line.held();
    for (std::size_t i = 1; i < held.size(); ++i) {
        ASSERT_LE(held[i - 1].valid.until, held[i].valid.from);
        ASSERT_FALSE(touch(held[i - 1].valid, held[i].valid) &&
                     held[i - 1].object == held[i].object);
    }
    for (int i = 0; i < Points::count; ++i) {
        Object found = 0;
        for (const Held &one : held)
            if (one.valid.from <= instant(i) && instant(i) < one.valid.until)
                found = one.object;
        ASSERT_EQ(found, points.at(i)) << "at point " << i;
    }
}

TEST(Line, RandomHistoriesAreThoseOfTheModel) {
    const auto seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const auto up_to = [&](int most) {
        return std::uniform_int_distribution<int>(0, most)(random);
    };
    for (int history = 0; history < 400; ++history) {
        Line line;
        Points points;
        for (int step = 0; step < 60; ++step) {
            const int from = up_to(Points::count - 1);
            const int until = from + 1 + up_to(Points::count - 1 - from);
            const auto object = static_cast<Object>(1 + up_to(3));
            switch (up_to(3)) {
            case 0:
                line.assert_closed(object, instant(from), instant(until));
                points.put(object, from, until);
                break;
            case 1:
                line.retract(object, instant(from), instant(until));
                points.take(object, from, until);
                break;
            case 2:
                line.retract(std::nullopt, instant(from), instant(until));
                points.take(0, from, until);
                break;
            default:
                line.assert_open(object, instant(from));
                points.put(object, from, points.next_change(from));
            }
            ASSERT_NO_FATAL_FAILURE(expect_same(line, points));
        }
    }
}

} // namespace

} // namespace memory::facts::algebra
