// What queries ask of texts: the semantics of docs/query.md, on the texts themselves and as an
// index sees them.
#include "index/grammar/compile.h"
#include "index/grammar/evidence.h"
#include "index/grammar/occurrences.h"
#include "index/grammar/prefixes.h"
#include "text/terms.h"
#include "unit/text_support.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace {

using namespace memory::index::grammar;
using text_test::Found;
using text_test::Texts;

std::pmr::memory_resource *memory() { return std::pmr::get_default_resource(); }

class Queries : public testing::Test {
  protected:
    Pattern pattern(std::string_view query, Reading reading = Reading::websearch) {
        return compile(query, reading, texts.analyzer(), memory());
    }

    bool matches(std::string_view query, std::string_view contents) {
        return matches(pattern(query), contents);
    }
    bool matches(const Pattern &query, std::string_view contents) {
        Occurrences found(query, memory());
        texts.analyzer().analyze(contents, found);
        return found.match();
    }

    // What an index would know of the text: its terms, and its prefixes if it looks them up.
    Answer by_terms(const Pattern &query, std::string_view contents,
                    OpeningLookup lookup = OpeningLookup::all) {
        Evidence evidence(query, lookup, memory());
        for (const Found &token : texts.analyze(contents)) {
            const bool weak = token.weight == text_test::Weight::weak;
            const auto known = query.find(token.term, weak);
            if (known && query.terms()[*known].looked_up)
                evidence.has_term(*known);
            if (lookup == OpeningLookup::all && !weak)
                each_opening_of(query.openings(), token.term,
                                [&](std::uint32_t n) { evidence.has_opening(n); });
        }
        return evidence.answer();
    }

    bool has_what_is_necessary(const Pattern &query, std::string_view contents) {
        std::vector<bool> has(query.terms().size());
        for (const Found &token : texts.analyze(contents))
            if (const auto term = query.find(token.term, token.weight == text_test::Weight::weak))
                has[*term] = true;
        const auto present = [&](std::uint32_t term) { return has[term]; };
        const Necessary asked = query.necessary(memory());
        return std::none_of(asked.forbidden.begin(), asked.forbidden.end(), present) &&
               std::all_of(asked.conditions.begin(), asked.conditions.end(), [&](const auto &any) {
                   return std::any_of(any.begin(), any.end(), present);
               });
    }

    // The conditions and what is forbidden, as terms: "(a or b) (c) not d", and "?" if that is not
    // all.
    std::string necessary(std::string_view query) {
        const Pattern compiled = pattern(query);
        const Necessary found = compiled.necessary(memory());
        std::string result;
        for (const auto &condition : found.conditions) {
            std::string any;
            for (const std::uint32_t term : condition)
                any.append(any.empty() ? "" : " or ").append(compiled.terms()[term].term);
            result += "(" + any + ") ";
        }
        for (const std::uint32_t term : found.forbidden)
            result.append("not ").append(compiled.terms()[term].term).append(" ");
        return result + (found.sufficient ? "." : "?");
    }

    // The bag that BM25 scores.
    std::map<std::string, std::uint32_t> scored(std::string_view query) {
        std::map<std::string, std::uint32_t> bag;
        const Pattern compiled = pattern(query);
        for (const PatternTerm &term : compiled.terms())
            if (term.multiplicity > 0)
                bag.emplace(term.term, term.multiplicity);
        return bag;
    }

    Texts texts;
};

using Bag = std::map<std::string, std::uint32_t>;

TEST_F(Queries, MatchAnyWordWithoutAMark) {
    EXPECT_TRUE(matches("late invoices", "an invoice"));
    EXPECT_FALSE(matches("late invoices", "nothing"));
    EXPECT_FALSE(matches("late invoices", ""));
}

TEST_F(Queries, MatchNothingWithoutAWordThatIsWanted) {
    for (const std::string_view query : {"", "?!", "-a", "-a -\"b\" -c*", "\"\"", "+?", "*"})
        EXPECT_FALSE(matches(query, "a b c ?!")) << query;
}

TEST_F(Queries, MatchWhenEveryMustAndNoNotDoes) {
    EXPECT_TRUE(matches("+late +invoice cats", "late invoices"));
    EXPECT_FALSE(matches("+late +invoice cats", "late cats"));
    EXPECT_FALSE(matches("+late -invoice", "late invoices"));
    EXPECT_TRUE(matches("+late -invoice", "late"));
}

TEST_F(Queries, LeaveStopWordsOutWhereThereIsMoreToFind) {
    EXPECT_TRUE(matches("the", "the cat"));
    EXPECT_FALSE(matches("the dog", "the cat"));
    EXPECT_FALSE(matches("the \"red dog\"", "the cat"));
    EXPECT_FALSE(matches("the do*", "the cat"));
    EXPECT_TRUE(matches("+the +cat", "the cat"));
    EXPECT_FALSE(matches("+the +cat", "cat"));
    EXPECT_FALSE(matches("cat -the", "the cat"));
}

TEST_F(Queries, DemandAllThatAMarkedWordIsCutInto) {
    EXPECT_TRUE(matches("+foo-bar", "see foo-bar"));
    EXPECT_FALSE(matches("+foo-bar", "bar foo"));
    EXPECT_TRUE(matches("foo -foo-bar", "bar foo"));
    EXPECT_FALSE(matches("foo -foo-bar", "foo-bar"));
    EXPECT_TRUE(matches("+compound", "a compound"));
    EXPECT_FALSE(matches("+compound", "a pound"));
    EXPECT_FALSE(matches("+東京都", "東京"));
    EXPECT_TRUE(matches("+東京都", "東京都庁"));
    EXPECT_TRUE(matches("+猫", "黒猫"));
}

TEST_F(Queries, FindAPhraseWhereItsWordsStandOneBehindTheOther) {
    EXPECT_TRUE(matches("\"net 30\"", "pay net 30 days"));
    EXPECT_FALSE(matches("\"net 30\"", "30 net"));
    EXPECT_FALSE(matches("\"net 30\"", "net of 30"));
    EXPECT_TRUE(matches("\"a b a c\"", "a b a b a c"));
    EXPECT_FALSE(matches("\"a b a c\"", "a b a b c"));
}

// A phrase longer than a machine word, in texts in which it nearly stands everywhere.
TEST_F(Queries, FindLongPhrasesWhereTheyStandOnly) {
    for (const std::size_t length : {63U, 64U, 65U, 128U, 200U}) {
        std::string words;
        for (std::size_t i = 1; i < length; ++i)
            words += "x ";
        const std::string query = "\"" + words + "y\"";
        EXPECT_TRUE(matches(query, words + "y")) << length;
        EXPECT_TRUE(matches(query, "y " + words + words + "y z")) << length;
        EXPECT_FALSE(matches(query, words.substr(2) + "y")) << length;
        EXPECT_FALSE(matches(query, words.substr(2) + "z x y")) << length;
        EXPECT_FALSE(matches(query, words + words + "z y")) << length;
    }
}

TEST_F(Queries, FindAPhraseAsACarefulReaderDoes) {
    const auto seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const auto words = [&](std::size_t count) {
        std::string result;
        for (; count > 0; --count)
            result += std::string(1, static_cast<char>('p' + random() % 2)) + " ";
        return result;
    };
    for (int round = 0; round < 2000; ++round) {
        const std::string wanted = words(2 + random() % 80);
        std::string contents = words(random() % 200);
        if (random() % 2 == 0)
            contents += wanted + words(random() % 3);
        EXPECT_EQ(matches("\"" + wanted + "\"", contents),
                  contents.find(wanted) != std::string::npos)
            << wanted << "| " << contents;
    }
}

TEST_F(Queries, FindStopWordsInAPhraseWhereTheyStand) {
    EXPECT_TRUE(matches("\"bank of england\"", "the bank of England"));
    EXPECT_FALSE(matches("\"bank of england\"", "bank england"));
    EXPECT_FALSE(matches("\"bank of england\"", "bank and england"));
    EXPECT_TRUE(matches("\"to be\"", "to be"));
    EXPECT_FALSE(matches("\"to be\"", "be to"));
}

TEST_F(Queries, FindChineseAndJapanesePhrasesByTheirCharacters) {
    EXPECT_TRUE(matches("\"東京都\"", "東京都庁"));
    EXPECT_FALSE(matches("\"東京都\"", "京都と東京"));
    EXPECT_TRUE(matches("\"猫\"", "黒猫"));
    EXPECT_TRUE(matches("\"東京 大\"", "東京大学"));
}

TEST_F(Queries, FindAPhraseThroughIdentifiers) {
    EXPECT_TRUE(matches("\"foo bar baz\"", "a foo-bar baz"));
    EXPECT_TRUE(matches("\"foo-bar baz\"", "a foo bar baz"));
    EXPECT_FALSE(matches("\"foo-bar baz\"", "a foo baz"));
    EXPECT_TRUE(matches("\"to-do list\"", "a to do list"));
    EXPECT_TRUE(matches("\"to do list\"", "a to-do list"));
}

TEST_F(Queries, FindByPrefixWhatGoesOnAndTheWordItself) {
    EXPECT_TRUE(matches("pay*", "payable"));
    EXPECT_TRUE(matches("Nai*", "Naïve"));
    EXPECT_FALSE(matches("pay*", "repay"));
    EXPECT_TRUE(matches("bills*", "a bill"));   // stemmed away: the word itself
    EXPECT_FALSE(matches("bills*", "billing")); // does not begin with it
    EXPECT_FALSE(matches("the*", "the"));
    EXPECT_TRUE(matches("東*", "東京"));
    EXPECT_FALSE(matches("東*", "関東"));
}

TEST_F(Queries, KnowEveryPrefixOfATerm) {
    const Pattern query = pattern("a* ab* abc* abd* b* ab* bcd* abcde*");
    const auto prefixes = query.openings().prefixes;
    std::vector<std::string> all(prefixes.begin(), prefixes.end());
    EXPECT_EQ(all, (std::vector<std::string>{"a", "ab", "abc", "abcde", "abd", "b", "bcd"}));
    for (const std::string_view term : {"a", "ab", "abc", "abcd", "abcde", "abcdef", "abd", "abe",
                                        "b", "bc", "bcd", "c", "A", ""}) {
        std::vector<std::string> found;
        each_prefix_of(prefixes, term, [&](std::uint32_t n) { found.push_back(all[n]); });
        std::sort(found.begin(), found.end());
        std::vector<std::string> expected;
        std::copy_if(all.begin(), all.end(), std::back_inserter(expected),
                     [term](const std::string &prefix) { return term.starts_with(prefix); });
        EXPECT_EQ(found, expected) << term;
    }
}

TEST_F(Queries, FindByATildeWhatTheWordMayBeAMisspellingOf) {
    EXPECT_TRUE(matches("viena~", "to Vienna"));
    EXPECT_TRUE(matches("viena~~", "to Vienna"));
    EXPECT_TRUE(matches("vienna~", "to Vienna"));
    EXPECT_TRUE(matches("recieve~", "received")); // stems are compared
    EXPECT_FALSE(matches("viena", "to Vienna"));
    EXPECT_FALSE(matches("viena~", "to Venice"));
    EXPECT_FALSE(matches("th~ tha~", "the then")); // too short
    EXPECT_FALSE(matches("becaus~", "because"));   // a stop word
    EXPECT_TRUE(matches("+viena~ -nigth~", "to Vienna"));
    EXPECT_FALSE(matches("+viena~ -nigth~", "to Vienna by night"));
    EXPECT_FALSE(matches("+viena~ +nigth~", "to Vienna"));
    EXPECT_FALSE(matches("nigth-trian~", "a night-train")); // an identifier is near itself
    EXPECT_TRUE(matches("nigth-trian~", "a nigth-trian"));
    EXPECT_TRUE(matches("1234~", "1234"));
    EXPECT_FALSE(matches("1234~", "1235"));
    EXPECT_FALSE(matches("~", "~"));
    EXPECT_EQ(by_terms(pattern("+viena~"), "Vienna"), Answer::yes);
    EXPECT_EQ(by_terms(pattern("+viena~"), "Vienna", OpeningLookup::none), Answer::maybe);
}

TEST_F(Queries, DemandOfAPrefixTheWordsBeforeItsEnd) {
    EXPECT_TRUE(matches("foo-ba*", "foo-bar.baz"));
    EXPECT_TRUE(matches("l'av*", "l'avion"));
    EXPECT_FALSE(matches("l'av*", "avion"));
    EXPECT_TRUE(matches("東京都*", "東京都庁"));
    EXPECT_FALSE(matches("東京都*", "京都"));
}

TEST_F(Queries, ScoreTheBagOfWordsAndPhrasesThatAreNotUnwanted) {
    EXPECT_EQ(scored("late +invoices \"net of net\" pay* -paid"),
              (Bag{{"late", 1}, {"invoice", 1}, {"net", 2}}));
    EXPECT_EQ(scored("to be"), (Bag{{"\x01to", 1},
                                    {"\x01"
                                     "be",
                                     1}}));
    EXPECT_EQ(scored("to pay*"), Bag{});
    EXPECT_EQ(scored("-a"), Bag{});
}

TEST_F(Queries, WithoutOperatorsAreThePlainBag) {
    for (const std::string_view query :
         {"late invoices", "to be or not", "foo-bar C++ 東京都 猫", "020 7946 0958", "a a b"}) {
        const Pattern plain = pattern(query, Reading::plain);
        const Pattern typed = pattern(query);
        ASSERT_EQ(plain.terms().size(), typed.terms().size()) << query;
        for (std::size_t i = 0; i < plain.terms().size(); ++i) {
            EXPECT_EQ(plain.terms()[i].term, typed.terms()[i].term);
            EXPECT_EQ(plain.terms()[i].multiplicity, typed.terms()[i].multiplicity);
        }
        memory::text::Terms terms(memory());
        texts.analyzer().analyze(query, terms);
        ASSERT_EQ(terms.query().size(), plain.terms().size());
        for (std::size_t i = 0; i < plain.terms().size(); ++i) {
            EXPECT_EQ(terms.query()[i].term, plain.terms()[i].term);
            EXPECT_EQ(terms.query()[i].count, plain.terms()[i].multiplicity);
        }
    }
}

TEST_F(Queries, OfPlainTextKnowNoOperators) {
    EXPECT_TRUE(matches(pattern("-paid", Reading::plain), "paid"));
    EXPECT_FALSE(matches(pattern("pay*", Reading::plain), "payable"));
}

TEST_F(Queries, AreAnsweredByTermsAloneUnlessAPhraseDecides) {
    const Pattern words = pattern("+late -foo-bar invoice");
    EXPECT_FALSE(words.needs_text());
    EXPECT_EQ(by_terms(words, "late"), Answer::yes);
    EXPECT_EQ(by_terms(words, "late foo-bar"), Answer::no);
    EXPECT_FALSE(pattern("\"invoice\"").needs_text());
    EXPECT_FALSE(pattern("+late \"net 30\"").needs_text());
    const Pattern phrase = pattern("late \"net 30\"");
    EXPECT_TRUE(phrase.needs_text());
    EXPECT_EQ(by_terms(phrase, "late"), Answer::yes);
    EXPECT_EQ(by_terms(phrase, "30 net"), Answer::maybe);
    EXPECT_EQ(by_terms(phrase, "net"), Answer::no);
    EXPECT_EQ(by_terms(pattern("late -\"net 30\""), "late net"), Answer::yes);
    EXPECT_EQ(by_terms(pattern("late -\"net 30\""), "late net 30"), Answer::maybe);
    EXPECT_EQ(by_terms(pattern("late -\"net 30\""), "net 30"), Answer::no);
}

TEST_F(Queries, LeaveStopWordsInsideAPhraseToTheText) {
    const Pattern phrase = pattern("\"bank of england\"");
    for (const PatternTerm &term : phrase.terms())
        EXPECT_EQ(term.looked_up, term.term != "\x01of") << term.term;
    EXPECT_EQ(by_terms(phrase, "england bank"), Answer::maybe);
    const Pattern weak = pattern("\"to be\"");
    for (const PatternTerm &term : weak.terms())
        EXPECT_TRUE(term.looked_up);
}

TEST_F(Queries, AreLeftOpenByAnIndexThatLooksUpNoPrefixes) {
    const Pattern query = pattern("+late pay* -foo*");
    EXPECT_EQ(by_terms(query, "late", OpeningLookup::none), Answer::maybe);
    EXPECT_EQ(by_terms(query, "payable", OpeningLookup::none), Answer::no);
    EXPECT_EQ(by_terms(query, "late food"), Answer::no);
}

TEST_F(Queries, AreAskedOfOneDocumentAfterAnother) {
    const Pattern query = pattern("+late -paid pay*");
    const std::uint32_t late = *query.find("late", false);
    const std::uint32_t paid = *query.find("paid", false);
    Evidence evidence(query, OpeningLookup::all, memory());
    EXPECT_EQ(evidence.answer(), Answer::no);
    evidence.has_term(late);
    EXPECT_EQ(evidence.answer(), Answer::yes);
    evidence.has_term(paid);
    EXPECT_EQ(evidence.answer(), Answer::no);
    evidence.clear();
    EXPECT_EQ(evidence.answer(), Answer::no);
    evidence.has_term(late);
    EXPECT_EQ(evidence.answer(), Answer::yes);
}

TEST_F(Queries, SayWhatEveryMatchHas) {
    EXPECT_EQ(necessary("late invoices"), "(invoice or late) .");
    EXPECT_EQ(necessary("+late +foo-bar x"), "(late) (bar) (foo) (foo-bar) .");
    EXPECT_EQ(necessary("late -paid -\"due\""), "(late) not paid not due .");
    EXPECT_EQ(necessary("late -foo-bar"), "(late) ?");
    EXPECT_EQ(necessary("+\"bank of england\""), "(bank) (england) ?");
    EXPECT_EQ(necessary("late \"net 30\""), "(late or net) ?");
    EXPECT_EQ(necessary("late pay*"), "?");
    EXPECT_EQ(necessary("+late +pay*"), "(late) ?");
    EXPECT_EQ(necessary("+late -pay*"), "(late) ?");
    EXPECT_EQ(necessary("-late"), "() not late .");
    EXPECT_EQ(necessary(""), "() .");
}

// Every text, every query of random pieces: what the terms say is what the text says, or open.
TEST_F(Queries, AreNeverContradictedByTheText) {
    const auto seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const std::vector<std::string> words{"a",  "b",      "cats", "to",  "of",  "foo-b",
                                         "C#", "東京都", "猫",   "ab*", "+a",  "-b",
                                         "\"", "+\"",    "-\"",  "ca*", "-c*", "?"};
    const auto some = [&](std::size_t most) {
        std::string result;
        for (std::size_t left = random() % most; left > 0; --left)
            result += words[random() % words.size()] + (random() % 4 > 0 ? " " : "");
        return result;
    };
    for (int round = 0; round < 3000; ++round) {
        const std::string query = some(8);
        const std::string contents = some(12);
        const Pattern compiled = pattern(query);
        const bool found = matches(compiled, contents);
        const Answer answer = by_terms(compiled, contents);
        EXPECT_TRUE(answer == Answer::maybe || (answer == Answer::yes) == found)
            << query << " | " << contents;
        EXPECT_TRUE(answer != Answer::maybe || compiled.needs_text()) << query;
        if (found) {
            EXPECT_TRUE(has_what_is_necessary(compiled, contents)) << query << " | " << contents;
        }
        if (compiled.necessary(memory()).sufficient) {
            EXPECT_EQ(has_what_is_necessary(compiled, contents), found)
                << query << " | " << contents;
        }
        const Answer less = by_terms(compiled, contents, OpeningLookup::none);
        EXPECT_TRUE(less == Answer::maybe || (less == Answer::yes) == found)
            << query << " | " << contents;
    }
}

} // namespace
