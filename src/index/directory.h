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

// The leftmost page of a level (0: leaves), for walks to the right by RightLink.
LockedPage first_page(Relation index, std::uint32_t level, Lock lock);

// A key that outlives the lock of the page it stands on.
class KeyCopy {
  public:
    KeyCopy() = default;
    KeyCopy(const KeyCopy &) = delete;
    KeyCopy &operator=(Key key) noexcept {
        size_ = key.copy(bytes_.data(), bytes_.size());
        return *this;
    }
    Key key() const noexcept { return {bytes_.data(), size_}; }

  private:
    std::size_t size_ = 0;
    std::array<char, longest_key> bytes_;
};

// Where a page of the directory goes on to the right: noted while it is locked, followed when it is
// not any more.
class RightLink {
  public:
    RightLink(Relation index, const LockedPage &page);

    bool exists() const noexcept { return next_ != InvalidBlockNumber; }
    LockedPage follow(Lock lock) const;

  private:
    Relation index_;
    BlockNumber next_;
    std::uint32_t level_;
    KeyCopy key_; // with which the right one begins
};

// What an inner page says of a child: the least key below it.
struct Downlink {
    Downlink(BlockNumber child, Key least, std::pmr::memory_resource *memory)
        : block(child), key(least, memory) {}

    // An error if the child does not say the same.
    LockedPage follow(Relation index, std::uint32_t level, Lock lock) const;

    BlockNumber block;
    std::pmr::string key;
};
// Those of an inner page; their keys ascend, or it is an error.
std::pmr::vector<Downlink> downlinks(Relation index, const LockedPage &page,
                                     std::pmr::memory_resource *memory);

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
// Where the records of the tenant at `offset` end: at the next tenant, as its entry says.
OffsetNumber end_of_tenant(Relation index, const LockedPage &leaf, OffsetNumber offset);

// Splits a leaf in two, between tenants, and makes the split known above. All locks are given back:
// find the leaf again.
void split_leaf(Relation index, LockedPage leaf);

// Adds an item to a page that has room for it.
void put_item(Page page, OffsetNumber offset, const void *item, std::size_t size);

} // namespace memory::index
