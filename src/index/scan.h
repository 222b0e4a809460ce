// What a scan of the index is about and what it found.
#pragma once

#include "index/answer.h"
#include "index/query.h"
#include "index/row.h"
#include "pg/memory.h"

#include <unordered_map>

extern "C" {
#include "access/genam.h"
}

namespace memory::index {

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
    std::optional<Hit> next(IndexScanDesc scan);

    struct Known {
        double score;
        Oid dictionary; // of the index
    };
    // The score of the row with this text in the answer to this query, by the scans that are open
    // in this backend, the youngest first; nothing when none of them knows.
    static std::optional<Known> score_of(std::string_view text, Datum query);

  private:
    void search(IndexScanDesc scan);
    void remember(const Hit &hit);

    pg::ContextResource resource_;
    pg::Workspace workspace_; // the answer's
    Columns columns_;
    std::optional<Answer> answer_; // once searched
    bool rechecks_ = false;        // whether there are conditions that the index does not know
    Oid dictionary_ = InvalidOid;

    // For score_of(): the query that orders, and the scores of the hits given out by the
    // fingerprints of their texts; NaN where two disagree.
    std::optional<std::uint32_t> ordering_;
    std::pmr::unordered_map<std::uint32_t, double> scores_;
    Hit last_{};

    Scan *older_;
    Scan *younger_ = nullptr;
    static constinit Scan *youngest_;
};

} // namespace memory::index
