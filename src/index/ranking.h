// The documents of a tenant's log, matched against queries, seen through a snapshot, and scored.
#pragma once

#include "index/analysis.h"
#include "index/codec/term_set.h"
#include "index/tenant.h"
#include "index/visibility.h"
#include "rank/bm25.h"

namespace memory::index {

// A term of one query, as its place among the terms of a whole search.
struct SearchTerm {
    std::uint32_t term;
    std::uint32_t multiplicity;
};

// Everything that one pass over a tenant looks for: the distinct terms of all its queries,
// ascending.
class SearchTerms {
  public:
    explicit SearchTerms(std::pmr::memory_resource *memory);

    // Adds a query's terms. Call before terms() is used.
    void add(const Analysed &query);
    std::size_t queries() const noexcept { return queries_.size(); }
    std::size_t size() const noexcept { return terms_.size(); }
    // Valid while this object is, and nothing is added.
    codec::TermSet terms(std::pmr::memory_resource *memory) const;
    std::span<const SearchTerm> query(std::size_t n) const noexcept { return queries_[n]; }

  private:
    std::uint32_t place_of(std::string_view term);

    std::pmr::vector<std::pmr::string> terms_;
    std::pmr::vector<std::pmr::vector<SearchTerm>> queries_;
};

struct Document {
    codec::Document stored;
    Seen seen;
    std::uint32_t first_match; // in matches_of()
    std::uint32_t matches;

    bool has_text() const noexcept { return stored.fingerprint != no_text; }
    bool counts() const noexcept { return seen == Seen::yes && has_text(); }
};

class Documents {
  public:
    explicit Documents(std::pmr::memory_resource *memory);

    // Reads the tenant of `key`. Afterwards the documents are in the order of their tids, and all
    // are taken for seen.
    Tenant collect(Relation index, Key key, const SearchTerms &terms);
    // Marks those that `snapshot` does not see.
    void look_up(Relation heap, Snapshot snapshot, Trust trust);

    std::span<const Document> all() const noexcept { return documents_; }
    // Whether a document has one of `terms`.
    bool has_any(const Document &document, std::span<const std::uint32_t> terms) const noexcept;

    // Adds what the documents that count have of everything; frequencies by term.
    void add_to(rank::CorpusStatistics &corpus, std::span<std::uint64_t> frequencies) const;
    // BM25 of a document; weights by term.
    double score(const Document &document, std::span<const double> weights,
                 const rank::Bm25 &bm25) const;

  private:
    void add(const codec::Record &record, const codec::TermSet &terms);
    void join_fragments();
    std::span<const codec::Match> matches_of(const Document &document) const noexcept {
        return std::span(matches_).subspan(document.first_match, document.matches);
    }

    std::pmr::vector<Document> documents_;
    std::pmr::vector<codec::Match> matches_;
    bool fragmented_ = false;
};

} // namespace memory::index
