// One tenant's documents, matched against queries, seen through a snapshot, and scored.
#pragma once

#include "index/analysis.h"
#include "index/tenant.h"
#include "index/visibility.h"
#include "rank/bm25.h"

namespace memory::index {

// The terms of one query, as places among the terms of a whole search.
struct SearchTerm {
    std::uint16_t term;
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
    std::span<const std::pmr::string> terms() const noexcept { return terms_; }
    std::span<const SearchTerm> query(std::size_t n) const noexcept { return queries_[n]; }

  private:
    std::uint16_t place_of(std::string_view term);

    std::pmr::vector<std::pmr::string> terms_;
    std::pmr::vector<std::pmr::vector<SearchTerm>> queries_;
};

struct Document {
    ItemPointerData tid;
    Seen seen = Seen::yes;
    bool has_text;
    std::uint32_t length;
    std::uint64_t fingerprint;
    std::uint32_t first_match; // in matches()
    std::uint32_t matches;
};

struct Match {
    std::uint16_t term;
    std::uint32_t count;
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
    std::span<const Match> matches_of(const Document &document) const noexcept {
        return std::span(matches_).subspan(document.first_match, document.matches);
    }
    bool matches(const Document &document, std::span<const SearchTerm> query) const noexcept;

    // BM25 of every document for `query`, by the statistics of the documents that are seen; 0 where
    // nothing matches or nothing is seen.
    std::pmr::vector<double> scores(std::span<const SearchTerm> query, std::size_t terms,
                                    const rank::Bm25Parameters &parameters) const;

  private:
    void add(Relation index, const RecordView &record, const SearchTerms &terms);
    void join_parts();
    void look_up(Relation heap, Snapshot snapshot, Trust trust);

    std::pmr::vector<Document> documents_;
    std::pmr::vector<Match> matches_;
    bool in_parts_ = false;
};

} // namespace memory::index
