#include "text/dates.h"

#include <gtest/gtest.h>

#include <fstream>

namespace {

using namespace memory::text;

using Dates = std::vector<NamedDate>;

Dates read(std::string_view text) {
    static const MonthNames months(std::pmr::get_default_resource());
    const auto found = named_dates(text, months, std::pmr::get_default_resource());
    return {found.begin(), found.end()};
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
}

TEST(Dates, AreNotWhatOnlyLooksLikeOne) {
    for (const char *text :
         {"", "I may go", "march on", "5 apples", "3 days ago", "call 555-1234-99", "version 2.3.4",
          "99999999999999999999 March", "月", "tháng"})
        EXPECT_EQ(read(text), Dates{}) << text;
}

TEST(Dates, AnyBytesAreAText) {
    std::string text;
    for (int byte = 0; byte < 512; ++byte)
        text.push_back(static_cast<char>(byte * 37));
    EXPECT_NO_THROW(read(text));
    EXPECT_TRUE(read(std::string(100'000, '5')).empty());
}

} // namespace
