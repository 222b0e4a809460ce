// One tenant's documents, matched against queries, seen through a snapshot, and scored.
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

    // Reads the tenant of `key`. Afterwards the documents are in the order of their tids.
    TenantAddress collect(Relation index, Key key, const SearchTerms &terms);
    // The same, and marks those that `snapshot` does not see.
    void collect_seen(Relation index, Key key, const SearchTerms &terms, Relation heap,
                      Snapshot snapshot);

    std::span<const Document> all() const noexcept { return documents_; }
    std::span<const codec::Match> matches_of(const Document &document) const noexcept {
        return std::span(matches_).subspan(document.first_match, document.matches);
    }
    bool matches(const Document &document, std::span<const SearchTerm> query) const noexcept;

    // BM25 of every document for `query`, by the statistics of the documents that are seen; 0 where
    // nothing matches or nothing is seen.
    std::pmr::vector<double> scores(std::span<const SearchTerm> query, std::size_t terms,
                                    const rank::Bm25Parameters &parameters) const;

  private:
    void add(const codec::Record &record, const codec::TermSet &terms);
    void join_fragments();
    void look_up(Relation heap, Snapshot snapshot, Trust trust);

    std::pmr::vector<Document> documents_;
    std::pmr::vector<codec::Match> matches_;
    bool fragmented_ = false;
};

} // namespace memory::index
