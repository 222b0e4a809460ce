// What the tests of the text room share: a dictionary of a few words, and tokens as values.
#pragma once

#include <memory_resource>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "text/analyzer.h"

namespace text_test {

using memory::text::Analyzer;
using memory::text::BadBytes;
using memory::text::Dictionaries;
using memory::text::Dictionary;
using memory::text::Interruption;
using memory::text::Lexemes;
using memory::text::Script;
using memory::text::Token;
using memory::text::TokenSink;
using memory::text::Verdict;
using memory::text::Weight;

// English enough: "the", "of", "and", "to", "be", "who", "is" are stop words, a final s is no part
// of a word of more than three letters, "compound" is two words, "strange" is unknown.
class LittleEnglish final : public Dictionary {
  public:
    Verdict look_up(std::string_view word, Lexemes &lexemes) override {
        ++calls;
        for (const std::string_view stop : {"the", "of", "and", "to", "be", "who", "is"})
            if (word == stop)
                return Verdict::stop_word;
        if (word == "strange")
            return Verdict::unknown;
        if (word == "compound") {
            lexemes.add("com");
            lexemes.add("pound");
        } else {
            const bool plural = word.size() > 3 && word.ends_with('s');
            lexemes.add(word.substr(0, word.size() - (plural ? 1 : 0)));
        }
        return Verdict::lexemes;
    }
    std::string_view identity() const override { return "little"; }

    int calls = 0;
};

struct Found {
    std::string term;
    std::uint32_t ordinal;
    std::uint32_t begin;
    std::uint32_t end;
    Weight weight;

    friend bool operator==(const Found &, const Found &) = default;
};

inline void PrintTo(const Found &found, std::ostream *to) {
    *to << found.term << "@" << found.ordinal << "[" << found.begin << "," << found.end << ")"
        << (found.weight == Weight::weak     ? " weak"
            : found.weight == Weight::single ? " single"
                                             : "");
}

class Recorder final : public TokenSink {
  public:
    void take(const Token &token) override {
        found.push_back(
            {std::string(token.term), token.ordinal, token.begin, token.end, token.weight});
    }
    std::vector<Found> found;
};

// An analyzer with LittleEnglish for Latin and nothing for the rest.
class Texts {
  public:
    explicit Texts(Analyzer::Options options = {},
                   Interruption &interruption = Interruption::none())
        : analyzer_(dictionaries(), std::pmr::get_default_resource(), options, interruption) {}

    std::vector<Found> analyze(std::string_view text, BadBytes bad_bytes = BadBytes::separate) {
        Recorder recorder;
        analyzer_.analyze(text, recorder, bad_bytes);
        return recorder.found;
    }

    // The terms that count, in the order of their making.
    std::vector<std::string> terms(std::string_view text) {
        std::vector<std::string> terms;
        for (Found &found : analyze(text))
            if (found.weight != Weight::weak)
                terms.push_back(std::move(found.term));
        return terms;
    }
    std::vector<std::string> weak_terms(std::string_view text) {
        std::vector<std::string> terms;
        for (Found &found : analyze(text))
            if (found.weight == Weight::weak)
                terms.push_back(std::move(found.term));
        return terms;
    }

    // What the text has for the first token of this term.
    std::string_view source(std::string_view text, std::string_view term) {
        for (const Found &found : analyze(text))
            if (found.term == term)
                return text.substr(found.begin, found.end - found.begin);
        return "(no such term)";
    }

    Analyzer &analyzer() { return analyzer_; }
    LittleEnglish english;

  private:
    Dictionaries dictionaries() {
        Dictionaries all;
        all.serve(memory::text::bit(Script::latin), &english);
        return all;
    }

    Analyzer analyzer_;
};

using Terms = std::vector<std::string>;

} // namespace text_test
