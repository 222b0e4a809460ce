// What a text costs grows with its size, not with the square of it, whatever it is made of: each
// shape is fed at one size and at four times that.
//
// The sanitized core counts by itself: it calls the functions below at every comparison of
// integers, and no loop is without one. What ICU and memmove() do is in the processor's time only.
#include "index/grammar/compile.h"
#include "index/grammar/evidence.h"
#include "index/grammar/occurrences.h"
#include "text/hash_embedding.h"
#include "text/highlight.h"
#include "text/names.h"
#include "text/offsets.h"
#include "text/terms.h"
#include "unit/text_support.h"

#include <array>
#include <cstring>
#include <ctime>
#include <functional>
#include <gtest/gtest.h>
#include <random>

namespace {

std::uint64_t comparisons = 0;

} // namespace

extern "C" {
void __sanitizer_cov_trace_cmp1(std::uint8_t, std::uint8_t) { ++comparisons; }
void __sanitizer_cov_trace_cmp2(std::uint16_t, std::uint16_t) { ++comparisons; }
void __sanitizer_cov_trace_cmp4(std::uint32_t, std::uint32_t) { ++comparisons; }
void __sanitizer_cov_trace_cmp8(std::uint64_t, std::uint64_t) { ++comparisons; }
void __sanitizer_cov_trace_const_cmp1(std::uint8_t, std::uint8_t) { ++comparisons; }
void __sanitizer_cov_trace_const_cmp2(std::uint16_t, std::uint16_t) { ++comparisons; }
void __sanitizer_cov_trace_const_cmp4(std::uint32_t, std::uint32_t) { ++comparisons; }
void __sanitizer_cov_trace_const_cmp8(std::uint64_t, std::uint64_t) { ++comparisons; }
}

namespace {

using namespace memory;
using index::grammar::Reading;

std::pmr::memory_resource *memory_resource() { return std::pmr::get_default_resource(); }

std::string repeated(std::string_view unit, std::size_t size) {
    std::string text;
    while (text.size() + unit.size() <= size)
        text += unit;
    return text;
}

// The unit again and again, each '#' a number that is not there before, in letters.
std::string numbered(std::string_view unit, std::size_t size) {
    std::string text;
    for (std::uint32_t number = 0; text.size() + unit.size() + 6 <= size;)
        for (const char byte : unit) {
            if (byte != '#') {
                text += byte;
                continue;
            }
            std::string digits;
            for (std::uint32_t rest = number++, left = 4; left > 0; --left, rest /= 26)
                digits.insert(digits.begin(), static_cast<char>('a' + rest % 26));
            text += digits;
        }
    return text;
}

struct Shape {
    const char *name;
    std::string_view unit;
};

constexpr Shape repeating[] = {
    {"words", "word "},
    {"one letter words", "a b c "},
    {"one endless word", "x"},
    {"hyphens", "ab-c "},
    {"one endless identifier", "ab-"},
    {"dots", "a.b.c "},
    {"one endless dotted name", "a."},
    {"one endless path", "ab/c-d"},
    {"one endless number", "7"},
    {"digits", "12 345 "},
    {"grouped thousands", ",123"},
    {"phone numbers", "+44 (0)20 7946 0958 "},
    {"digits as in phones", "12 "},
    {"digits with hyphens", "1-2-3-4 "},
    {"emoji", "😀 "},
    {"one endless row of emoji", "😀"},
    {"one endless emoji", "👩\u200D"},
    {"skin tones", "🏽"},
    {"flags", "🇩🇪"},
    {"keycaps", "1️⃣"},
    {"joiners", "\u200D"},
    {"URLs", "https://example.org/a-b?c=1 "},
    {"Han", "東京都"},
    {"Han between spaces", "東 京 "},
    {"Kana with marks", "ｶﾞ"},
    {"Hangul jamo", "ᄒ"},
    {"squared words", "㌀"},
    {"Thai", "ภาษาไทย"},
    {"Thai marks", "\u0E48"},
    {"Burmese", "မြန်မာ"},
    {"combining marks", "e\u0301"},
    {"marks alone", "\u0316\u0301"},
    {"marks of a Tibetan vowel", "\u0F73"},
    {"soft hyphens", "a\u00AD"},
    {"accents", "naïve café "},
    {"Hebrew abbreviations", "צה\""},
    {"apostrophes", "п'"},
    {"contractions", "isn't "},
    {"camel case", "camelCaseHTTPServer2 "},
    {"one endless camel", "aB"},
    {"signs", "c++ c# "},
    {"quotes", "\""},
    {"quoted words", "\"a b\" "},
    {"open quotes", "\"a "},
    {"minus signs", "-"},
    {"plus signs", "+"},
    {"asterisks", "*"},
    {"excluded", "-a "},
    {"required", "+a "},
    {"prefixes", "a* "},
    {"nested marks", "+-\"(+-\"("},
    {"brackets", "("},
    {"spaces", " "},
    {"ideographic spaces", "\u3000"},
    {"control characters", "\x01"},
    {"bad bytes", "\xff"},
    {"continuation bytes", "\x80"},
    {"halves of characters", "\xf0\x9f"},
    {"weak words", "the "},
};

// Of which ICU makes what no letter of any language has.
constexpr Shape marks[] = {
    {"marks of two classes", "\u0316\u0301"},
    {"marks of a Tibetan vowel", "\u0F73"},
    {"marks and what vanishes between them", "\u0316\u034F\u0301\u00AD"},
};

constexpr Shape numbering[] = {
    {"different words", "# "},           {"different words of eight letters", "aaaa# "},
    {"different identifiers", "#-# "},   {"one identifier of different words", "#-"},
    {"different phrases", "\"# #\" "},   {"one phrase of different words", "\"# # # # # # # #"},
    {"different words required", "+# "}, {"different words excluded", "-# "},
    {"different prefixes", "#* "},       {"different prefixes of identifiers", "#-#* "},
};

class Growth : public testing::Test {
  protected:
    using Work = std::function<void(const std::string &)>;

    using Make = std::function<std::string(std::size_t)>;
    static constexpr std::size_t usual = 6 * 1024;

    // Feeds every shape to `work`.
    void feed_all(const Work &work) {
        for (const Shape &shape : repeating)
            feed(shape.name, work,
                 [&](std::size_t times) { return repeated(shape.unit, times * usual); });
        for (const Shape &shape : numbering)
            feed(shape.name, work,
                 [&](std::size_t times) { return numbered(shape.unit, times * usual); });
    }

    // What ICU does only shows in larger texts.
    void feed_marks(const Work &work) {
        for (const Shape &shape : marks)
            feed(shape.name, work,
                 [&](std::size_t times) { return repeated(shape.unit, times * 16 * usual); });
    }

    // `make` makes a text of so many times a size.
    void feed(const char *name, const Work &work, const Make &make) {
        const Cost once = cost_of(work, make(1));
        const Cost four = cost_of(work, make(4));
        EXPECT_LE(four.comparisons, most * once.comparisons + few) << name;
        EXPECT_LE(four.seconds, 2 * most * once.seconds + moment) << name;
    }

    text_test::Texts texts;

  private:
    static constexpr std::uint64_t most = 6; // where 4 is linear and 16 quadratic
    static constexpr std::uint64_t few = 16 * usual;
    static constexpr double moment = 0.5;

    struct Cost {
        std::uint64_t comparisons;
        double seconds;
    };

    static Cost cost_of(const Work &work, const std::string &text) {
        comparisons = 0;
        const std::clock_t began = std::clock();
        work(text);
        return {comparisons,
                static_cast<double>(std::clock() - began) / static_cast<double>(CLOCKS_PER_SEC)};
    }
};

// What memory.tokens asks.
class Offsets final : public text::TokenSink {
  public:
    explicit Offsets(std::string_view text) : offsets_(text) {}
    void take(const text::Token &token) override {
        EXPECT_LT(offsets_.at(token.begin), offsets_.at(token.end));
    }

  private:
    text::CharacterOffsets offsets_;
};

TEST_F(Growth, OfTokensWithTheirOffsetsIsLinear) {
    feed_all([this](const std::string &text) {
        Offsets offsets(text);
        texts.analyzer().analyze(text, offsets);
    });
}

TEST_F(Growth, OfTermsIsLinear) {
    feed_all([this](const std::string &text) {
        text::Terms terms(memory_resource());
        texts.analyzer().analyze(text, terms);
        terms.document();
        terms.query();
    });
}

// Words that are alike to a hash, were it known: two letters come in all combinations, the others
// are such that the product with the golden ratio has the same 16 bits at its end and its middle.
TEST_F(Growth, OfTermsIsLinearWhateverTheirAuthorKnows) {
    const auto place = [](std::string_view word) {
        std::array<std::uint32_t, 2> halves;
        std::memcpy(halves.data(), word.data(), sizeof halves);
        const std::uint64_t hash =
            (8 * 0x9E3779B97F4A7C15u ^ (std::uint64_t{halves[0]} << 32 | halves[1])) *
            0x9E3779B97F4A7C15u;
        return (hash ^ hash >> 32) & 0xFFFF;
    };
    const auto chosen = [&](std::size_t count) {
        std::string words;
        std::mt19937 random(1);
        for (std::string word = "12345678"; words.size() < count * 8;) {
            for (char &letter : word)
                letter = static_cast<char>('a' + random() % 26);
            if (place(word) != 0)
                continue;
            for (char a = 'a'; a <= 'z'; ++a)
                for (char b = 'a'; b <= 'z'; ++b)
                    words += word.replace(2, 2, {a, b});
        }
        return words;
    };
    feed(
        "chosen words",
        [](const std::string &words) {
            text::Terms terms(memory_resource());
            for (std::uint32_t at = 0; at < words.size(); at += 8)
                terms.take(
                    {std::string_view(words).substr(at, 8), at, at, at + 8, text::Weight::word});
        },
        [&](std::size_t times) { return chosen(2500 * times); });
}

TEST_F(Growth, OfNamesIsLinear) {
    const Work work = [](const std::string &text) {
        text::normal_name(text, memory_resource());
        text::normal_predicate(text, memory_resource());
    };
    feed_all(work);
    feed_marks(work);
}

TEST_F(Growth, OfHashEmbeddingsIsLinear) {
    const Work work = [](const std::string &text) {
        std::array<float, 384> vector;
        text::hash_embedding(text, vector, memory_resource());
    };
    feed_all(work);
    feed_marks(work);
}

TEST_F(Growth, OfMarkingEverythingIsLinear) {
    feed_all([this](const std::string &text) {
        std::pmr::string marked;
        text::highlight(texts.analyzer(), text, text, {}, memory_resource(), marked);
    });
}

TEST_F(Growth, OfMarkingEverythingInFragmentsIsLinear) {
    feed_all([this](const std::string &text) {
        std::pmr::string marked;
        text::highlight(texts.analyzer(), text, text, {.max_fragments = SIZE_MAX},
                        memory_resource(), marked);
    });
}

TEST_F(Growth, OfMarkingAFewWordsFarApartIsLinear) {
    const std::string apart = std::string(300, 'x') + ' ' + std::string(300, 'y') + " fox ";
    feed(
        "far apart",
        [this](const std::string &text) {
            std::pmr::string marked;
            text::highlight(texts.analyzer(), text, "fox", {.max_fragments = SIZE_MAX},
                            memory_resource(), marked);
        },
        [&](std::size_t times) { return repeated(apart, times * 128 * usual); });
}

TEST_F(Growth, OfQueriesIsLinear) {
    for (const Reading reading : {Reading::plain, Reading::websearch})
        feed_all([this, reading](const std::string &text) {
            const auto pattern =
                index::grammar::compile(text, reading, texts.analyzer(), memory_resource());
            pattern.necessary(memory_resource());
            index::grammar::Evidence evidence(pattern, index::grammar::OpeningLookup::all,
                                              memory_resource());
            for (std::uint32_t term = 0; term < pattern.terms().size(); ++term)
                evidence.has_term(term);
            evidence.answer();
        });
}

TEST_F(Growth, OfMatchingALongerQueryIsLinear) {
    const std::string text = "a b word word aaaa aaab aaac aaad 東京都 ";
    feed_all([&](const std::string &query) {
        const auto pattern =
            index::grammar::compile(query, Reading::websearch, texts.analyzer(), memory_resource());
        index::grammar::Occurrences found(pattern, memory_resource());
        texts.analyzer().analyze(text, found);
        found.match();
    });
}

TEST_F(Growth, OfMatchingALongerTextIsLinear) {
    for (const char *query : {"\"a a a a b\" +a* -aaa*", "\"京都 東京\""})
        feed_all([&](const std::string &text) {
            const auto pattern = index::grammar::compile(query, Reading::websearch,
                                                         texts.analyzer(), memory_resource());
            index::grammar::Occurrences found(pattern, memory_resource());
            texts.analyzer().analyze(text, found);
            found.match();
        });
}

} // namespace
