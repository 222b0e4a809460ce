// Terms that a tenant has in place of words that it does not have: what they add to scores. The
// definition: docs/recall.md, "Misspelt words"; of words with a tilde: docs/query.md.
#pragma once

#include "index/search_terms.h"
#include "index/tenant.h"
#include "text/spelling.h"

#include <map>

namespace memory::index {

// What a found term weighs beside one that was asked for.
inline constexpr double weight_of_found = 0.5;

// Call order: the constructor; add_unknown() or add_near(), and gather(), which may find that there
// is nothing to do; choose(), then the rest.
class Corrections {
  public:
    // Of the first of these queries. All of their patterns and `memory` must outlive this.
    Corrections(const SearchTerms &searched, std::pmr::memory_resource *memory);

    // The words that no document has, of a query that has been searched for: with these frequencies
    // by number, where the tenant has so many documents.
    void add_unknown(std::span<const std::uint64_t> frequencies, std::uint64_t documents);
    // The words that are asked for with a tilde, and scored.
    void add_near();

    // Whether there are words that may be misspelt.
    bool any() const noexcept { return !words_.empty(); }

    // Reads the terms of the tenant, be the documents that have them seen or not. Whether any of
    // them may be meant.
    bool gather(Relation index, Key key);

    // What the documents are to be looked through for: the queries and the terms gathered.
    const SearchTerms &candidates() const { return *candidates_; }

    // Chooses a term for each word by how many documents have the candidates(): none where they
    // have the word itself. Returns the numbers of what remains, ascending: the terms() are these.
    std::pmr::vector<std::uint32_t> choose(std::span<const std::uint64_t> frequencies);
    const SearchTerms &terms() const { return *terms_; }

    // A term of the documents in place of one of the pattern.
    struct Found {
        std::uint32_t word;   // in the pattern
        std::uint32_t number; // in terms()
    };
    std::span<const Found> found() const noexcept { return found_; }

  private:
    struct Word {
        Word(std::uint32_t place_, const text::Spelling &spelling_,
             std::pmr::memory_resource *memory)
            : place(place_), spelling(spelling_), near(memory) {}

        std::uint32_t place; // in the pattern
        text::Spelling spelling;
        // What it may mean, with how far that is from it: the less, the better.
        std::pmr::map<std::pmr::string, std::uint32_t, std::less<>> near;
    };

    void add_queries(SearchTerms &terms) const;
    void consider(std::string_view term);
    void walk(Relation index, BlockNumber root, const Run &run);
    void walk(segment::TermWalk &terms, std::string_view beginning, text::Pause &pause);
    std::string_view nearest(const Word &word, std::span<const std::uint64_t> frequencies) const;

    const grammar::Pattern &pattern() const { return *searched_[0].pattern; }
    bool is_scored(std::string_view term) const; // by the query itself

    std::span<const SearchQuery> searched_;
    std::pmr::memory_resource *memory_;
    bool any_letter_ = true;       // whether terms may begin with another letter
    std::pmr::vector<Word> words_; // in the order of their bytes
    std::optional<SearchTerms> candidates_;
    std::optional<SearchTerms> terms_;
    std::pmr::vector<Found> found_;
};

} // namespace memory::index
