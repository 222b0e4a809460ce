// Terms that a tenant has in place of words that it does not have: what they add to scores. The
// definition: docs/recall.md, "Misspelt words"; of words with a tilde: docs/query.md.
#pragma once

#include "index/search_terms.h"
#include "index/segment/near_terms.h"
#include "index/tenant.h"

#include <set>

namespace memory::index {

// What a found term weighs beside one that was asked for.
inline constexpr double weight_of_found = 0.5;

// Call order: the constructor; add_unknown() or add_near(), and gather(), which may find that there
// is nothing to do; gather() again until settle() says that it is enough; choose(), then the rest.
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

    // Reads which terms of the tenant may be meant, be the documents that have them seen or not: of
    // each word those that are least far from it, or next to the ones gathered before. Whether
    // there are any.
    bool gather(Relation index, Key key);

    // What the documents are to be looked through for: the queries and the terms gathered.
    const SearchTerms &candidates() const { return *candidates_; }

    // By how many documents have the candidates(): whether each word has one that some have, or
    // none that is farther.
    bool settle(std::span<const std::uint64_t> frequencies);

    // Chooses a term for each word: none where the documents have the word itself. Returns the
    // numbers of what remains, ascending: the terms() are these.
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
        bool is_open = true; // to be gathered for
        // What it may mean, all as far from it, and how far. What is less far than `least` has been
        // gathered before.
        std::pmr::set<std::pmr::string, std::less<>> near;
        std::uint32_t farness = farthest + 1;
        std::uint32_t least = 0;
    };

    // Two edits, and another first letter.
    static constexpr std::uint32_t farthest = 5;

    void add_queries(SearchTerms &terms) const;
    void number_candidates();
    std::uint32_t most_edits(const Word &word, segment::Beginning beginning) const;
    static void consider(Word &word, std::string_view term, std::uint32_t edits);
    void consider(std::string_view term);
    void walk(Relation index, const Tenant &tenant, segment::Beginning beginning);
    void walk(Relation index, BlockNumber root, const Run &run);
    std::string_view nearest(const Word &word, std::span<const std::uint64_t> frequencies) const;

    const grammar::Pattern &pattern() const { return *searched_[0].pattern; }
    bool is_scored(std::string_view term) const; // by the query itself

    std::span<const SearchQuery> searched_;
    std::pmr::memory_resource *memory_;
    std::uint32_t most_of_others_ = farthest / 2; // edits to a term that begins with another letter
    std::pmr::vector<Word> words_;
    std::pmr::vector<Word *> open_;              // of words_
    std::pmr::vector<segment::NearTerms> walks_; // of the open ones
    std::optional<SearchTerms> candidates_;
    std::optional<SearchTerms> terms_;
    std::pmr::vector<Found> found_;
};

} // namespace memory::index
