// Page and tuple locks of PostgreSQL's lock manager.
#include "index/tenant_lock.h"

#include "index/document.h"
#include "pg/call.h"

extern "C" {
#include "storage/lmgr.h"
}

namespace memory::index {

namespace {

ItemPointerData segments_of(BlockNumber root) { return to_item_pointer({root, FirstOffsetNumber}); }

bool try_lock_tuple(Relation index, ItemPointer item) {
#if PG_VERSION_NUM >= 180000
    return ConditionalLockTuple(index, item, ExclusiveLock, false);
#else
    return ConditionalLockTuple(index, item, ExclusiveLock);
#endif
}

} // namespace

TenantLock::TenantLock(Relation index, BlockNumber root, Wait wait)
    : index_(index), root_(root), held_(pg::call([=] {
          if (wait == Wait::no)
              return ConditionalLockPage(index, root, ExclusiveLock);
          LockPage(index, root, ExclusiveLock);
          return true;
      })) {}

TenantLock::~TenantLock() {
    if (held_)
        pg::release([this] { UnlockPage(index_, root_, ExclusiveLock); });
}

SegmentsLock::SegmentsLock(Relation index, BlockNumber root, Wait wait)
    : index_(index), root_(root), held_(pg::call([=] {
          ItemPointerData item = segments_of(root);
          if (wait == Wait::no)
              return try_lock_tuple(index, &item);
          LockTuple(index, &item, ExclusiveLock);
          return true;
      })) {}

SegmentsLock::~SegmentsLock() {
    if (held_)
        pg::release([this] {
            ItemPointerData item = segments_of(root_);
            UnlockTuple(index_, &item, ExclusiveLock);
        });
}

} // namespace memory::index
