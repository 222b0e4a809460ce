// Long work asks whether it is to end, often enough and wherever it is; and then it ends.
#include "text/interruption.h"

#include "index/grammar/compile.h"
#include "index/grammar/occurrences.h"
#include "index/grammar/parser.h"
#include "index/grammar/phrase.h"
#include "text/hash_embedding.h"
#include "text/highlight.h"
#include "text/names.h"
#include "text/terms.h"
#include "unit/text_support.h"

#include <array>
#include <functional>
#include <gtest/gtest.h>

namespace {

using namespace memory;
using text::Interruption;

struct Cancelled {};

class Cancel final : public Interruption {
  public:
    void check() override {
        if (++checks == at)
            throw Cancelled();
    }
    std::size_t checks = 0;
    std::size_t at = SIZE_MAX; // which check ends the work
};

std::pmr::memory_resource *memory_resource() { return std::pmr::get_default_resource(); }

std::string repeated(std::string_view unit, std::size_t size) {
    std::string text;
    while (text.size() < size)
        text += unit;
    return text;
}

class LongWork : public testing::Test {
  protected:
    using Work = std::function<void(const std::string &)>;
    static constexpr std::size_t size = 128 * 1024;

    // Loops of their own: a word, a number, a run of each kind, a sequence, an identifier, marks.
    void expect_checks(const Work &work) {
        for (const char *unit :
             {"word ", "x", "7,123", "ab-", "東", "ภา", "😀", "👩\u200D", "\u200D", "🏽", "e\u0301",
              "\u0301\u0316", "a\u00AD", "é", "ᄒ", "\x80", "*"}) {
            const std::string text = repeated(unit, size);
            cancel.checks = 0;
            cancel.at = SIZE_MAX;
            work(text);
            EXPECT_GE(cancel.checks, size / (64 * 1024)) << unit;
            cancel.at = (cancel.checks + 1) / 2;
            cancel.checks = 0;
            EXPECT_THROW(work(text), Cancelled) << unit;
        }
        cancel.at = SIZE_MAX;
    }

    Cancel cancel;
    text_test::Texts texts{{}, cancel};
};

TEST_F(LongWork, OfAnAnalysisEnds) {
    expect_checks([this](const std::string &text) {
        text_test::Recorder recorder;
        texts.analyzer().analyze(text, recorder);
    });
    EXPECT_EQ(texts.terms("and cats after it"), (text_test::Terms{"cat", "after", "it"}));
}

TEST_F(LongWork, OfMarkingEnds) {
    expect_checks([this](const std::string &text) {
        std::pmr::string marked;
        text::highlight(texts.analyzer(), text, "word", {.max_fragments = 3}, memory_resource(),
                        marked);
    });
}

TEST_F(LongWork, OfCopyingLongTagsEnds) {
    const std::string tag(256 * 1024, '<');
    std::pmr::string marked;
    text::highlight(texts.analyzer(), repeated("word ", 500), "word", {.start_tag = tag},
                    memory_resource(), marked);
    EXPECT_EQ(marked.size(), 500 + 100 * (tag.size() + 4));
    EXPECT_GE(cancel.checks, 16U);
}

TEST_F(LongWork, OfAHashEmbeddingEnds) {
    expect_checks([this](const std::string &text) {
        std::array<float, 16> vector;
        text::hash_embedding(text, vector, memory_resource(), cancel);
    });
}

TEST_F(LongWork, OfANameEnds) {
    expect_checks(
        [this](const std::string &text) { text::normal_name(text, memory_resource(), cancel); });
    expect_checks([this](const std::string &text) {
        text::normal_predicate(text, memory_resource(), cancel);
    });
}

TEST_F(LongWork, OfAQueryEnds) {
    expect_checks([this](const std::string &text) {
        index::grammar::compile(text, index::grammar::Reading::websearch, texts.analyzer(),
                                memory_resource());
    });
}

TEST_F(LongWork, OfParsingAQueryEnds) {
    for (const char *unit : {"+a ", "a", "\"a\" ", " ", "\"\""}) {
        const std::string query = repeated(unit, size);
        cancel.checks = 0;
        index::grammar::parse(query, memory_resource(), cancel);
        EXPECT_GE(cancel.checks, 2U) << unit;
    }
}

// One character that eighteen come of.
TEST_F(LongWork, OfANameThatGrowsEnds) {
    text::normal_name(repeated("\uFDFA", size), memory_resource(), cancel);
    EXPECT_GE(cancel.checks, size / 3 * 18 / (8 * 1024));
}

TEST_F(LongWork, OfSortingTermsEnds) {
    text::Terms terms(memory_resource(), cancel);
    for (std::uint32_t i = 0; i < 20000; ++i)
        terms.take({std::to_string(i * 7919U), i, i, i + 1, text::Weight::word});
    EXPECT_EQ(cancel.checks, 0U);
    terms.document();
    EXPECT_GE(cancel.checks, 16U);
    cancel.at = cancel.checks + 2;
    EXPECT_THROW(terms.document(), Cancelled);
    cancel.at = SIZE_MAX;
    EXPECT_EQ(terms.document().size(), 20000U);
}

TEST_F(LongWork, OfFindingPhrasesEnds) {
    std::string query;
    for (char first = 'a'; first <= 'z'; ++first)
        for (char second = 'a'; second <= 'z'; ++second)
            query += std::string("\"") + first + ' ' + second + " zz\" ";
    const auto pattern = index::grammar::compile(query, index::grammar::Reading::websearch,
                                                 texts.analyzer(), memory_resource());
    index::grammar::Occurrences found(pattern, memory_resource(), cancel);
    texts.analyzer().analyze(repeated("a b c d e f g ", 64 * 1024), found);
    cancel.checks = 0;
    EXPECT_FALSE(found.match());
    EXPECT_GE(cancel.checks, 16U);
    cancel.at = 8;
    cancel.checks = 0;
    EXPECT_THROW(found.match(), Cancelled);
}

TEST_F(LongWork, OfAPhraseWithAWideGapEnds) {
    constexpr std::uint32_t gap = 20000;
    index::grammar::Phrases phrases(memory_resource());
    phrases.begin();
    phrases.allow(0, 1);
    phrases.allow(gap, 2);
    phrases.prepare();
    const std::array<index::grammar::Place, 2> places{{{5, 1}, {5 + gap, 2}}};
    text::Pause pause(cancel);
    phrases.find(places, pause);
    EXPECT_TRUE(phrases.stands(0));
    EXPECT_GE(cancel.checks, 64U);
}

} // namespace
