// The documents of a tenant's log, matched against queries, seen through a snapshot, and scored.
#pragma once

#include "index/search_terms.h"
#include "index/tenant.h"
#include "index/visibility.h"
#include "rank/term_scores.h"

namespace memory::index {

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
    // Takes the document of these records behind those that it has, as one that is seen.
    void add(std::span<const codec::Bytes> records, const SearchTerms &terms);
    // Marks those that `snapshot` does not see.
    void look_up(Relation heap, Snapshot snapshot, Trust trust);
    // Marks these as not seen.
    void hide(std::span<const codec::Tid> tids);

    // As if only the terms of these numbers, which ascend, had been looked for; numbers become
    // places among these.
    void keep_matches(std::span<const std::uint32_t> numbers);

    std::span<const Document> all() const noexcept { return documents_; }
    // Whether a document meets all of these conditions; their numbers are those of the search, and
    // ascend.
    segment::Verdict verdict(const Document &document,
                             std::span<const segment::Condition> conditions);

    // Adds what the documents that count have of everything; frequencies by number.
    void add_to(rank::CorpusStatistics &corpus, std::span<std::uint64_t> frequencies) const;
    // BM25 of a document; weights by number.
    double score(const Document &document, std::span<const double> weights,
                 rank::TermScores &scores) const;
    // What each term adds to it; numbers by term, all 0 before.
    void read_parts(const Document &document, std::span<const double> weights,
                    rank::TermScores &scores, std::span<double> parts) const;

  private:
    void add(const codec::Record &record, const SearchTerms &terms);
    void join_fragments(std::size_t from);
    segment::Verdict verdict(const Document &document, const segment::Condition &condition) const;
    std::span<const codec::Match> matches_of(const Document &document) const noexcept {
        return std::span(matches_).subspan(document.first_match, document.matches);
    }

    std::pmr::vector<Document> documents_;
    std::pmr::vector<codec::Match> matches_;
    std::pmr::vector<bool> is_there_; // by number: whether the document in question has it
    bool fragmented_ = false;
};

} // namespace memory::index
