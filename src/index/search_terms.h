// What one search looks for in a tenant's documents: the distinct terms and prefixes of all its
// queries, numbered: first the terms, ascending, then the prefixes.
#pragma once

#include "index/codec/term_set.h"
#include "index/grammar/prefixes.h"
#include "index/match.h"
#include "index/segment/scorer.h"

namespace memory::index {

// A query, and under which numbers its pattern's terms and prefixes are looked for.
struct SearchQuery {
    SearchQuery(const grammar::Pattern &asked, QueryKind asked_as,
                std::pmr::memory_resource *memory)
        : pattern(&asked), kind(asked_as), terms(memory), prefixes(memory) {}

    // Under which numbers some of the pattern's terms, which are looked up, are looked for;
    // ascending.
    std::pmr::vector<std::uint32_t> numbers_of(std::span<const std::uint32_t> some) const;

    const grammar::Pattern *pattern;
    QueryKind kind;
    std::pmr::vector<std::uint32_t> terms; // not_looked_up: a stop word in a phrase
    std::pmr::vector<std::uint32_t> prefixes;
};
inline constexpr std::uint32_t not_looked_up = PG_UINT32_MAX;

class SearchTerms {
  public:
    explicit SearchTerms(std::pmr::memory_resource *memory);

    // Call order: add() for each query, number() once, then the rest. The patterns must outlive it.
    void add(const grammar::Pattern &pattern, QueryKind kind);
    void number();

    std::size_t size() const noexcept { return terms_.size() + prefixes_.size(); }
    const codec::TermSet &terms() const noexcept { return *set_; }
    std::span<const std::pmr::string> prefixes() const noexcept { return prefixes_; }
    std::span<const SearchQuery> queries() const noexcept { return queries_; }

    // Calls use(number) for every prefix that the term of a document begins with.
    template <class Use>
    void each_prefix_of(std::string_view term, Use use) const {
        grammar::each_prefix_of(prefixes_, term, [&](std::uint32_t n) {
            use(static_cast<std::uint32_t>(terms_.size() + n));
        });
    }

  private:
    std::pmr::memory_resource *memory_;
    std::pmr::vector<std::pmr::string> terms_;
    std::pmr::vector<std::pmr::string> prefixes_;
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
        std::uint32_t prefix = not_looked_up;
    };

    grammar::Evidence evidence_;
    std::pmr::vector<Meaning> meanings_; // by number
};

} // namespace memory::index
