// The directory: a B-link tree from scope keys to tenants (Lehman and Yao: every page knows its
// right sibling and the least key that belongs there, so a descent holds one lock at a time).
//
// Keys are bytes that compare with memcmp. Locks are taken upwards (child before parent) and to the
// right; a descent holds one at a time.
#pragma once

#include "index/codec/bytes.h"
#include "index/page.h"

namespace memory::index {

using Key = std::string_view;

// The leaf that `key` belongs to. An exclusive one has no split left to complete.
LockedPage find_leaf(Relation index, Key key, Lock lock);

// The leftmost leaf, for walks to the right through tail().next.
LockedPage first_leaf(Relation index, Lock lock);

// The first item that is not a high key, and the last item.
OffsetNumber first_data(const LockedPage &page);
OffsetNumber first_data(Page page);
inline OffsetNumber last_item(Page page) {
    return static_cast<OffsetNumber>(PageGetMaxOffsetNumber(page));
}

struct Place {
    OffsetNumber offset; // of the tenant's entry; if not found, where it belongs
    bool found;
};
// Where on its leaf a tenant's entry is.
Place find_tenant(Relation index, const LockedPage &leaf, Key key);

// Entries on a leaf, checked against the page.
const TenantItem &tenant_at(Relation index, const LockedPage &leaf, OffsetNumber offset);
Key key_of(const TenantItem &tenant);
codec::Bytes record_at(Relation index, const LockedPage &leaf, OffsetNumber offset);

// Splits a leaf in two, between tenants, and makes the split known above. All locks are given back:
// find the leaf again.
void split_leaf(Relation index, LockedPage leaf);

// Adds an item to a page that has room for it.
void put_item(Page page, OffsetNumber offset, const void *item, std::size_t size);

} // namespace memory::index
