// The two heavyweight locks of a tenant that has a root page.
//
// TenantLock is for all that changes the root page's runs and log (seals, publishes, frees), and
// for the merge of small segments (segment/merge_policy.h). SegmentsLock is for the merge of large
// ones. To mark documents dead takes both.
//
// So a large merge holds the second for as long as it reads and writes, and the first for its
// publish; meanwhile logs are sealed and small segments merged. The second is waited for before the
// first is taken; with the first in hand it is only tried.
#pragma once

#include "pg/backend.h"

extern "C" {
#include "storage/block.h"
#include "utils/relcache.h"
}

namespace memory::index {

enum class Wait : bool { no, yes };

// On the root page. Given back when the object dies; one backend may have several.
class TenantLock {
  public:
    TenantLock(Relation index, BlockNumber root, Wait wait);
    ~TenantLock();
    TenantLock(const TenantLock &) = delete;
    TenantLock &operator=(const TenantLock &) = delete;

    bool held() const noexcept { return held_; }

  private:
    Relation index_;
    BlockNumber root_;
    bool held_;
};

// On a line pointer of the root page, which has none.
class SegmentsLock {
  public:
    SegmentsLock(Relation index, BlockNumber root, Wait wait);
    ~SegmentsLock();
    SegmentsLock(const SegmentsLock &) = delete;
    SegmentsLock &operator=(const SegmentsLock &) = delete;

    bool held() const noexcept { return held_; }

  private:
    Relation index_;
    BlockNumber root_;
    bool held_;
};

} // namespace memory::index
