#include "text/hash_embedding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace {

using memory::text::hash_embedding;

using Vector = std::vector<float>;

Vector embed(std::string_view text, std::size_t dimensions = 384) {
    Vector vector(dimensions, -1);
    hash_embedding(text, vector, std::pmr::get_default_resource());
    return vector;
}

double cosine(std::string_view a, std::string_view b) {
    const Vector x = embed(a);
    const Vector y = embed(b);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
    return sum;
}

double length(const Vector &vector) {
    double sum = 0;
    for (const float component : vector)
        sum += static_cast<double>(component) * static_cast<double>(component);
    return std::sqrt(sum);
}

Vector first_unit_vector(std::size_t dimensions) {
    Vector vector(dimensions, 0);
    vector[0] = 1;
    return vector;
}

// FNV-1a over the bits of the components.
std::uint64_t fingerprint(const Vector &vector) {
    std::uint64_t hash = 0xCBF29CE484222325;
    for (const float component : vector)
        hash = (hash ^ std::bit_cast<std::uint32_t>(component)) * 0x100000001B3;
    return hash;
}

TEST(HashEmbedding, NeverChanges) {
    // Stored vectors are compared with new ones for as long as a database lives. If this fails, the
    // code is wrong, not the numbers.
    EXPECT_EQ(embed("Hello, memory!", 8),
              (Vector{0, 0.420084029F, -0.342997164F, -0.242535621F, -0.485071242F, 0.485071242F,
                      0.242535621F, 0.342997164F}));
    EXPECT_EQ(fingerprint(embed("the quick brown fox jumps over the lazy dog")),
              0xBBB6420D4B954A1C);
    EXPECT_EQ(fingerprint(embed("Straße ΣΊΣΥΦΟΣ Ёлка")), 0x7FB25BA35B5880AD);
    EXPECT_EQ(fingerprint(embed("東京タワー 한국어 ภาษาไทย हिन्दी", 1536)), 0x13D0B4C95F73BEAB);
    EXPECT_EQ(
        fingerprint(embed("\xF0\x9F\x98\x80 ok \xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x9A\x80", 100)),
        0xD556884877656065);
}

TEST(HashEmbedding, HasUnitLengthInEveryNumberOfDimensions) {
    for (const std::size_t dimensions : {1U, 2U, 3U, 7U, 128U, 384U, 1536U, 16000U})
        for (const std::string_view text : {"", "a", "one two three", "你好，世界"})
            EXPECT_NEAR(length(embed(text, dimensions)), 1, 1e-6) << dimensions << ' ' << text;
}

TEST(HashEmbedding, OfATextWithoutWordsIsTheFirstUnitVector) {
    for (const std::string_view text : {"", " ", "\n\t  ", "...!?", "---", "\xC2\xAD", "。、"})
        EXPECT_EQ(embed(text, 16), first_unit_vector(16)) << '"' << text << '"';
}

TEST(HashEmbedding, IsTheFirstUnitVectorWhereAllFeaturesCancel) {
    // In one dimension every feature meets every other; a one-letter word has one feature.
    int cancelled = 0;
    for (char letter = 'b'; letter <= 'z'; ++letter) {
        const std::string other(1, letter);
        if (embed("a", 1)[0] != embed(other, 1)[0]) {
            ++cancelled;
            EXPECT_EQ(embed("a " + other, 1), first_unit_vector(1)) << other;
        }
    }
    EXPECT_GT(cancelled, 0);
}

TEST(HashEmbedding, IgnoresCaseWidthAndComposition) {
    EXPECT_EQ(embed("MEMORY"), embed("memory"));
    EXPECT_EQ(embed("STRASSE"), embed("straße"));
    EXPECT_EQ(embed("ＦＵＬＬ　ｗｉｄｔｈ"), embed("full width"));
    EXPECT_EQ(embed("ﬁne"), embed("fine"));
    EXPECT_EQ(embed("cafe\xCC\x81"), embed("caf\xC3\xA9"));
    EXPECT_EQ(embed("co\xC2\xADoperate"), embed("cooperate")) << "soft hyphen";
    EXPECT_EQ(embed("ｶﾞﾗｽ"), embed("ガラス"));
}

TEST(HashEmbedding, IgnoresPunctuationAndTheOrderOfWords) {
    EXPECT_EQ(embed("late invoices, again!"), embed("again: (late) invoices"));
    EXPECT_NE(embed("late invoices"), embed("lateinvoices"));
}

TEST(HashEmbedding, SeesTheSameWordsWhereverABlockEnds) {
    std::mt19937 random(7);
    std::vector<std::string> words;
    for (int i = 0; i < 3000; ++i)
        words.push_back((i % 3 == 0 ? "größe" : "word") + std::to_string(random() % 500));
    const auto joined = [&] {
        std::string text;
        for (const std::string &word : words)
            text += word + (random() % 20 == 0 ? "\n\n" : " ");
        return text;
    };
    const Vector expected = embed(joined());
    for (int round = 0; round < 5; ++round) {
        std::shuffle(words.begin(), words.end(), random);
        ASSERT_EQ(embed(joined()), expected);
    }
}

TEST(HashEmbedding, PutsSimilarTextsNearerThanOthers) {
    const std::string_view text = "my card payment was declined at the restaurant";
    EXPECT_GT(cosine(text, "card payments are being declined"), 0.35);
    EXPECT_GT(cosine(text, "my crad paymnt was declned at the resturant"), 0.35) << "typing errors";
    EXPECT_LT(std::abs(cosine(text, "book us a flight to Lisbon")), 0.2);
    EXPECT_GT(cosine("running runners", "runner runs"), cosine("running runners", "walker walks"));
    EXPECT_GT(cosine("東京都の人口", "東京の人口は何人か"), cosine("東京都の人口", "大阪城の歴史"));
    EXPECT_GT(cosine("ภาษาไทยง่าย", "ภาษาไทย"), cosine("ภาษาไทยง่าย", "อาหารเย็น"));
}

TEST(HashEmbedding, TempersWhatRepeats) {
    const std::string_view text = "buffalo grass";
    EXPECT_GT(cosine(text, "buffalo buffalo buffalo buffalo grass"), 0.85);
}

TEST(HashEmbedding, TakesSymbolsAsWords) {
    EXPECT_NE(embed("\xF0\x9F\x98\x80"), first_unit_vector(384));
    EXPECT_NE(embed("\xF0\x9F\x98\x80"), embed("\xF0\x9F\x98\xA2"));
    EXPECT_GT(cosine("\xF0\x9F\x98\x80\xF0\x9F\x98\xA2", "\xF0\x9F\x98\xA2"), 0.5);
}

TEST(HashEmbedding, CutsAtTheChangeBetweenScriptsWithAndWithoutSpaces) {
    EXPECT_EQ(embed("iPhoneを買う"), embed("iphone を買う"));
}

TEST(HashEmbedding, TakesAnyBytes) {
    const auto seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int round = 0; round < 300; ++round) {
        std::string bytes(random() % 9000, '\0');
        const bool mostly_text = random() % 2 == 0;
        for (char &byte : bytes) {
            byte = static_cast<char>(mostly_text && random() % 8 != 0 ? 'a' + random() % 26
                                                                      : random());
        }
        ASSERT_NEAR(length(embed(bytes, 1 + random() % 400)), 1, 1e-6);
    }
}

TEST(HashEmbedding, TakesVeryLongWords) {
    const std::string latin(1 << 20, 'x');
    std::string han;
    for (int i = 0; i < 200000; ++i)
        han += "漢";
    std::string expanding; // one character that folds to eighteen
    for (int i = 0; i < 50000; ++i)
        expanding += "\xEF\xB7\xBA";
    for (const std::string &text : {latin, han, expanding})
        EXPECT_NEAR(length(embed(text)), 1, 1e-6);
}

} // namespace
