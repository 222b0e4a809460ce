// What a scan of the index is about and what it found.
#pragma once

#include "index/row.h"
#include "index/scores.h"
#include "pg/memory.h"

extern "C" {
#include "access/genam.h"
}

namespace memory::index {

class Scan final : private Scores {
  public:
    // `memory` is a child of what the executor has for the query.
    Scan(IndexScanDesc scan, MemoryContext memory);

    // The context that owns the scan.
    MemoryContext context() const noexcept { return memory_; }

    // Forgets what was found: the keys have changed.
    void reset();

    // The next hit; nothing behind the last. The first call searches.
    std::optional<Hit> next();

  private:
    struct Asked;

    bool ask(Asked &asked) const;
    void rank(const Asked &asked, std::pmr::memory_resource *memory);
    bool is_below_floor(const Hit &hit) const;
    void search();
    std::optional<double> rate(std::string_view text) override;

    IndexScanDesc scan_;
    MemoryContext memory_;
    pg::Workspace workspace_; // the answer's
    Columns columns_;
    std::optional<Answer> answer_; // once searched
    // What the query that ranks was corrected with. The workspace's, as the answer.
    std::optional<std::pmr::vector<std::pmr::string>> corrected_with_;
    bool ranks_ = false;
    double min_relevance_ = 0; // of the query that ranks
    bool rechecks_ = false;    // there are conditions that the index does not know
    Oid dictionary_ = InvalidOid;
};

} // namespace memory::index
