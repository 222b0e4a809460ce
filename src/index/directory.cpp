// Descends, moves right and splits. Each page is checked against the bounds of what led to it.
#include "index/directory.h"

#include "index/crash_point.h"
#include "index/meta.h"
#include "pg/error.h"

namespace memory::index {

namespace {

std::uint32_t level_of(const LockedPage &page) { return page.tail().generation; }

bool is_rightmost(const PageTail &tail) { return tail.next == InvalidBlockNumber; }

// One item's bytes, within the page.
std::string_view item_at(Relation index, const LockedPage &page, OffsetNumber offset) {
    const Page content = page.page();
    if (offset < FirstOffsetNumber || offset > last_item(content))
        throw_corrupt(index, page.block(), "an item is missing");
    const ItemId id = PageGetItemId(content, offset);
    const std::size_t begin = ItemIdGetOffset(id);
    const std::size_t size = ItemIdGetLength(id);
    if (!ItemIdIsNormal(id) || begin < reinterpret_cast<PageHeader>(content)->pd_upper ||
        begin + size > reinterpret_cast<PageHeader>(content)->pd_special)
        throw_corrupt(index, page.block(), "an item lies outside its page");
    return {static_cast<const char *>(content) + begin, size};
}

struct Child {
    BlockNumber block;
    Key key;
};

Child child_at(Relation index, const LockedPage &page, OffsetNumber offset) {
    const std::string_view item = item_at(index, page, offset);
    InnerItem head{};
    if (item.size() < inner_header)
        throw_corrupt(index, page.block(), "an inner item is too short");
    std::memcpy(&head, item.data(), inner_header);
    if (inner_header + head.key_length > item.size() || head.key_length > longest_key)
        throw_corrupt(index, page.block(), "a key is longer than its item");
    return {head.child, item.substr(inner_header, head.key_length)};
}

Key key_at(Relation index, const LockedPage &page, OffsetNumber offset) {
    return page.kind() == Kind::inner ? child_at(index, page, offset).key
                                      : key_of(tenant_at(index, page, offset));
}

// Whether `key` belongs to the page's right sibling or beyond.
bool is_beyond(Relation index, const LockedPage &page, Key key) {
    return !is_rightmost(page.tail()) && key >= key_at(index, page, FirstOffsetNumber);
}

// The keys that belong to a page, as the page says that led to it: its parent, or the one on its
// left. Nothing takes an entry off a page again but a split, which takes those on the right. So a
// page begins with the key that it was split off at, unless it is the leftmost of its level, and
// its high key only falls.
struct Range {
    KeyCopy low;  // empty: the page is the leftmost
    KeyCopy high; // empty: there is none
};

// The page of a level of the directory that `range` is the range of.
LockedPage lock_directory_page(Relation index, BlockNumber block, Lock lock, std::uint32_t level,
                               const Range &range) {
    LockedPage page(index, block, lock, level == 0 ? Kind::leaf : Kind::inner);
    if (level_of(page) != level)
        throw_corrupt(index, block, "a directory page of the wrong level");
    const OffsetNumber first = first_data(page);
    const bool is_empty = first > last_item(page.page());
    if (level == 0 && last_item(page.page()) > MaxIndexTuplesPerPage)
        throw_corrupt(index, block, "a leaf with more items than it holds");
    if (is_empty && (level > 0 || !range.low.key().empty()))
        throw_corrupt(index, block, "a directory page without entries");
    if (!is_empty && (level > 0 || !range.low.key().empty()) &&
        key_at(index, page, first) != range.low.key())
        throw_corrupt(index, block, "a directory page of other keys than what leads to it says");
    if (!range.high.key().empty() &&
        (is_rightmost(page.tail()) || key_at(index, page, FirstOffsetNumber) > range.high.key()))
        throw_corrupt(index, block, "a directory page of more keys than what leads to it says");
    return page;
}

LockedPage move_right(Relation index, LockedPage page, Key key, Lock lock) {
    while (is_beyond(index, page, key)) {
        const RightLink link(index, page);
        page.give_back();
        pg::check_for_interrupts();
        page = link.follow(lock);
    }
    return page;
}

// The last child whose key is not greater than `key`, and what belongs to it.
BlockNumber child_for(Relation index, const LockedPage &page, Key key, Range &range) {
    OffsetNumber low = first_data(page);
    const OffsetNumber last = last_item(page.page());
    for (OffsetNumber high = last; low < high;) {
        const auto middle = static_cast<OffsetNumber>((low + high + 1) / 2);
        if (child_at(index, page, middle).key <= key)
            low = middle;
        else
            high = static_cast<OffsetNumber>(middle - 1);
    }
    const Child child = child_at(index, page, low);
    range.low = child.key;
    if (low < last)
        range.high = child_at(index, page, static_cast<OffsetNumber>(low + 1)).key;
    else
        range.high = is_rightmost(page.tail()) ? Key() : key_at(index, page, FirstOffsetNumber);
    return child.block;
}

// The page of `level` (0: leaves) that `key` belongs to.
LockedPage descend(Relation index, Key key, std::uint32_t level, Lock lock) {
    const MetaPage meta = read_meta(index);
    BlockNumber block = meta.directory_root;
    Range range;
    for (std::uint32_t at = meta.directory_height;; --at) {
        if (at < level)
            throw_corrupt(index, block, "a directory that is lower than its pages");
        const Lock taken = at == level ? lock : Lock::share;
        LockedPage page =
            move_right(index, lock_directory_page(index, block, taken, at, range), key, taken);
        if (at == level)
            return page;
        block = child_for(index, page, key, range);
    }
}

void put_child(Page page, OffsetNumber offset, BlockNumber child, Key key) {
    std::array<char, inner_header + longest_key> item{};
    const InnerItem head{child, static_cast<std::uint16_t>(key.size())};
    std::memcpy(item.data(), &head, inner_header);
    key.copy(item.data() + inner_header, key.size());
    put_item(page, offset, item.data(), inner_header + key.size());
}

void put_high_key(Page page, Kind kind, Key key) {
    if (kind == Kind::inner)
        return put_child(page, FirstOffsetNumber, InvalidBlockNumber, key);
    std::array<char, tenant_header + longest_key> item{};
    const TenantItem head{LeafItemKind::high_key, 0, 0, InvalidBlockNumber,
                          static_cast<std::uint16_t>(key.size())};
    std::memcpy(item.data(), &head, tenant_header);
    key.copy(item.data() + tenant_header, key.size());
    put_item(page, FirstOffsetNumber, item.data(), tenant_header + key.size());
}

void copy_items(Relation index, const LockedPage &from, OffsetNumber first, OffsetNumber end,
                Page to) {
    for (OffsetNumber offset = first; offset < end; ++offset) {
        const std::string_view item = item_at(index, from, offset);
        put_item(to, static_cast<OffsetNumber>(last_item(to) + 1), item.data(), item.size());
    }
}

bool begins_group(Relation index, const LockedPage &page, OffsetNumber offset) {
    return page.kind() == Kind::inner ||
           static_cast<LeafItemKind>(item_at(index, page, offset)[0]) == LeafItemKind::tenant;
}

// The item that the right half begins with: the one nearest to the middle, in bytes, at which a
// tenant or a child begins.
OffsetNumber split_point(Relation index, const LockedPage &page) {
    const OffsetNumber first = first_data(page);
    const OffsetNumber last = last_item(page.page());
    std::size_t total = 0;
    for (OffsetNumber offset = first; offset <= last; ++offset)
        total += item_at(index, page, offset).size();
    OffsetNumber best = InvalidOffsetNumber;
    std::size_t best_distance = total;
    std::size_t before = 0;
    for (OffsetNumber offset = first; offset <= last; ++offset) {
        const std::size_t distance = before * 2 > total ? before * 2 - total : total - before * 2;
        if (offset > first && distance < best_distance && begins_group(index, page, offset)) {
            best = offset;
            best_distance = distance;
        }
        before += item_at(index, page, offset).size();
    }
    if (best == InvalidOffsetNumber)
        throw_corrupt(index, page.block(), "a full directory page with one entry");
    return best;
}

void insert_downlink(Relation index, LockedPage child);

// Moves the right half of `page` to a new right sibling. `page` keeps its lock and is marked: its
// parent does not know the sibling yet.
void split(Relation index, LockedPage &page) {
    const OffsetNumber middle = split_point(index, page);
    const Key separator = key_at(index, page, middle);
    const LockedPage right = LockedPage::allocate(index);
    const PageTail tail = page.tail();

    PageWrite write(index);
    const Page right_copy = write.create(right, tail.kind, tail.next, tail.generation);
    if (!is_rightmost(tail))
        copy_items(index, page, FirstOffsetNumber, FirstOffsetNumber + 1, right_copy);
    copy_items(index, page, middle, static_cast<OffsetNumber>(last_item(page.page()) + 1),
               right_copy);
    const Page left_copy = write.create(page, tail.kind, right.block(), tail.generation);
    put_high_key(left_copy, tail.kind, separator);
    copy_items(index, page, first_data(page), middle, left_copy);
    tail_of(left_copy).flags = split_incomplete;
    write.finish();
    crash_point("split");
}

// The tree grows: a new root above `child` and its right sibling.
void grow(Relation index, const LockedPage &meta, const LockedPage &child) {
    const LockedPage root = LockedPage::allocate(index);
    PageWrite write(index);
    const Page root_copy = write.create(root, Kind::inner, InvalidBlockNumber, level_of(child) + 1);
    put_child(root_copy, FirstOffsetNumber, child.block(), {});
    put_child(root_copy, FirstOffsetNumber + 1, child.tail().next,
              key_at(index, child, FirstOffsetNumber));
    set_directory(meta_of(write.change(meta)), root.block(), level_of(child) + 1);
    auto &flags = tail_of(write.change(child)).flags;
    flags = static_cast<std::uint16_t>(flags & ~split_incomplete);
    write.finish();
}

// False when the parent had no room and has been split instead.
bool insert_into_parent(Relation index, const LockedPage &child) {
    const Key separator = key_at(index, child, FirstOffsetNumber);
    LockedPage parent = descend(index, separator, level_of(child) + 1, Lock::exclusive);
    if (parent.has(split_incomplete)) {
        insert_downlink(index, std::move(parent));
        return false;
    }
    if (PageGetFreeSpace(parent.page()) < MAXALIGN(inner_header + separator.size())) {
        split(index, parent);
        insert_downlink(index, std::move(parent));
        return false;
    }
    OffsetNumber offset = first_data(parent);
    const OffsetNumber last = last_item(parent.page());
    while (offset <= last && child_at(index, parent, offset).key <= separator)
        ++offset;
    if (offset > first_data(parent) &&
        child_at(index, parent, static_cast<OffsetNumber>(offset - 1)).key == separator)
        throw_corrupt(index, child.block(), "a split that its parent knows, but not the page");
    PageWrite write(index);
    put_child(write.change(parent), offset, child.tail().next, separator);
    auto &flags = tail_of(write.change(child)).flags;
    flags = static_cast<std::uint16_t>(flags & ~split_incomplete);
    write.finish();
    return true;
}

// Tells the level above of the right sibling of `child`, which is locked and marked.
void insert_downlink(Relation index, LockedPage child) {
    if (is_rightmost(child.tail()))
        throw_corrupt(index, child.block(), "a split without its right half");
    for (;;) {
        pg::call([] { check_stack_depth(); });
        LockedPage meta = lock_meta(index);
        if (meta_of(meta.page()).directory_root == child.block()) {
            grow(index, meta, child);
            return forget_meta(index);
        }
        meta.give_back();
        forget_meta(index); // the root that we know may be below the new one
        if (insert_into_parent(index, child))
            return;
    }
}

} // namespace

RightLink::RightLink(Relation index, const LockedPage &page)
    : index_(index), next_(page.tail().next), level_(level_of(page)) {
    if (exists())
        key_ = key_at(index, page, FirstOffsetNumber);
}

LockedPage RightLink::follow(Lock lock) const {
    Range range;
    range.low = key_.key();
    return lock_directory_page(index_, next_, lock, level_, range);
}

OffsetNumber first_data(Page page) {
    return is_rightmost(tail_of(page)) ? FirstOffsetNumber : FirstOffsetNumber + 1;
}

OffsetNumber first_data(const LockedPage &page) { return first_data(page.page()); }

LockedPage find_leaf(Relation index, Key key, Lock lock) {
    for (;;) {
        LockedPage leaf = descend(index, key, 0, lock);
        if (lock == Lock::share || !leaf.has(split_incomplete))
            return leaf;
        insert_downlink(index, std::move(leaf));
    }
}

LockedPage first_page(Relation index, std::uint32_t level, Lock lock) {
    return descend(index, {}, level, lock);
}

LockedPage Downlink::follow(Relation index, std::uint32_t level, Lock lock) const {
    Range range;
    range.low = key;
    return lock_directory_page(index, block, lock, level, range);
}

std::pmr::vector<Downlink> downlinks(Relation index, const LockedPage &page,
                                     std::pmr::memory_resource *memory) {
    std::pmr::vector<Downlink> links(memory);
    const OffsetNumber last = last_item(page.page());
    for (OffsetNumber offset = first_data(page); offset <= last; ++offset) {
        const Child child = child_at(index, page, offset);
        if (!links.empty() && links.back().key >= child.key)
            throw_corrupt(index, page.block(), "children are out of order");
        links.emplace_back(child.block, child.key, memory);
    }
    return links;
}

const TenantItem &tenant_at(Relation index, const LockedPage &leaf, OffsetNumber offset) {
    const std::string_view item = item_at(index, leaf, offset);
    const auto &tenant = *reinterpret_cast<const TenantItem *>(item.data());
    if (item.size() < tenant_header || tenant.item == LeafItemKind::record ||
        tenant_header + tenant.key_length > item.size() || tenant.key_length > longest_key)
        throw_corrupt(index, leaf.block(), "not a tenant's entry");
    return tenant;
}

Key key_of(const TenantItem &tenant) {
    return {reinterpret_cast<const char *>(&tenant) + tenant_header, tenant.key_length};
}

codec::Bytes record_at(Relation index, const LockedPage &leaf, OffsetNumber offset) {
    const std::string_view item = item_at(index, leaf, offset);
    if (item.size() <= record_item_header ||
        static_cast<LeafItemKind>(item[0]) != LeafItemKind::record)
        throw_corrupt(index, leaf.block(), "not a record");
    return codec::Bytes(reinterpret_cast<const std::uint8_t *>(item.data()), item.size())
        .subspan(record_item_header);
}

OffsetNumber end_of_tenant(Relation index, const LockedPage &leaf, OffsetNumber offset) {
    const TenantItem &tenant = tenant_at(index, leaf, offset);
    const OffsetNumber end = static_cast<OffsetNumber>(last_item(leaf.page()) + 1);
    auto at = static_cast<OffsetNumber>(offset + 1);
    while (at < end && !begins_group(index, leaf, at))
        ++at;
    if (at != offset + 1 + tenant.records ||
        (tenant.records > 0 && tenant.root != InvalidBlockNumber))
        throw_corrupt(index, leaf.block(), "a tenant with other records than its entry says");
    return at;
}

Place find_tenant(Relation index, const LockedPage &leaf, Key key) {
    OffsetNumber low = first_data(leaf);
    auto end = static_cast<OffsetNumber>(last_item(leaf.page()) + 1);
    while (low < end) {
        auto middle = static_cast<OffsetNumber>((low + end) / 2);
        while (middle > low && !begins_group(index, leaf, middle))
            --middle;
        const TenantItem &tenant = tenant_at(index, leaf, middle);
        const int order = key_of(tenant).compare(key);
        if (order == 0) {
            end_of_tenant(index, leaf, middle);
            return {middle, true};
        }
        if (order > 0)
            end = middle;
        else
            low = end_of_tenant(index, leaf, middle);
    }
    return {low, false};
}

void split_leaf(Relation index, LockedPage leaf) {
    split(index, leaf);
    insert_downlink(index, std::move(leaf));
}

void put_item(Page page, OffsetNumber offset, const void *item, std::size_t size) {
    const OffsetNumber placed = pg::call([=] {
        return PageAddItem(page, static_cast<Item>(const_cast<void *>(item)), size, offset, false,
                           false);
    });
    if (placed != offset)
        throw pg::Error(ERRCODE_INTERNAL_ERROR, "no room for an item on a directory page");
}

} // namespace memory::index
