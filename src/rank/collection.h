// Documents held in memory and their exact BM25 scores: the engine of memory.bm25_rank, and the
// oracle that the index is tested against.
#pragma once

#include "rank/bm25.h"
#include "text/interruption.h"

#include <unordered_map>

namespace memory::rank {

struct TermCount {
    std::string_view term;
    std::uint32_t count; // >= 1
};

// Add all documents, then ask. Terms are copied: what the caller's views point at may go once the
// call that took them returns. All memory comes from `memory`, which must outlive the collection;
// if it runs out, `add` throws and the collection is good for nothing but its destructor.
class Collection {
  public:
    explicit Collection(std::pmr::memory_resource *memory,
                        text::Interruption &interruption = text::Interruption::none());

    Collection(const Collection &) = delete;
    Collection &operator=(const Collection &) = delete;

    // Adds a document made of these tokens, repetitions included, and returns its ordinal: 0 for
    // the first, then counting. A document without tokens counts in the statistics.
    std::uint32_t add(std::span<const std::string_view> tokens);

    // Adds a document as terms with their counts, in any order; a term listed twice counts twice.
    // `length` is the caller's: not every token need count in it.
    std::uint32_t add(std::span<const TermCount> terms, std::uint64_t length);

    std::size_t size() const { return statistics_.documents; }
    const CorpusStatistics &statistics() const { return statistics_; }
    std::uint64_t document_frequency(std::string_view term) const;

    // Writes the score of every document, by ordinal; 0 where no query token occurs.
    // `scores` holds size() values, `parameters` are valid.
    void score(std::span<const std::string_view> query, const Bm25Parameters &parameters,
               std::span<double> scores) const;

    // The most that any document could score for this query.
    double most(std::span<const std::string_view> query, const Bm25Parameters &parameters) const;

  private:
    struct Posting {
        std::uint32_t document;
        std::uint32_t frequency;
    };
    using Postings = std::pmr::vector<Posting>;

    Postings &postings_of(std::string_view term);
    const Postings *find(std::string_view term) const;
    void count(std::string_view term, std::uint32_t document, std::uint32_t occurrences);
    std::uint32_t close_document(std::uint64_t length);

    std::pmr::memory_resource *memory_;
    mutable text::Pause pause_;
    std::pmr::monotonic_buffer_resource term_bytes_;
    std::pmr::unordered_map<std::string_view, Postings> terms_; // keys live in term_bytes_
    std::pmr::vector<std::uint64_t> lengths_;
    CorpusStatistics statistics_;
};

} // namespace memory::rank
