#include "text/dates.h"

#include <gtest/gtest.h>

#include <unicode/ureldatefmt.h>
#include <unicode/ustring.h>

#include "text/names.h"

namespace {

using namespace memory::text;

using Dates = std::vector<NamedDate>;

// A Friday.
constexpr NamedDate today{2026, 11, 20};

Dates read_by(DateReader &reader, std::string_view text, const NamedDate &now) {
    const auto found = reader.read(text, now, std::pmr::get_default_resource());
    return {found.begin(), found.end()};
}

// What was read before changes nothing.
Dates read(std::string_view text, const NamedDate &now = today) {
    static DateReader used(std::pmr::get_default_resource());
    DateReader fresh(std::pmr::get_default_resource());
    const Dates found = read_by(used, text, now);
    EXPECT_EQ(read_by(fresh, text, now), found) << text;
    return found;
}

TEST(Dates, AreReadInTwelveLanguages) {
    const Dates day{{2024, 3, 5}};
    for (const char *text :
         {"5 مارس 2024", "am 5. März 2024", "στις 5 Μαρτίου 2024", "March 5, 2024",
          "el 5 de marzo de 2024", "5 मार्च 2024", "5 martie 2024", "5 марта 2024 г.",
          "5 มีนาคม 2567", "5 Mart 2024", "ngày 5 tháng 3 năm 2024", "2024年3月5日"})
        EXPECT_EQ(read(text), day) << text;
    const Dates month{{2024, 3, 0}};
    for (const char *text : {"مارس 2024", "im März 2024", "Μάρτιος 2024", "in March of 2024",
                             "en marzo de 2024", "मार्च 2024", "martie 2024", "март 2024",
                             "มีนาคม 2567", "Mart 2024", "tháng 3 năm 2024", "2024年3月"})
        EXPECT_EQ(read(text), month) << text;
}

TEST(Dates, MayBeWrittenManyWays) {
    for (const char *text :
         {"What happened on the 5th of March, 2024?", "MARCH 5TH 2024", "Mar 5, 2024", "2024-03-05",
          "2024/3/5", "5.3.2024", "２０２４年３月５日", "٥ مارس ٢٠٢٤", "2024-03-05T10:00"})
        EXPECT_EQ(read(text), (Dates{{2024, 3, 5}})) << text;
    EXPECT_EQ(read("on August 15th and on September 2"), (Dates{{0, 8, 15}, {0, 9, 2}}));
    EXPECT_EQ(read("who won in 1999?"), (Dates{{1999, 0, 0}}));
    for (const char *text : {"3/5/2024", "room 2024-13-05"})
        EXPECT_EQ(read(text), (Dates{{2024, 0, 0}})) << text;
    EXPECT_EQ(read("March 5 in 1999 or 2000"), (Dates{{1999, 3, 5}}));
    EXPECT_EQ(read("March 5, 2024; 2024-03-05"), (Dates{{2024, 3, 5}}));
}

TEST(Dates, AreNotWhatOnlyLooksLikeOne) {
    for (const char *text : {"",
                             "I may go",
                             "march on",
                             "5 apples",
                             "call 555-1234-99",
                             "version 2.3.4",
                             "99999999999999999999 March",
                             "月",
                             "tháng",
                             "the last one",
                             "the last tool, long ago",
                             "yesterdays",
                             "weeks ago",
                             "0 days ago",
                             "1001 days ago",
                             "13 days agony",
                             "13 # days ago",
                             "twenty three hundred days ago",
                             "1.5 years ago",
                             "today",
                             "next week",
                             "in three days"})
        EXPECT_EQ(read(text), Dates{}) << text;
}

TEST(Dates, AreCountedFromTodayInTwelveLanguages) {
    for (const char *text :
         {"أمس", "was gestern war", "τι έγινε χθες;", "What did we eat yesterday?",
          "¿qué dije ayer?", "कल", "ce am zis ieri", "что было вчера?", "เมื่อวาน", "dün ne dedim",
          "hôm qua", "我昨天说了什么"})
        EXPECT_EQ(read(text), (Dates{{2026, 11, 19}})) << text;
    for (const char *text :
         {"الشهر الماضي", "im letzten Monat", "προηγούμενος μήνας", "Last month?", "del mes pasado",
          "पिछला माह", "luna trecută", "о прошлом месяце", "เดือนที่แล้ว", "geçen ay", "tháng trước",
          "我上个月买的"})
        EXPECT_EQ(read(text), (Dates{{2026, 10, 0}})) << text;
    for (const char *text :
         {"السنة الماضية", "letztes Jahr", "πέρσι", "last year's", "el año pasado", "पिछला वर्ष",
          "anul trecut", "в прошлом году", "ปีที่แล้ว", "geçen yıl", "năm ngoái", "去年"})
        EXPECT_EQ(read(text), (Dates{{2025, 0, 0}})) << text;
    for (const char *text : {"قبل 3 أيام", "vor drei Tagen", "πριν από 3 ημέρες", "three days ago",
                             "hace tres días", "तीन दिन पहले", "acum 3 zile", "3 дня назад",
                             "3วันที่ผ่านมา", "üç gün önce", "ba ngày trước", "三天前"})
        EXPECT_EQ(read(text), (Dates{{2026, 11, 17}})) << text;
}

TEST(Dates, OfAWeekAreItsDays) {
    const Dates week{{2026, 11, 9},  {2026, 11, 10}, {2026, 11, 11}, {2026, 11, 12},
                     {2026, 11, 13}, {2026, 11, 14}, {2026, 11, 15}};
    for (const char *text :
         {"الأسبوع الماضي", "letzte Woche", "προηγούμενη εβδομάδα", "last week", "la semana pasada",
          "पिछला सप्ताह", "săptămâna trecută", "на прошлой неделе", "สัปดาห์ที่แล้ว", "geçen hafta",
          "tuần trước", "上周", "a week ago", "1 week ago", "one week ago", "vor einer Woche",
          "hace una semana", "неделю назад", "1 周前"})
        EXPECT_EQ(read(text), week) << text;
    EXPECT_EQ(read("last week", {2026, 11, 16}), week);
    EXPECT_EQ(read("last week", {2026, 11, 22}), week);
    EXPECT_EQ(read("two weeks ago", {2026, 11, 29}), week);
    EXPECT_EQ(read("last week and yesterday", {2026, 11, 16}), week);
}

TEST(Dates, OfAWeekdayAreTheLastBeforeTodayAndThatOfLastWeek) {
    for (const char *text :
         {"الأحد الماضي", "letzten Sonntag", "την προηγούμενη Κυριακή", "last Sunday",
          "el domingo pasado", "पिछला रविवार", "duminica trecută", "в прошлое воскресенье",
          "วันอาทิตย์ที่แล้ว", "geçen pazar", "Chủ Nhật tuần trước", "上周日"})
        EXPECT_EQ(read(text), (Dates{{2026, 11, 15}})) << text;
    for (const char *text :
         {"الإثنين الماضي", "letzten Montag", "προηγούμενη Δευτέρα", "last Monday",
          "el lunes pasado", "पिछला सोमवार", "lunea trecută", "в прошлый понедельник", "จันทร์ที่แล้ว",
          "geçen pazartesi", "Thứ Hai tuần trước", "上周一"})
        EXPECT_EQ(read(text), (Dates{{2026, 11, 9}, {2026, 11, 16}})) << text;
    EXPECT_EQ(read("last Friday"), (Dates{{2026, 11, 13}}));
    EXPECT_EQ(read("last Saturday"), (Dates{{2026, 11, 14}}));
}

TEST(Dates, OfAMonthThatIsTheLast) {
    for (const char *text : {"مارس الماضي", "letzten März", "προηγούμενος Μάρτιος", "last March",
                             "en marzo pasado", "पिछला मार्च", "martie trecut", "geçen mart"})
        EXPECT_EQ(read(text), (Dates{{2026, 3, 0}})) << text;
    EXPECT_EQ(read("last December"), (Dates{{2025, 12, 0}}));
    EXPECT_EQ(read("last November"), (Dates{{2025, 11, 0}}));
    for (const char *text : {"March last year", "in March of last year", "marzo del año pasado",
                             "去年三月", "去年3月", "มีนาคมปีที่แล้ว"})
        EXPECT_EQ(read(text), (Dates{{2025, 3, 0}})) << text;
    for (const char *text : {"March 5 last year", "el 5 de marzo del año pasado", "去年3月5日"})
        EXPECT_EQ(read(text), (Dates{{2025, 3, 5}})) << text;
}

TEST(Dates, AreCountedByTheCalendar) {
    EXPECT_EQ(read("yesterday", {2024, 3, 1}), (Dates{{2024, 2, 29}}));
    EXPECT_EQ(read("20 days ago", {2026, 1, 5}), (Dates{{2025, 12, 16}}));
    EXPECT_EQ(read("last month", {2026, 1, 31}), (Dates{{2025, 12, 0}}));
    EXPECT_EQ(read("month ago", {2026, 3, 31}), (Dates{{2026, 2, 0}}));
    EXPECT_EQ(read("1000 days ago"), (Dates{{2024, 2, 24}}));
    EXPECT_EQ(read("2 years ago", {2, 1, 1}), Dates{});
    EXPECT_EQ(read("5 months ago", {1, 1, 1}), Dates{});
    EXPECT_EQ(read("100 days ago", {1, 1, 1}), Dates{});
    EXPECT_EQ(read("yesterday", {}), Dates{});
    EXPECT_EQ(read("March 5, yesterday", {}), (Dates{{0, 3, 5}}));
}

TEST(Dates, AreCountedByNumbersOfManyForms) {
    for (const char *text :
         {"21 days ago", "twenty-one days ago", "vor einundzwanzig Tagen", "hace veintiún días",
          "21 день назад", "двадцать один день назад", "二十一天前", "٢١ days ago",
          "hai mươi mốt ngày trước", "yirmi bir gün önce"})
        EXPECT_EQ(read(text), (Dates{{2026, 10, 30}})) << text;
    EXPECT_EQ(read("forty days ago"), (Dates{{2026, 10, 11}}));
    EXPECT_EQ(read("两年前"), (Dates{{2024, 0, 0}}));
    EXPECT_EQ(read("قبل يومين"), (Dates{{2026, 11, 18}}));
    for (const char *text : {"сорок один день назад", "五十三天前", "3 เดือนที่แล้ว"})
        EXPECT_EQ(read(text), Dates{}) << text;
}

std::string normal_phrase(decltype(ureldatefmt_format) &made,
                          const URelativeDateTimeFormatter *format, int offset,
                          URelativeDateTimeUnit unit) {
    std::array<UChar, 256> text;
    std::array<char, 768> utf8;
    std::int32_t size = 0;
    UErrorCode error = U_ZERO_ERROR;
    const std::int32_t length = made(format, offset, unit, text.data(), std::ssize(text), &error);
    u_strToUTF8(utf8.data(), std::ssize(utf8), &size, text.data(), length, &error);
    EXPECT_TRUE(U_SUCCESS(error));
    return std::string(normal_name({utf8.data(), static_cast<std::size_t>(size)},
                                   std::pmr::get_default_resource()));
}

// Whether ICU may be asked for a language is told by hand, of whatever ICU has.
TEST(Dates, EachPhraseOfThePastHasATrigger) {
    for (std::size_t language = 0; language < date_languages.size(); ++language) {
        UErrorCode error = U_ZERO_ERROR;
        URelativeDateTimeFormatter *format =
            ureldatefmt_open(date_languages[language], nullptr, UDAT_STYLE_LONG,
                             UDISPCTX_CAPITALIZATION_NONE, &error);
        ASSERT_TRUE(U_SUCCESS(error));
        PastPhrases past(date_languages[language], std::pmr::get_default_resource());
        const auto check = [&](const std::string &phrase) {
            Pause pause(Interruption::none());
            EXPECT_TRUE(has(languages_by_triggers(phrase, pause), language)) << phrase;
            for (std::size_t end = 0, at = 0; end != phrase.npos; at = end + 1) {
                end = phrase.find(' ', at);
                const std::string word = phrase.substr(at, end - at);
                EXPECT_TRUE(!past.means_last(word) ||
                            has(languages_by_triggers(word, pause), language))
                    << word;
            }
            std::pmr::vector<CountedDate> found;
            past.find(phrase, found, pause);
            EXPECT_EQ(found.size(), 1U) << phrase;
        };
        for (const URelativeDateTimeUnit unit :
             {UDAT_REL_UNIT_DAY, UDAT_REL_UNIT_WEEK, UDAT_REL_UNIT_MONTH, UDAT_REL_UNIT_YEAR}) {
            check(normal_phrase(ureldatefmt_format, format, -1, unit));
            for (int count = 1; count <= 120; ++count)
                check(normal_phrase(ureldatefmt_formatNumeric, format, -count, unit));
        }
        for (int unit = UDAT_REL_UNIT_SUNDAY; unit <= UDAT_REL_UNIT_SATURDAY; ++unit)
            check(normal_phrase(ureldatefmt_format, format, -1,
                                static_cast<URelativeDateTimeUnit>(unit)));
        ureldatefmt_close(format);
    }
}

// A reader that cannot keep anything.
TEST(Dates, WithoutDigitsAndTriggersAskIcuNothing) {
    DateReader reader(std::pmr::null_memory_resource());
    for (const char *text : {"What does Bob like for breakfast?", "Chicago, 'favor' and plastic",
                             "что мы решили о поезде", "我们的火车票", "ตั๋วรถไฟ", "τι είπαμε"})
        EXPECT_EQ(read_by(reader, text, today), Dates{}) << text;
    for (const char *text : {"yesterday", "in 1999", "上周"})
        EXPECT_THROW(read_by(reader, text, today), std::bad_alloc) << text;
}

TEST(Dates, AnyBytesAreAText) {
    std::string text;
    for (int byte = 0; byte < 512; ++byte)
        text.push_back(static_cast<char>(byte * 37));
    EXPECT_NO_THROW(read(text));
    EXPECT_TRUE(read(std::string(100'000, '5')).empty());
    std::string long_text;
    for (int n = 0; n < 20'000; ++n)
        long_text += "last week ";
    EXPECT_EQ(read(long_text).size(), 7U);
}

} // namespace
