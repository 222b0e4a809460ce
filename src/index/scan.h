// What a scan of the index is about and what it found.
#pragma once

#include "index/query.h"
#include "index/ranking.h"
#include "index/row.h"
#include "pg/memory.h"

extern "C" {
#include "access/genam.h"
}

namespace memory::index {

// One row of a scan's answer.
struct Hit {
    codec::Tid tid;
    bool has_text;
    double score;
    std::uint32_t fingerprint;
};

class Scan {
  public:
    Scan(Relation index, MemoryContext memory);
    ~Scan();
    Scan(const Scan &) = delete;
    Scan &operator=(const Scan &) = delete;

    // The context that owns the scan.
    MemoryContext context() const noexcept { return resource_.context(); }

    // Forgets what was found: the keys have changed.
    void reset();

    // The next hit; nothing behind the last. The first call searches.
    const Hit *next(IndexScanDesc scan);
    // All hits, for a bitmap.
    std::span<const Hit> all(IndexScanDesc scan);

    // The score of the row with this text in the answer to this query, by the scans that are open
    // in this backend, the youngest first; nothing when none of them knows.
    static std::optional<double> score_of(std::string_view text, Datum query);

  private:
    void search(IndexScanDesc scan);
    void rank(IndexScanDesc scan, const Documents &documents, const SearchTerms &terms);
    void filter(const Documents &documents, const SearchTerms &terms);
    void remember_scores();
    Analysed analysed(Datum query);

    pg::ContextResource resource_;
    Columns columns_;
    Analysis analysis_;
    std::pmr::vector<Hit> hits_;
    std::size_t next_ = 0;
    bool searched_ = false;

    // For score_of(): the query that ordered, and its hits in the order of their fingerprints.
    std::optional<std::uint32_t> ordering_;
    std::pmr::vector<std::pair<std::uint32_t, double>> by_fingerprint_;

    Scan *older_;
    Scan *younger_ = nullptr;
    static constinit Scan *youngest_;
};

} // namespace memory::index
