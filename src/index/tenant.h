// One tenant's records: where they are, and how they are added to.
//
// A tiny tenant's records are items beside its entry in the directory. Past layout.h's tiny_bytes
// it gets a root page, which stays its address. Records are on the root page and on the log's other
// pages, of which the newest is the root page's `tail`, and each knows the one before it.
//
// What leads to a page is checked against what the page says: a root page has a hash of its
// tenant's key, the other pages of a tenant the number of its root page, and log pages are
// numbered.
//
// Lock order: leaf, then log page, then root page, then a page just allocated. Readers hold one
// lock at a time.
#pragma once

#include "index/document.h"
#include "index/payload.h"
#include "index/root_page.h"

namespace memory::index {

// Adds a record to the tenant of `key`, which is made if it is not there. Gives the tenant's root
// page if its log has got a page more, else InvalidBlockNumber. If there is a table to ask, `heap`,
// records of its dead rows make room before that.
BlockNumber append(Relation index, Key key, codec::Bytes record, Relation heap = nullptr);

// Replaces the records of a log page or root page, in a WAL record that raises the tenant's
// generation: readers that have seen more learn from it that the visibility map may no longer be
// asked about what they saw (ranking.cpp).
void replace_records(Relation index, const LockedPage &page, const LockedPage &root,
                     codec::Bytes kept);

// Puts `kept` in the place of the records on the copy of a page.
void set_records(Page copy, codec::Bytes kept);

// The root page of a tenant, which is made if it is not there; a tiny tenant gets one.
BlockNumber make_root(Relation index, Key key);

// Adds an empty page to a log, so that those before it stay as they are.
void close_log_page(Relation index, BlockNumber root);

// What a tenant is, as one look at its leaf entry and at its root page tells.
struct Tenant {
    bool exists = false;
    BlockNumber root = InvalidBlockNumber; // InvalidBlockNumber while tiny
    std::uint32_t generation = 0;          // of the root page when its records were read
    Runs runs;
};

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
codec::Bytes records_of(Relation index, const LockedPage &page);
// The number that a log page has, or must have, that comes before another on the way back.
std::uint16_t log_number(const LockedPage &page) noexcept;
std::uint16_t number_before(const LockedPage &page) noexcept;

// Calls `visit(codec::Record)` for every record of the tenant, page by page: a page is locked
// while its records are visited, and nothing that `visit` is given may be kept.
template <class Visit>
Tenant visit_records(Relation index, Key key, Visit &&visit);

// The pages of a log: the root page, then from the newest to the oldest, by share locks taken one
// at a time.
class LogWalk {
  public:
    LogWalk(Relation index, BlockNumber root)
        : LogWalk(index, lock_root(index, root, Lock::share)) {}
    // The same of a tenant that is known.
    LogWalk(Relation index, const TenantRoot &root)
        : LogWalk(index, lock_root(index, root, Lock::share)) {}

    std::uint32_t generation() const noexcept { return generation_; }
    const Runs &runs() const noexcept { return runs_; }
    // Pages of the log behind the root page that are still to come.
    std::uint32_t log_pages() const noexcept { return pages_left_; }
    // The next page, or nothing. The one before is given back.
    const LockedPage *next();
    // The number of the page after that; InvalidBlockNumber if there is none.
    BlockNumber after_next() const noexcept { return pages_left_ > 0 ? next_ : InvalidBlockNumber; }

  private:
    LogWalk(Relation index, LockedPage root);

    Relation index_;
    LockedPage page_;
    BlockNumber root_;
    bool started_ = false;
    BlockNumber next_ = InvalidBlockNumber;
    std::uint32_t pages_left_ = 0;
    std::uint32_t generation_ = 0;
    Runs runs_;
};

template <class Visit>
Tenant visit_records(Relation index, Key key, Visit &&visit) {
    Tenant found;
    {
        const LockedPage leaf = find_leaf(index, key, Lock::share);
        const Place place = find_tenant(index, leaf, key);
        if (!place.found)
            return found;
        const TenantItem &tenant = tenant_at(index, leaf, place.offset);
        found.exists = true;
        found.root = tenant.root;
        reading(index, leaf.block(), [&] {
            for (OffsetNumber i = 1; i <= tenant.records; ++i)
                visit(read_record(
                    record_at(index, leaf, static_cast<OffsetNumber>(place.offset + i))));
        });
    }
    if (found.root == InvalidBlockNumber)
        return found;
    LogWalk walk(index, TenantRoot{found.root, hash_of(key)});
    found.generation = walk.generation();
    found.runs = walk.runs();
    while (const LockedPage *page = walk.next())
        reading(index, page->block(), [&] {
            codec::RecordReader records(records_of(index, *page));
            while (const auto record = records.next())
                visit(*record);
        });
    return found;
}

} // namespace memory::index
