// Folding letter by letter is folding, for every letter that is remembered and beside anything.
#include "text/letters.h"

#include <string>
#include <string_view>

#include "text/characters.h"
#include "text/fold.h"
#include "text/utf8.h"

#include <gtest/gtest.h>

namespace {

using memory::text::FoldedWord;
using memory::text::Folder;

std::string utf8(char32_t point) {
    std::pmr::string text;
    memory::text::append(text, point);
    return std::string(text);
}

class FoldingLetterByLetter : public testing::Test {
  protected:
    // As folded without the shortcut.
    void same(const std::string &word) {
        const FoldedWord fast = fast_.fold_word(word);
        const FoldedWord slow = slow_.fold_word(word);
        EXPECT_EQ(fast.plain, slow.plain) << word;
        EXPECT_EQ(fast.accented, slow.accented) << word;
        EXPECT_EQ(fast.script, slow.script) << word;
        EXPECT_EQ(fast.has_digit, slow.has_digit) << word;
        EXPECT_EQ(fast.is_vietnamese, slow.is_vietnamese) << word;
    }

  private:
    memory::text::Pause pause_{memory::text::Interruption::none()};
    Folder fast_{std::pmr::get_default_resource(), pause_, true};
    Folder slow_{std::pmr::get_default_resource(), pause_, false};
};

TEST_F(FoldingLetterByLetter, IsFoldingWhateverStandsBesideTheLetter) {
    for (char32_t point = 0x80; point < 0x2000; ++point) {
        const std::string letter = utf8(point);
        same(letter);
        same("a" + letter + "T9");
        for (const char32_t beside :
             std::u32string_view(U"\u00E9\u0130\u0301\u0323\u0345\u039F\u0439\u05D0\u0653"
                                 U"\u0627\u093C\u0928\u1EA5\u1100\u1161")) {
            same(letter + utf8(beside));
            same(utf8(beside) + letter);
        }
    }
}

TEST_F(FoldingLetterByLetter, IsFoldingInWords) {
    for (const char *word : {"nghiêng", "TIẾNG", "ŒUVRE", "Straße", "İstanbul", "Ёлка", "ΟΔΟΣ", "й",
                             "مُدَرِّس", "٣٤٥", "हिन्दी", "क़लम", "l’été", "1½", "ǅ", "ﬁn", "ʻokina"})
        same(word);
}

TEST(Letters, AreThoseThatFoldByThemselves) {
    UErrorCode status = U_ZERO_ERROR;
    memory::text::Letters letters(unorm2_getNFKCCasefoldInstance(&status),
                                  unorm2_getNFDInstance(&status), std::pmr::get_default_resource());
    ASSERT_NE(letters.find(U'É'), nullptr);
    EXPECT_EQ(letters.find(U'É')->folded, u'é');
    EXPECT_EQ(letters.find(U'É')->decomposed, (std::array<char16_t, 3>{u'e', 0x301, 0}));
    EXPECT_EQ(letters.find(U'٣')->folded, u'3');
    for (const char32_t other : {U'ß', U'İ', char32_t{0x301}, U'·', U'ʻ', U'東', U'\U0001F600'})
        EXPECT_EQ(letters.find(other), nullptr) << utf8(other);
}

} // namespace
