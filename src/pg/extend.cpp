// How a relation is extended without an error that only a subtransaction could end: a parallel
// worker, in which VACUUM may run, can have none, and the end of one unlocks all pages.
//
// Nothing but smgrcreate() and the function that writes zeros runs between PG_TRY and PG_CATCH. In
// 15 to 18, where these raise an error they have taken no lock, no buffer and nothing else of a
// ResourceOwner's: they open files that stay in the cache of descriptors, and note a file for the
// next checkpoint only after the page is there. What an error leaves is memory of the caller's
// context. A write that was cut short is overwritten by the next one, as a file's pages are counted
// by whole pages.
#include "pg/extend.h"

#include "pg/call.h"

extern "C" {
#include "storage/lmgr.h"
#include "storage/smgr.h"
}

namespace memory::pg {

namespace {

// The errno of an error that says that there is no room, or else 0. PostgreSQL has an SQLSTATE for
// the first of them only.
int want_of_room(const ErrorData &error) {
    if (error.sqlerrcode == ERRCODE_DISK_FULL)
        return ENOSPC;
    const bool is_limit = error.saved_errno == EDQUOT || error.saved_errno == EFBIG;
    return error.sqlerrcode == ERRCODE_INTERNAL_ERROR && is_limit ? error.saved_errno : 0;
}

void write_zeros(Relation relation, ForkNumber fork, BlockNumber block) {
#if PG_VERSION_NUM >= 160000
    smgrzeroextend(RelationGetSmgr(relation), fork, block, 1, false);
#else
    PGAlignedBlock zeros;
    std::memset(zeros.data, 0, BLCKSZ);
    smgrextend(RelationGetSmgr(relation), fork, block, zeros.data, false);
#endif
}

// Adds a page to a fork, which is made if it is not there. 0, or the errno of want_of_room().
int add_page(Relation relation, ForkNumber fork, BlockNumber block) {
    // errfinish() takes it that whatever is locked will be given up, and lets interrupts in. Pages
    // that the caller has locked stay so.
    const uint32 interrupts = InterruptHoldoffCount;
    const uint32 cancels = QueryCancelHoldoffCount;
    const MemoryContext memory = CurrentMemoryContext;
    volatile int none = 0;
    PG_TRY();
    {
        if (block == 0 && fork != MAIN_FORKNUM)
            smgrcreate(RelationGetSmgr(relation), fork, true);
        write_zeros(relation, fork, block);
    }
    PG_CATCH();
    {
        MemoryContextSwitchTo(memory);
        ErrorData *error = CopyErrorData();
        none = want_of_room(*error);
        FreeErrorData(error);
        if (none == 0)
            PG_RE_THROW();
        FlushErrorState();
        InterruptHoldoffCount = interrupts;
        QueryCancelHoldoffCount = cancels;
    }
    PG_END_TRY();
    return none;
}

// Not RELATION_IS_LOCAL(): the workers of a parallel build extend an index that is new, too.
bool needs_lock(Relation relation) { return !RelationUsesLocalBuffers(relation); }

BlockNumber pages_of(Relation relation, ForkNumber fork) {
    const SMgrRelation files = RelationGetSmgr(relation);
    return smgrexists(files, fork) ? smgrnblocks(files, fork) : 0;
}

} // namespace

Extended extend(Relation relation) {
    return call([=] {
        if (needs_lock(relation))
            LockRelationForExtension(relation, ExclusiveLock);
        Extended added{smgrnblocks(RelationGetSmgr(relation), MAIN_FORKNUM), 0};
        added.error =
            added.block >= MaxBlockNumber ? EFBIG : add_page(relation, MAIN_FORKNUM, added.block);
        if (needs_lock(relation))
            UnlockRelationForExtension(relation, ExclusiveLock);
        return added;
    });
}

bool extend_fork(Relation relation, ForkNumber fork, BlockNumber pages) {
    return call([=] {
        if (pages_of(relation, fork) >= pages)
            return true;
        if (needs_lock(relation))
            LockRelationForExtension(relation, ExclusiveLock);
        BlockNumber end = pages_of(relation, fork);
        while (end < pages && add_page(relation, fork, end) == 0)
            ++end;
        if (needs_lock(relation))
            UnlockRelationForExtension(relation, ExclusiveLock);
        return end >= pages;
    });
}

} // namespace memory::pg
