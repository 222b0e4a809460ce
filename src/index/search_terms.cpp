// Sorts and numbers the terms of all queries of a search, and judges documents by those numbers.
#include "index/search_terms.h"

#include "text/interruption_sql.h"

namespace memory::index {

namespace {

// For a pause.
constexpr std::size_t steps_to_compare = 4;
constexpr std::size_t steps_to_find = 64;

void sort_distinct(std::pmr::vector<std::pmr::string> &strings) {
    text::Pause pause(text::server_interruption);
    std::sort(strings.begin(), strings.end(), [&](std::string_view a, std::string_view b) {
        pause.step(steps_to_compare);
        return a < b;
    });
    strings.erase(std::unique(strings.begin(), strings.end()), strings.end());
}

std::uint32_t place_of(std::span<const std::pmr::string> strings, std::string_view string) {
    return static_cast<std::uint32_t>(std::lower_bound(strings.begin(), strings.end(), string) -
                                      strings.begin());
}

} // namespace

std::pmr::vector<std::uint32_t> SearchQuery::numbers_of(std::span<const std::uint32_t> some) const {
    std::pmr::vector<std::uint32_t> numbers(terms.get_allocator());
    for (const std::uint32_t term : some)
        numbers.push_back(terms[term]);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

SearchTerms::SearchTerms(std::pmr::memory_resource *memory)
    : memory_(memory), terms_(memory), prefixes_(memory), nears_(memory), queries_(memory) {}

void SearchTerms::add(const grammar::Pattern &pattern, QueryKind kind) {
    queries_.emplace_back(pattern, kind, memory_);
    for (const grammar::PatternTerm &term : pattern.terms())
        if (term.looked_up)
            terms_.emplace_back(term.term);
    for (const std::pmr::string &prefix : pattern.openings().prefixes)
        prefixes_.emplace_back(prefix);
    for (const grammar::Near &near : pattern.openings().nears)
        nears_.push_back({std::pmr::string(near.word, memory_), near.spelling});
}

void SearchTerms::number() {
    sort_distinct(terms_);
    sort_distinct(prefixes_);
    std::sort(nears_.begin(), nears_.end(),
              [](const auto &a, const auto &b) { return a.word < b.word; });
    nears_.erase(std::unique(nears_.begin(), nears_.end(),
                             [](const auto &a, const auto &b) { return a.word == b.word; }),
                 nears_.end());
    const std::pmr::vector<std::string_view> views(terms_.begin(), terms_.end(), memory_);
    set_.emplace(views, memory_);
    text::Pause pause(text::server_interruption);
    for (SearchQuery &query : queries_) {
        for (const grammar::PatternTerm &term : query.pattern->terms()) {
            pause.step(steps_to_find);
            query.terms.push_back(term.looked_up ? place_of(terms_, term.term) : not_looked_up);
        }
        auto first = static_cast<std::uint32_t>(terms_.size());
        for (const std::pmr::string &prefix : query.pattern->openings().prefixes) {
            pause.step(steps_to_find);
            query.openings.push_back(first + place_of(prefixes_, prefix));
        }
        first += static_cast<std::uint32_t>(prefixes_.size());
        for (const grammar::Near &near : query.pattern->openings().nears) {
            pause.step(steps_to_find);
            const auto place = std::lower_bound(
                nears_.begin(), nears_.end(), near.word,
                [](const grammar::Near &one, std::string_view word) { return one.word < word; });
            query.openings.push_back(first + static_cast<std::uint32_t>(place - nears_.begin()));
        }
    }
}

std::uint32_t SearchTerms::number_of(std::string_view term) const { return place_of(terms_, term); }

QueryJudge::QueryJudge(const SearchQuery &query, std::size_t numbers,
                       std::pmr::memory_resource *memory)
    : evidence_(*query.pattern, grammar::OpeningLookup::all, memory), meanings_(numbers, memory) {
    for (std::uint32_t i = 0; i < query.terms.size(); ++i)
        if (query.terms[i] != not_looked_up)
            meanings_[query.terms[i]].term = i;
    for (std::uint32_t i = 0; i < query.openings.size(); ++i)
        meanings_[query.openings[i]].opening = i;
}

void QueryJudge::has(std::uint32_t number) {
    const Meaning &meaning = meanings_[number];
    if (meaning.term != not_looked_up)
        evidence_.has_term(meaning.term);
    if (meaning.opening != not_looked_up)
        evidence_.has_opening(meaning.opening);
}

// A judgement looks at the whole query.
segment::Verdict QueryJudge::verdict() {
    pg::check_for_interrupts();
    switch (evidence_.answer()) {
    case grammar::Answer::no:
        return segment::Verdict::no;
    case grammar::Answer::maybe:
        return segment::Verdict::maybe;
    case grammar::Answer::yes:
        break;
    }
    return segment::Verdict::yes;
}

} // namespace memory::index
