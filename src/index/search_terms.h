// What one search looks for in a tenant's documents: the distinct terms and openings of all its
// queries, numbered: first the terms, ascending, then the prefixes and the words that terms may be
// near.
#pragma once

#include "index/codec/term_set.h"
#include "index/grammar/openings.h"
#include "index/match.h"
#include "index/segment/scorer.h"

namespace memory::index {

// A query, and under which numbers its pattern's terms and openings are looked for.
struct SearchQuery {
    SearchQuery(const grammar::Pattern &asked, QueryKind asked_as,
                std::pmr::memory_resource *memory)
        : pattern(&asked), kind(asked_as), terms(memory), openings(memory) {}

    // Under which numbers some of the pattern's terms, which are looked up, are looked for;
    // ascending.
    std::pmr::vector<std::uint32_t> numbers_of(std::span<const std::uint32_t> some) const;

    const grammar::Pattern *pattern;
    QueryKind kind;
    std::pmr::vector<std::uint32_t> terms; // not_looked_up: a stop word in a phrase
    std::pmr::vector<std::uint32_t> openings;
};
inline constexpr std::uint32_t not_looked_up = PG_UINT32_MAX;

class SearchTerms {
  public:
    explicit SearchTerms(std::pmr::memory_resource *memory);

    // Call order: add() for each query, number() once, then the rest. The patterns must outlive it.
    void add(const grammar::Pattern &pattern, QueryKind kind);
    // A term that is in no query.
    void add(std::string_view term) { terms_.emplace_back(term); }
    void number();

    std::size_t size() const noexcept { return terms_.size() + openings().size(); }
    const codec::TermSet &terms() const noexcept { return *set_; }
    grammar::Openings openings() const noexcept { return {prefixes_, nears_}; }
    std::span<const SearchQuery> queries() const noexcept { return queries_; }
    // Of a term that was added.
    std::uint32_t number_of(std::string_view term) const;

    // Calls use(number) for every opening that a term of a document, which is not weak, meets.
    template <class Use>
    void each_opening_of(std::string_view term, Use use) const {
        grammar::each_opening_of(openings(), term, [&](std::uint32_t n) {
            use(static_cast<std::uint32_t>(terms_.size() + n));
        });
    }

  private:
    std::pmr::memory_resource *memory_;
    std::pmr::vector<std::pmr::string> terms_;
    std::pmr::vector<std::pmr::string> prefixes_;
    std::pmr::vector<grammar::Near> nears_;
    std::pmr::vector<SearchQuery> queries_;
    std::optional<codec::TermSet> set_;
};

// A query as the condition that a document meets or not.
class QueryJudge final : public segment::Judge {
  public:
    // The query must outlive it.
    QueryJudge(const SearchQuery &query, std::size_t numbers, std::pmr::memory_resource *memory);

    void clear() override { evidence_.clear(); }
    void has(std::uint32_t number) override;
    segment::Verdict verdict() override;

  private:
    struct Meaning {
        std::uint32_t term = not_looked_up;
        std::uint32_t opening = not_looked_up;
    };

    grammar::Evidence evidence_;
    std::pmr::vector<Meaning> meanings_; // by number
};

} // namespace memory::index
