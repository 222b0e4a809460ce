// The identifier test of docs/quality.md, small: `make quality` asks for 10,000.
#include "quality/measure/identifiers.h"

#include "text_support.h"

#include <gtest/gtest.h>

namespace {

TEST(Identifier, IsTheOnlyBestAnswerWithAnyPunctuationAroundIt) {
    text_test::Texts texts;
    for (const unsigned seed : {1U, 2U}) {
        const quality::IdentifierResult result =
            quality::test_identifiers(texts.analyzer(), 1000, seed);
        EXPECT_EQ(result.first, result.asked);
        for (const std::string &missed : result.missed)
            ADD_FAILURE() << missed;
    }
}

} // namespace
