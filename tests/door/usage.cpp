// See usage.h; and what else an error could leave behind: locked pages.
#include "usage.h"

#include "fail.h"
#include "pg/handles.h"

#include <malloc.h>

namespace door {

namespace {

constinit Usage noted{};

} // namespace

Usage Usage::now() {
    const struct mallinfo2 heap = mallinfo2();
    return {MemoryContextMemAllocated(TopMemoryContext, true), heap.uordblks + heap.hblkhd};
}

// The contexts' blocks come from malloc too, but a context may keep what was freed in it: the
// larger of both tells of leaks in either.
std::int64_t Usage::since(const Usage &before) const noexcept {
    return std::max(static_cast<std::int64_t>(contexts - before.contexts),
                    static_cast<std::int64_t>(heap - before.heap));
}

MEMORY_FUNCTION(door_note_usage) {
    noted = Usage::now();
    return arguments.null_result();
}

MEMORY_FUNCTION(door_growth) { return Int64GetDatum(Usage::now().since(noted)); }

// True when the table's first page can be locked exclusively with nobody else having a pin: a lock
// or a pin that this backend has kept refuses it. (An exclusive lock asked for in earnest would
// wait for ourselves.)
MEMORY_FUNCTION(door_page_is_free) {
    const pg::OpenRelation relation(DatumGetObjectId(arguments.datum(0)), AccessShareLock);
    const pg::PinnedPage page(relation.get(), 0, BUFFER_LOCK_UNLOCK);
    return pg::to_datum(pg::call([&page] {
        if (!ConditionalLockBufferForCleanup(page.buffer()))
            return false;
        LockBuffer(page.buffer(), BUFFER_LOCK_UNLOCK);
        return true;
    }));
}

// Interrupts held off would mean that the session can no longer be cancelled.
MEMORY_FUNCTION(door_interrupts_held_off) {
    return pg::to_datum(static_cast<std::int32_t>(InterruptHoldoffCount));
}

} // namespace door
