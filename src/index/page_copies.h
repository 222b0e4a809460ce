// Copies of pages of large segments, which a backend keeps from one search to the next. A search
// reads the lengths of documents here and there, which are on a hundred pages of a segment of a
// million: looking each of them up in the buffer pool takes longer than reading what is on it.
//
// Only what never changes on a page is read from its copy. A copy is of one version of a segment,
// and a page that has become another segment's is one of another version: nothing is invalidated.
#pragma once

#include "index/segment/parts.h"
#include "pg/backend.h"

extern "C" {
#include "access/xlogdefs.h"
}

namespace memory::index {

// What tells a segment from every other that has been or will be at its place: the record of the
// WAL that has written the first page of its catalogue.
struct SegmentVersion {
    Oid file = InvalidOid;
    BlockNumber catalogue = InvalidBlockNumber;
    XLogRecPtr written = InvalidXLogRecPtr;

    // Not of what is written without WAL.
    bool is_known() const noexcept { return !XLogRecPtrIsInvalid(written); }
    friend bool operator==(const SegmentVersion &, const SegmentVersion &) = default;
};

// Null if there is none. Good until copy_page() is called for another page.
const segment::PageView *copy_of(const SegmentVersion &version, BlockNumber block) noexcept;

// Copies a page, which is locked. Null if its place is taken: by one of the pages `in_use`, whose
// copies stay, or by one that has been of use since the place was last asked for.
const segment::PageView *copy_page(const SegmentVersion &version, BlockNumber block,
                                   const segment::PageView &page,
                                   std::span<const BlockNumber> in_use);

} // namespace memory::index
