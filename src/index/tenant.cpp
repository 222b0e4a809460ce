// Adds records beside the directory's entry, on the root page, or at the log's tail.
#include "index/tenant.h"

#include "index/crash_point.h"
#include "index/dead_rows.h"
#include "pg/error.h"
#include "pg/memory.h"

namespace memory::index {

namespace {

// A page is not rewritten for less: it would have to be again at once.
constexpr std::size_t worthwhile_bytes = BLCKSZ / 16;

void put_record(Page page, codec::Bytes record) {
    std::memcpy(extend_data(page, record.size()), record.data(), record.size());
}

// --- the log ---------------------------------------------------------------------------------

BlockNumber log_tail(Relation index, const TenantRoot &root) {
    const LockedPage page = lock_root(index, root, Lock::share);
    return root_of(page.page()).tail;
}

// A page of the log of `root`, which may be that page itself.
LockedPage lock_log_page(Relation index, BlockNumber root, BlockNumber block, Lock lock) {
    return block == root ? LockedPage(index, block, lock, Kind::root)
                         : LockedPage(index, block, lock, Kind::log, root);
}

// A new log page after `tail`, beginning with `record`.
void append_page(Relation index, BlockNumber root, const LockedPage &tail, codec::Bytes record) {
    // Empty while the tail is the root page itself, which must not be locked twice.
    std::optional<LockedPage> apart;
    if (tail.block() != root)
        apart = lock_root(index, root, Lock::exclusive);
    const LockedPage &root_page = apart ? *apart : tail;
    if (root_of(root_page.page()).tail != tail.block())
        throw_corrupt(index, root, "a log's newest page is not its tail");
    const LockedPage page = LockedPage::allocate(index);
    PageWrite write(index);
    const Page copy = write.create(page, Kind::log, tail.block(), root);
    tail_of(copy).flags = static_cast<std::uint16_t>((log_number(tail) + 1U) << log_number_shift);
    put_record(copy, record);
    const Page root_copy = write.change(root_page);
    root_of(root_copy).tail = page.block();
    ++root_of(root_copy).log_pages;
    seal_root(root_copy);
    const Page tail_copy = apart ? write.change(tail) : root_copy;
    tail_of(tail_copy).flags |= superseded;
    write.finish();
    crash_point("log page");
}

// The newest page of a log, exclusively.
LockedPage lock_tail(Relation index, const TenantRoot &root) {
    for (BlockNumber before = InvalidBlockNumber;;) {
        const BlockNumber block = log_tail(index, root);
        // The record that supersedes a page names the next one on the root page.
        if (block == before)
            throw_corrupt(index, block, "a log's newest page that is not the newest");
        before = block;
        pg::check_for_interrupts();
        LockedPage page = lock_log_page(index, root.block, block, Lock::exclusive);
        if (!page.has(superseded)) // else another backend has added a page
            return page;
    }
}

// Takes records of dead rows off the newest page of a log. False when it is not worth it.
bool make_room(Relation index, Relation heap, BlockNumber root, const LockedPage &page,
               std::size_t needed) {
    pg::TemporaryContext memory("recall index page");
    const codec::Bytes bytes = records_of(index, page);
    std::pmr::vector<codec::Bytes> stored(memory.resource());
    Suspects suspects(memory.resource());
    reading(index, page.block(), [&] {
        each_stored(payload_of(index), bytes, [&](const StoredRecord &record) {
            stored.push_back(record.bytes);
            suspects.add(record, record.bytes.size());
        });
    });
    if (suspects.ask(index, heap, page.block()) < std::max(needed, worthwhile_bytes))
        return false;
    codec::ByteBuffer kept(memory.resource());
    for (std::size_t i = 0; i < stored.size(); ++i)
        if (!suspects.is_dead(i))
            kept.insert(kept.end(), stored[i].begin(), stored[i].end());
    std::optional<LockedPage> apart;
    if (page.block() != root)
        apart = lock_root(index, root, Lock::exclusive);
    replace_records(index, page, apart ? *apart : page, kept);
    return true;
}

// True when the log has got a page more.
bool append_to_log(Relation index, const TenantRoot &root, codec::Bytes record, Relation heap) {
    const LockedPage page = lock_tail(index, root);
    if (page.free_bytes() < record.size() &&
        (heap == nullptr || !make_room(index, heap, root.block, page, record.size()))) {
        append_page(index, root.block, page, record);
        return true;
    }
    PageWrite write(index);
    put_record(write.change(page), record);
    write.finish();
    return false;
}

// --- tiny tenants ----------------------------------------------------------------------------

using ItemBytes =
    std::array<char, std::max(tenant_header + longest_key, record_item_header + tiny_bytes)>;

std::string_view tenant_item(ItemBytes &bytes, Key key, BlockNumber root, std::uint16_t records) {
    const TenantItem head{LeafItemKind::tenant, 0, records, root,
                          static_cast<std::uint16_t>(key.size())};
    std::memcpy(bytes.data(), &head, tenant_header);
    key.copy(bytes.data() + tenant_header, key.size());
    return {bytes.data(), tenant_header + key.size()};
}

std::string_view record_item(ItemBytes &bytes, codec::Bytes record) {
    bytes[0] = static_cast<char>(LeafItemKind::record);
    std::memcpy(bytes.data() + record_item_header, record.data(), record.size());
    return {bytes.data(), record_item_header + record.size()};
}

std::size_t room_for(std::size_t item) { return MAXALIGN(item) + sizeof(ItemIdData); }

bool has_room(const LockedPage &leaf, std::size_t needed) { return leaf.free_bytes() >= needed; }

bool may_be_tiny(codec::Bytes record) { return record.size() + record_item_header <= tiny_bytes; }

Page create_root(PageWrite &write, const LockedPage &root, Key key) {
    const Page copy = write.create(root, Kind::root, InvalidBlockNumber, 1);
    root_of(copy) = {root.block(), 0, 0, 0, hash_of(key)};
    seal_root(copy);
    return copy;
}

// A tenant's first record; an empty one makes a root page without any. False when the leaf had no
// room and has been split.
bool add_tenant(Relation index, LockedPage leaf, OffsetNumber offset, Key key,
                codec::Bytes record) {
    const bool tiny = !record.empty() && may_be_tiny(record);
    const std::size_t needed = room_for(tenant_header + key.size()) +
                               (tiny ? room_for(record_item_header + record.size()) : 0);
    if (!has_room(leaf, needed)) {
        split_leaf(index, std::move(leaf));
        return false;
    }
    ItemBytes bytes;
    if (tiny) {
        PageWrite write(index);
        const Page copy = write.change(leaf);
        const std::string_view entry = tenant_item(bytes, key, InvalidBlockNumber, 1);
        put_item(copy, offset, entry.data(), entry.size());
        const std::string_view item = record_item(bytes, record);
        put_item(copy, static_cast<OffsetNumber>(offset + 1), item.data(), item.size());
        write.finish();
        return true;
    }
    const LockedPage root = LockedPage::allocate(index);
    PageWrite write(index);
    const Page root_copy = create_root(write, root, key);
    put_record(root_copy, record);
    const std::string_view entry = tenant_item(bytes, key, root.block(), 0);
    put_item(write.change(leaf), offset, entry.data(), entry.size());
    write.finish();
    return true;
}

std::size_t tiny_size(Relation index, const LockedPage &leaf, OffsetNumber offset,
                      std::uint16_t records) {
    std::size_t size = 0;
    for (OffsetNumber i = 1; i <= records; ++i)
        size += record_item_header +
                record_at(index, leaf, static_cast<OffsetNumber>(offset + i)).size();
    return size;
}

// A tiny tenant gets a root page, with the records that it has.
void promote(Relation index, const LockedPage &leaf, OffsetNumber offset, std::uint16_t records) {
    const LockedPage root = LockedPage::allocate(index);
    PageWrite write(index);
    const Page root_copy = create_root(write, root, key_of(tenant_at(index, leaf, offset)));
    std::array<OffsetNumber, tiny_bytes / record_item_header> gone{};
    for (OffsetNumber i = 1; i <= records; ++i) {
        gone[i - 1U] = static_cast<OffsetNumber>(offset + i);
        put_record(root_copy, record_at(index, leaf, gone[i - 1U]));
    }
    const Page leaf_copy = write.change(leaf);
    auto *entry =
        reinterpret_cast<TenantItem *>(PageGetItem(leaf_copy, PageGetItemId(leaf_copy, offset)));
    entry->records = 0;
    entry->root = root.block();
    pg::call([&] { PageIndexMultiDelete(leaf_copy, gone.data(), records); });
    write.finish();
    crash_point("promoted");
}

// Takes a tiny tenant's records of dead rows off its leaf. False when there are not enough.
bool make_room_in_leaf(Relation index, Relation heap, const LockedPage &leaf, OffsetNumber offset,
                       std::uint16_t records, std::size_t needed) {
    pg::TemporaryContext memory("recall index tenant");
    Suspects suspects(memory.resource());
    reading(index, leaf.block(), [&] {
        for (OffsetNumber i = 1; i <= records; ++i) {
            const codec::Bytes bytes =
                record_at(index, leaf, static_cast<OffsetNumber>(offset + i));
            suspects.add(stored_record(payload_of(index), bytes),
                         record_item_header + bytes.size());
        }
    });
    if (suspects.ask(index, heap, leaf.block()) < needed)
        return false;
    std::array<OffsetNumber, tiny_bytes / record_item_header> gone{};
    int count = 0;
    for (OffsetNumber i = 1; i <= records; ++i)
        if (suspects.is_dead(i - 1U))
            gone[static_cast<std::size_t>(count++)] = static_cast<OffsetNumber>(offset + i);
    PageWrite write(index);
    const Page copy = write.change(leaf);
    auto *entry = reinterpret_cast<TenantItem *>(PageGetItem(copy, PageGetItemId(copy, offset)));
    entry->records = static_cast<std::uint16_t>(records - count);
    pg::call([&] { PageIndexMultiDelete(copy, gone.data(), count); });
    write.finish();
    return true;
}

// False when it must be tried again: the leaf has been split or has more room, or the tenant is not
// tiny any more.
bool add_to_tiny(Relation index, LockedPage leaf, OffsetNumber offset, codec::Bytes record,
                 Relation heap) {
    const std::uint16_t records = tenant_at(index, leaf, offset).records;
    const std::size_t size = record_item_header + record.size();
    const std::size_t whole = tiny_size(index, leaf, offset, records) + size;
    if (whole > tiny_bytes) {
        if (heap == nullptr ||
            !make_room_in_leaf(index, heap, leaf, offset, records, whole - tiny_bytes))
            promote(index, leaf, offset, records);
        return false;
    }
    if (!has_room(leaf, room_for(size))) {
        split_leaf(index, std::move(leaf));
        return false;
    }
    ItemBytes bytes;
    PageWrite write(index);
    const Page copy = write.change(leaf);
    const std::string_view item = record_item(bytes, record);
    put_item(copy, static_cast<OffsetNumber>(offset + records + 1), item.data(), item.size());
    ++reinterpret_cast<TenantItem *>(PageGetItem(copy, PageGetItemId(copy, offset)))->records;
    write.finish();
    return true;
}

// False when it must be tried again.
bool append_by_leaf(Relation index, Key key, codec::Bytes record, Relation heap) {
    LockedPage leaf = find_leaf(index, key, Lock::exclusive);
    const Place place = find_tenant(index, leaf, key);
    if (!place.found)
        return add_tenant(index, std::move(leaf), place.offset, key, record);
    if (tenant_at(index, leaf, place.offset).root != InvalidBlockNumber)
        return false;
    return add_to_tiny(index, std::move(leaf), place.offset, record, heap);
}

BlockNumber root_of_tenant(Relation index, Key key) {
    const LockedPage leaf = find_leaf(index, key, Lock::share);
    const Place place = find_tenant(index, leaf, key);
    return place.found ? tenant_at(index, leaf, place.offset).root : InvalidBlockNumber;
}

} // namespace

BlockNumber append(Relation index, Key key, codec::Bytes record, Relation heap) {
    if (key.size() > longest_key || record.size() > longest_record)
        throw pg::Error(ERRCODE_INTERNAL_ERROR, "a key or record that is too long for its page");
    for (;;) {
        const BlockNumber root = root_of_tenant(index, key);
        if (root != InvalidBlockNumber)
            return append_to_log(index, {root, hash_of(key)}, record, heap) ? root
                                                                            : InvalidBlockNumber;
        if (append_by_leaf(index, key, record, heap))
            return InvalidBlockNumber;
    }
}

BlockNumber make_root(Relation index, Key key) {
    for (;;) {
        const BlockNumber root = root_of_tenant(index, key);
        if (root != InvalidBlockNumber)
            return root;
        LockedPage leaf = find_leaf(index, key, Lock::exclusive);
        const Place place = find_tenant(index, leaf, key);
        if (!place.found)
            add_tenant(index, std::move(leaf), place.offset, key, {});
        else if (tenant_at(index, leaf, place.offset).root == InvalidBlockNumber)
            promote(index, leaf, place.offset, tenant_at(index, leaf, place.offset).records);
    }
}

void set_records(Page copy, codec::Bytes kept) {
    reinterpret_cast<PageHeader>(copy)->pd_lower = static_cast<LocationIndex>(records_start(copy));
    std::memcpy(extend_data(copy, kept.size()), kept.data(), kept.size());
}

void replace_records(Relation index, const LockedPage &page, const LockedPage &root,
                     codec::Bytes kept) {
    PageWrite write(index);
    const Page copy = write.change(page);
    set_records(copy, kept);
    const Page root_copy = page.block() == root.block() ? copy : write.change(root);
    ++tail_of(root_copy).generation;
    write.finish();
    crash_point("vacuumed");
}

void close_log_page(Relation index, BlockNumber root) {
    const std::uint32_t tenant = root_of(lock_root(index, root, Lock::share).page()).tenant;
    append_page(index, root, lock_tail(index, {root, tenant}), {});
}

codec::Bytes records_of(Relation index, const LockedPage &page) {
    const auto *bytes = reinterpret_cast<const std::uint8_t *>(page.page());
    const std::size_t start = records_start(page.page());
    const std::size_t end = reinterpret_cast<PageHeader>(page.page())->pd_lower;
    if (start > end)
        throw_corrupt(index, page.block(), "a page that ends before its records");
    return {bytes + start, end - start};
}

std::uint16_t log_number(const LockedPage &page) noexcept {
    return static_cast<std::uint16_t>(page.tail().flags >> log_number_shift);
}

std::uint16_t number_before(const LockedPage &page) noexcept {
    return static_cast<std::uint16_t>((log_number(page) + log_numbers - 1U) % log_numbers);
}

LogWalk::LogWalk(Relation index, LockedPage root)
    : index_(index), page_(std::move(root)), root_(page_.block()) {
    const RootPage &head = root_of(page_.page());
    next_ = head.tail;
    pages_left_ = head.log_pages;
    generation_ = page_.tail().generation;
    runs_ = Runs(runs_on(page_));
}

const LockedPage *LogWalk::next() {
    if (!started_) {
        started_ = true;
        return &page_;
    }
    const bool is_newest = page_.block() == root_;
    const std::uint16_t expected = number_before(page_);
    page_.give_back();
    if (pages_left_ == 0)
        return nullptr;
    --pages_left_;
    pg::check_for_interrupts();
    page_ = LockedPage(index_, next_, Lock::share, Kind::log, root_);
    if (!is_newest && log_number(page_) != expected)
        throw_corrupt(index_, next_, "a page of a log that is not the one before");
    next_ = page_.tail().next;
    return &page_;
}

} // namespace memory::index
