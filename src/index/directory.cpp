// See directory.h.
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
    if (inner_header + head.key_length > item.size())
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

LockedPage move_right(Relation index, LockedPage page, Key key, Lock lock) {
    while (is_beyond(index, page, key)) {
        const BlockNumber next = page.tail().next;
        const Kind kind = page.kind();
        page.give_back();
        pg::check_for_interrupts();
        page = LockedPage(index, next, lock, kind);
    }
    return page;
}

// The last child whose key is not greater than `key`.
BlockNumber child_for(Relation index, const LockedPage &page, Key key) {
    OffsetNumber low = first_data(page);
    OffsetNumber high = last_item(page.page());
    if (low > high)
        throw_corrupt(index, page.block(), "an inner page without children");
    while (low < high) {
        const auto middle = static_cast<OffsetNumber>((low + high + 1) / 2);
        if (child_at(index, page, middle).key <= key)
            low = middle;
        else
            high = static_cast<OffsetNumber>(middle - 1);
    }
    return child_at(index, page, low).block;
}

// The page of `level` (0: leaves) that `key` belongs to.
LockedPage descend(Relation index, Key key, std::uint32_t level, Lock lock) {
    BlockNumber block = read_meta(index).directory_root;
    std::uint32_t expected = PG_UINT32_MAX;
    for (;;) {
        LockedPage page(index, block, Lock::share);
        if (page.kind() != Kind::inner && page.kind() != Kind::leaf)
            throw_corrupt(index, block, "not a page of the directory");
        if (level_of(page) < level || (expected != PG_UINT32_MAX && level_of(page) != expected))
            throw_corrupt(index, block, "a directory page of the wrong level");
        if (level_of(page) == level) {
            if (lock == Lock::exclusive) {
                // Nothing frees directory pages, so the page is still one when it is locked anew.
                page.give_back();
                page = LockedPage(index, block, lock);
            }
            return move_right(index, std::move(page), key, lock);
        }
        page = move_right(index, std::move(page), key, Lock::share);
        expected = level_of(page) - 1;
        block = child_for(index, page, key);
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
    MetaPage &changed = meta_of(write.change(meta));
    changed.directory_root = root.block();
    changed.directory_height = static_cast<std::uint16_t>(level_of(child) + 1);
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
    PageWrite write(index);
    put_child(write.change(parent), offset, child.tail().next, separator);
    auto &flags = tail_of(write.change(child)).flags;
    flags = static_cast<std::uint16_t>(flags & ~split_incomplete);
    write.finish();
    return true;
}

// Tells the level above of the right sibling of `child`, which is locked and marked.
void insert_downlink(Relation index, LockedPage child) {
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

LockedPage first_leaf(Relation index, Lock lock) { return descend(index, {}, 0, lock); }

const TenantItem &tenant_at(Relation index, const LockedPage &leaf, OffsetNumber offset) {
    const std::string_view item = item_at(index, leaf, offset);
    const auto &tenant = *reinterpret_cast<const TenantItem *>(item.data());
    if (item.size() < tenant_header || tenant.item == LeafItemKind::record ||
        tenant_header + tenant.key_length > item.size())
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

Place find_tenant(Relation index, const LockedPage &leaf, Key key) {
    OffsetNumber low = first_data(leaf);
    auto end = static_cast<OffsetNumber>(last_item(leaf.page()) + 1);
    while (low < end) {
        auto middle = static_cast<OffsetNumber>((low + end) / 2);
        while (middle > low && !begins_group(index, leaf, middle))
            --middle;
        const TenantItem &tenant = tenant_at(index, leaf, middle);
        const int order = key_of(tenant).compare(key);
        if (order == 0)
            return {middle, true};
        if (order > 0)
            end = middle;
        else
            low = static_cast<OffsetNumber>(middle + 1 + tenant.records);
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
