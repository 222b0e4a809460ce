// One tenant's records: where they are, and how they are added to.
//
// A tiny tenant's records are items beside its entry in the directory. Past layout.h's tiny_bytes
// it gets a root page, which is the first page of its log and stays its address; the newest page of
// the log is the root page's `tail`, and each page knows the one before it.
//
// Lock order: leaf, then log page, then root page, then a page just allocated. Readers hold one
// lock at a time.
#pragma once

#include "index/directory.h"
#include "index/document.h"

namespace memory::index {

// Adds a record to the tenant of `key`, which is made if it is not there. One WAL record.
void append(Relation index, Key key, codec::Bytes record);

// Where a tenant's records are, as one look at its leaf entry tells.
struct TenantAddress {
    bool exists = false;
    BlockNumber root = InvalidBlockNumber; // InvalidBlockNumber while tiny
    std::uint32_t generation = 0;          // of the root page when its records were read
};

// The generation of a log now.
std::uint32_t log_generation(Relation index, BlockNumber root);

// Runs `body`, which reads records of a page; what is wrong with them is an error that names the
// page.
template <class Body>
auto reading(Relation index, BlockNumber block, Body &&body) {
    try {
        return body();
    } catch (const codec::Corrupt &corrupt) {
        throw_corrupt(index, block, corrupt.what());
    }
}

// The bytes of a log page's or root page's records, while it is locked.
codec::Bytes records_of(const LockedPage &page);
// The bytes of a record on such a page.
codec::Bytes bytes_of(codec::Bytes page_records, const codec::Record &record);

// Calls `visit(codec::Record)` for every record of the tenant, page by page: a page is locked
// while its records are visited, and nothing that `visit` is given may be kept.
template <class Visit>
TenantAddress visit_records(Relation index, Key key, Visit &&visit);

// The pages of a log from its newest to its oldest, by share locks taken one at a time.
class LogWalk {
  public:
    LogWalk(Relation index, BlockNumber root);

    std::uint32_t generation() const noexcept { return generation_; }
    // The next page, or nothing. The one before is given back.
    const LockedPage *next();

  private:
    Relation index_;
    BlockNumber root_;
    LockedPage page_;
    bool started_ = false;
    BlockNumber next_ = InvalidBlockNumber;
    BlockNumber floor_ = InvalidBlockNumber;
    BlockNumber pages_left_ = 0;
    std::uint32_t generation_ = 0;
};

template <class Visit>
TenantAddress visit_records(Relation index, Key key, Visit &&visit) {
    TenantAddress address;
    {
        const LockedPage leaf = find_leaf(index, key, Lock::share);
        const Place place = find_tenant(index, leaf, key);
        if (!place.found)
            return address;
        const TenantItem &tenant = tenant_at(index, leaf, place.offset);
        address = {true, tenant.root, 0};
        reading(index, leaf.block(), [&] {
            for (OffsetNumber i = 1; i <= tenant.records; ++i)
                visit(read_record(
                    record_at(index, leaf, static_cast<OffsetNumber>(place.offset + i))));
        });
    }
    if (address.root == InvalidBlockNumber)
        return address;
    LogWalk walk(index, address.root);
    address.generation = walk.generation();
    while (const LockedPage *page = walk.next())
        reading(index, page->block(), [&] {
            codec::RecordReader records(records_of(*page));
            while (const auto record = records.next())
                visit(*record);
        });
    return address;
}

} // namespace memory::index
