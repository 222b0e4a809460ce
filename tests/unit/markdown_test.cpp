// Files of memories: what is printed is read as it was, and what a person writes by hand is read as
// that person means it.
#include "moving/markdown/document.h"
#include "moving/markdown/text.h"

#include <gtest/gtest.h>

#include <random>

namespace memory::markdown {
namespace {

std::pmr::memory_resource *memory() { return std::pmr::new_delete_resource(); }

Document read(std::string_view body, File file = File::notes) {
    return parse(body, file, text::Interruption::none(), memory());
}

// "section/time/content>response" or "subject|predicate|object" of each entry, in lines.
std::string said(const Document &document) {
    std::string text;
    for (const Entry &entry : document.entries) {
        if (entry.thing == Thing::fact)
            text += entry.subject + "|" + entry.predicate + "|" + entry.object;
        else
            text += entry.section + "/" + entry.time + "/" + entry.content;
        if (!entry.response.empty())
            text += ">" + entry.response;
        text += ";";
    }
    if (document.fault)
        text += " line " + std::to_string(document.fault->line) + ": " + document.fault->what;
    return text;
}
std::string said(std::string_view body, File file = File::notes) { return said(read(body, file)); }

Entry episode(std::string_view content, std::string_view response = "") {
    Entry entry(memory());
    entry.id = Id{0x01, 0x90, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, 0x0A};
    entry.content = content;
    entry.response = response;
    return entry;
}

Entry fact(std::string_view subject, std::string_view predicate, std::string_view object) {
    Entry entry = episode("");
    entry.thing = Thing::fact;
    entry.subject = subject;
    entry.predicate = predicate;
    entry.object = object;
    return entry;
}

std::string printed(const std::vector<Entry> &entries, File file = File::notes) {
    std::pmr::string body(memory());
    Printer printer(file, "Memory", body);
    for (const Entry &entry : entries)
        printer.add(entry);
    return std::string(body);
}

void expect_same(const Entry &read, const Entry &written) {
    EXPECT_EQ(read.thing, written.thing);
    EXPECT_EQ(read.id, written.id);
    EXPECT_EQ(read.digest, digest_of(written));
    EXPECT_EQ(read.section, written.section);
    EXPECT_EQ(read.time, written.time);
    EXPECT_EQ(read.content, written.content);
    EXPECT_EQ(read.response, written.response);
    EXPECT_EQ(read.subject, written.subject);
    EXPECT_EQ(read.predicate, written.predicate);
    EXPECT_EQ(read.object, written.object);
    EXPECT_EQ(read.attributes, written.attributes);
}

void expect_back(const std::vector<Entry> &entries, File file) {
    const std::string body = printed(entries, file);
    const Document document = read(body, file);
    EXPECT_FALSE(document.fault) << body;
    ASSERT_EQ(document.entries.size(), entries.size()) << body;
    for (std::size_t n = 0; n < entries.size(); ++n)
        expect_same(document.entries[n], entries[n]);
}

TEST(Layout, PathsSayWhatIsInAFile) {
    EXPECT_EQ(file_at("SOUL.md"), File::soul);
    EXPECT_EQ(file_at("MEMORY.md"), File::notes);
    EXPECT_EQ(file_at("memory/2026-03-01.md"), File::day);
    EXPECT_EQ(file_at("memory/12026-03-01.md"), File::day);
    EXPECT_EQ(file_at("memory/0044-03-15 BC.md"), File::day);
    EXPECT_EQ(day_of("memory/0044-03-15 BC.md"), "0044-03-15 BC");
    for (const char *block :
         {"memory/2026-03-01-trip.md", "memory/226-03-01.md", "memory/.md", "memory/2026-3-01.md",
          "/memory/2026-03-01.md", "notes/a", "a/MEMORY.md", "memory/2026-03-01.MD"})
        EXPECT_EQ(file_at(block), File::block) << block;
    for (const char *none : {"", "memory.md", "soul", "USER.md"})
        EXPECT_EQ(file_at(none), File::none) << none;
}

TEST(Layout, TimesStandInTheFilesOfTheirDays) {
    for (const std::string_view iso : {"2026-03-01T09:15:00+00:00", "12026-03-01T00:00:00+00:00",
                                       "0044-03-15T23:59:00+00:00 BC"}) {
        const Moment moment(iso, memory());
        EXPECT_TRUE(moment.is_minute) << iso;
        EXPECT_EQ(file_at(path_of_day(moment.day, memory())), File::day);
        EXPECT_EQ(std::string_view(iso_time(moment.day, moment.minute, memory())), iso);
    }
    EXPECT_FALSE(Moment("2026-03-01T09:15:00.5+00:00", memory()).is_minute);
    EXPECT_FALSE(Moment("2026-03-01T09:15:30+00:00", memory()).is_minute);
    EXPECT_EQ(std::string_view(iso_time("2026-03-01", "", memory())), "2026-03-01T00:00:00+00:00");
    EXPECT_EQ(std::string_view(iso_time("2026-03-01", "01:02:03.5", memory())),
              "2026-03-01T01:02:03.5+00:00");
}

TEST(Text, NormalTextsAreWhatEditorsLeave) {
    EXPECT_EQ(normal("a", memory()), "a");
    EXPECT_EQ(normal(" \r\n\t\r\n  a \r\n\r\n  b\t\rc\n\n ", memory()), "a\n\n  b\nc");
    EXPECT_EQ(normal(" \n ", memory()), "");
}

TEST(Text, EscapesHaveAnInverse) {
    std::mt19937 random(1);
    constexpr std::string_view letters = "\\<!->| ";
    for (int round = 0; round < 20000; ++round) {
        std::string line;
        for (auto size = random() % 12; line.size() < size;)
            line.push_back(letters[random() % letters.size()]);
        for (const Escape &how : {comment_escape, quote_escape, part_escape}) {
            std::pmr::string escaped(memory());
            std::pmr::string back(memory());
            escape(line, how, escaped);
            unescape(escaped, how, back);
            EXPECT_EQ(std::string_view(back), line);
            for (std::size_t at = 0; at < (how.at_begin ? 1 : escaped.size()); ++at)
                EXPECT_FALSE(stands_at(escaped, at, how.mark)) << line;
        }
    }
}

TEST(Printed, AFileIsForReaders) {
    Entry note = episode("Prefers tea.\n\nWith milk.", "Noted.");
    note.attributes.kind = "long_term";
    EXPECT_EQ(printed({fact("Ada", "lives_in", "Rome"), note}), R"(# Memory

## Facts

- Ada | lives_in | Rome <!-- fact:01900000-0000-7000-8000-00000000000a f1769b382bd0691e -->

## Notes

- Prefers tea. <!-- episode:01900000-0000-7000-8000-00000000000a 976cec22d3f3b177 kind=long_term -->

  With milk.
  > Noted.
)");
    Entry at = episode("The train leaves.");
    at.time = "09:15";
    EXPECT_EQ(printed({at}, File::day), R"(# Memory

- 09:15 The train leaves. <!-- episode:01900000-0000-7000-8000-00000000000a fd73927c2082165e -->
)");
}

TEST(Printed, ComesBackAsItWas) {
    Entry odd =
        episode("- not a bullet\n# no heading\n> no quote\n\\> nor this\n---\n\n\n    code\n\ttab",
                "> quoted\n\n- <!-- comment --> \\<!-- another\n```\nfence");
    odd.attributes.role = "a user > 100 %=\n-->";
    odd.attributes.at = "0044-03-15T00:00:00+00:00 BC";
    Entry marked =
        episode("ends in a comment <!-- episode:01900000-0000-7000-8000-00000000000a -->");
    marked.section = "Preferences # and more";
    const Entry silent = episode("", "only a response");
    expect_back({fact("a | b\\", "is", "c\n|| d \\| <!-- e"), odd, silent, marked, silent},
                File::notes);
    Entry timed = episode("10:30 is when it was said to begin");
    timed.time = "09:15";
    Entry later = episode("", "09:15");
    later.time = "23:59";
    expect_back({timed, later}, File::day);
}

TEST(Printed, AnyTextComesBackAsItsNormalForm) {
    std::mt19937 random(7);
    constexpr std::string_view pieces[] = {"a",   " ",        "\n",    "\r",  "\t", "-", "- ",
                                           "#",   "> ",       "<!--",  "-->", "\\", "|", "```",
                                           "1. ", "episode:", "09:15", "---", "  "};
    const auto text = [&] {
        std::string made;
        for (auto count = random() % 12; count > 0; --count)
            made += pieces[random() % std::size(pieces)];
        return normal(made, memory());
    };
    for (int round = 0; round < 3000; ++round) {
        const File file = round % 2 == 0 ? File::notes : File::day;
        std::vector<Entry> entries;
        for (int n = 0; n < 3; ++n) {
            entries.push_back(episode(text(), text()));
            if (entries.back().content.empty() && entries.back().response.empty())
                entries.pop_back();
            else if (file == File::day)
                entries.back().time = "00:00";
        }
        if (const auto name = text(); !name.empty() && file == File::notes)
            entries.insert(entries.begin(), fact(name, "says", name));
        expect_back(entries, file);
    }
}

TEST(Handwritten, BulletsParagraphsAndHeadings) {
    EXPECT_EQ(said("\xEF\xBB\xBF# Me\r\n\r\n- one\r\n* two\r\n  more\r\n\r\n  and more\r\n12. "
                   "three\r\nlazy\r\n"),
              "//one;//two\nmore\n\nand more;//three\nlazy;");
    EXPECT_EQ(said("para\ngraph\n\nanother\n- bullet\n## Likes ##\n- tea\n### Sub\n+ milk\n## "
                   "Notes\n- x\n"),
              "//para\ngraph;//another;//bullet;Likes ##//tea;Sub//milk;//x;");
    EXPECT_EQ(said("---\ntitle: x\n---\n<!-- template\nmore -->\n\n- one\n\n---\n<!-- a --> "
                   "text\n- \n-\n"),
              "//one;//text;");
    EXPECT_EQ(said("```\n# no heading\n\n- no bullet\n```\nend\n\n- a\n```\nb"),
              "//```\n# no heading\n\n- no bullet\n```\nend;//a;//```\nb;");
    EXPECT_EQ(said("- [ ] to do\n  - nested\n\n> all\n> quoted\n"),
              "//[ ] to do\n- nested;//> all\n> quoted;");
    EXPECT_EQ(said("- asked\n  > told\n  > twice\n"), "//asked>told\ntwice;");
    EXPECT_EQ(said("- a <!-- todo --> b <!--"), "//a <!-- todo --> b <!--;");
}

TEST(Handwritten, TimesOfADay) {
    EXPECT_EQ(
        said("- 09:15 a\n- 9:15 b\n- 24:00 c\n- 09:15:03.25\n- 09:15a\n- 23:59:59 d\n", File::day),
        "/09:15/a;//9:15 b;//24:00 c;//09:15a;/23:59:59/d;");
    EXPECT_EQ(said("- 09:15 a\n"), "//09:15 a;");
}

TEST(Handwritten, Facts) {
    EXPECT_EQ(said("## Facts\n- Ada | lives in | Rome\n-  a \\| b|c |d \n- likes tea\n\ntext | in "
                   "| it\n## Else\n- a|b|c\n"),
              "Ada|lives in|Rome;a | b|c|d;//likes tea;//text | in | it;Else//a|b|c;");
    EXPECT_EQ(said("## Facts\n- a | b\n"),
              " line 2: a fact is three parts: subject | predicate | object");
    EXPECT_EQ(said("## Facts\n\n- a | b | c | d\n"),
              " line 3: a fact is three parts: subject | predicate | object");
    EXPECT_EQ(said("## Facts\n- a | | c\n"),
              " line 2: a fact is three parts: subject | predicate | object");
}

TEST(Handwritten, MarksWhereverTheyStand) {
    const std::string mark = "<!-- episode:01900000-0000-7000-8000-00000000000A -->";
    for (const std::string &body :
         std::vector<std::string>{"- a b " + mark, "- a " + mark + " b", "- " + mark + "a b",
                                  "a b\n" + mark, "- a b\n  " + mark + "  "}) {
        const Document document = read(body);
        ASSERT_EQ(document.entries.size(), 1U) << body << said(document);
        EXPECT_EQ(document.entries[0].content, "a b") << body;
        EXPECT_EQ(document.entries[0].id, episode("").id);
    }
}

TEST(Handwritten, BrokenMarksAreFaults) {
    const std::string id = "01900000-0000-7000-8000-00000000000a";
    const auto fault = [](const std::string &body) { return said("\n- a " + body); };
    EXPECT_EQ(fault("<!-- episode:" + id.substr(1) + " -->"),
              " line 2: the id in its comment is none");
    EXPECT_EQ(fault("<!-- episode:x" + id.substr(1) + " -->"),
              " line 2: the id in its comment is none");
    EXPECT_EQ(fault("<!-- episode:" + id),
              " line 2: the comment of a memory begins here, and does not end");
    EXPECT_EQ(fault("<!-- episode:" + id + " -->\n  <!-- fact:" + id + " -->"),
              " line 2: these are two memories, or two comments of one");
    EXPECT_EQ(fault("<!-- episode:" + id + " zz -->"),
              " line 2: its comment says something that no comment of a memory says");
    EXPECT_EQ(fault("<!-- episode:" + id + " user=ada -->"),
              " line 2: its comment says something that no comment of a memory says");
    EXPECT_EQ(fault("<!-- episode:" + id + " role=a role=b -->"),
              " line 2: its comment says something twice");
    EXPECT_EQ(fault("<!-- episode:" + id + " role=%0 -->"),
              " line 2: its comment has a value that is none");
    EXPECT_EQ(fault("<!-- episode:" + id + " role=%00 -->"),
              " line 2: its comment has a value that is none");
    EXPECT_EQ(said("- a\n<!-- todo\n- b\n"),
              "//a; line 2: a comment begins here, and does not end");
}

// Work grows with the size of a file, however little of it makes sense: a second would be a minute.
TEST(Handwritten, NothingTakesLongerThanItIs) {
    for (const std::string_view piece : {"<!-- \n", "```\n", "- \n\n", "\\", "<!-- episode:", "> ",
                                         "a | ", "---\n", "# \n", "  \n"}) {
        std::string body;
        while (body.size() < 2'000'000)
            body += piece;
        const Document document = read("## Facts\n- " + body);
        EXPECT_LE(document.entries.size(), body.size());
    }
}

} // namespace
} // namespace memory::markdown
