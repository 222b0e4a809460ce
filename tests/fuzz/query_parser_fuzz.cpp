// Any bytes are a query: its clauses lie within it, in its order, and print as a query of the same
// clauses. What it asks of a text is answered by the text as by the text's terms, where these know.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "index/grammar/compile.h"
#include "index/grammar/evidence.h"
#include "index/grammar/occurrences.h"
#include "unit/text_support.h"

namespace {

using namespace memory::index::grammar;
using text_test::Found;
using text_test::Texts;

void require(bool holds, const char *what) {
    if (!holds) {
        std::fprintf(stderr, "broken: %s\n", what);
        std::abort();
    }
}

std::pmr::memory_resource *memory() { return std::pmr::get_default_resource(); }

void check_clauses(std::string_view query) {
    const auto clauses = parse(query, memory());
    const char *at = query.data();
    bool bag_before = false;
    for (const Clause &clause : clauses) {
        require(clause.words.data() >= at, "clauses follow each other");
        at = clause.words.data() + clause.words.size();
        require(at <= query.data() + query.size(), "a clause lies within the query");
        require(!clause.words.empty() || clause.kind == Kind::phrase, "words are not empty");
        require(clause.kind != Kind::phrase || clause.words.find('"') == std::string_view::npos,
                "a phrase ends at the next quote");
        require(clause.kind != Kind::prefix || clause.words.back() != '*', "a prefix has no star");
        require(clause.kind != Kind::near || clause.words.back() != '~', "nor a word a tilde");
        const bool bag = clause.kind == Kind::words && clause.mark == Mark::should;
        require(!(bag && bag_before), "neighbouring words are one bag");
        bag_before = bag;
    }
    std::pmr::string printed;
    print(clauses, printed);
    require(parse(printed, memory()) == clauses, "what is printed parses to the same clauses");
}

// What an index knows.
Answer by_terms(Texts &texts, const Pattern &pattern, std::string_view contents,
                OpeningLookup lookup) {
    Evidence evidence(pattern, lookup, memory());
    for (const Found &token : texts.analyze(contents)) {
        const bool weak = token.weight == text_test::Weight::weak;
        const auto known = pattern.find(token.term, weak);
        if (known && pattern.terms()[*known].looked_up)
            evidence.has_term(*known);
        if (lookup == OpeningLookup::all && !weak)
            each_opening_of(pattern.openings(), token.term,
                            [&](std::uint32_t n) { evidence.has_opening(n); });
    }
    return evidence.answer();
}

void check_pattern(Texts &texts, std::string_view query, std::string_view contents,
                   Reading reading) {
    const Pattern pattern = compile(query, reading, texts.analyzer(), memory());
    require(std::is_sorted(pattern.terms().begin(), pattern.terms().end(),
                           [](const auto &a, const auto &b) { return a.term < b.term; }),
            "terms ascend");
    Occurrences found(pattern, memory());
    texts.analyzer().analyze(contents, found);
    const bool matches = found.match();
    for (const OpeningLookup lookup : {OpeningLookup::all, OpeningLookup::none}) {
        const Answer answer = by_terms(texts, pattern, contents, lookup);
        require(answer == Answer::maybe || (answer == Answer::yes) == matches,
                "terms do not contradict the text");
        require(answer != Answer::maybe || pattern.needs_text() || lookup == OpeningLookup::none,
                "only a phrase leaves it open");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
    static Texts texts;
    const std::string_view all(reinterpret_cast<const char *>(data), size);
    check_clauses(all);
    if (size < 2)
        return 0;
    const std::size_t split = std::min<std::size_t>(data[0], size - 1);
    for (const Reading reading : {Reading::plain, Reading::websearch})
        check_pattern(texts, all.substr(1, split), all.substr(1 + split), reading);
    return 0;
}
