// Finds the rows in the b-tree of the primary key, puts them in the order of their pages, and
// compares each.
#include "recall/vector_scan.h"

#include "recall/recent_pages.h"
#include "recall/row_id.h"

extern "C" {
#include "access/heapam.h"
}

namespace memory::recall {

namespace {

constexpr std::size_t cache_line = 64;

// From so many vectors on a scan is worth knowing where pages lay.
constexpr std::size_t many = 1000;
constinit RecentPages recent_pages;

// Has it brought from memory. Prefetches would be the word for it, but where this was measured they
// changed nothing, with huge pages and without. Nothing else is done meanwhile: between loads alone
// a processor has far more of them under way than between multiplications.
void touch(const void *byte) { (void)*static_cast<const volatile char *>(byte); }

// All of it. Reads the line pointer without the page's lock: what has changed meanwhile makes no
// difference but to what is asked for.
void touch_row(Page page, OffsetNumber offset) {
    const ItemId row = PageGetItemId(page, offset);
    const std::size_t begin = ItemIdGetOffset(row);
    const std::size_t end = std::min<std::size_t>(BLCKSZ, begin + ItemIdGetLength(row));
    for (std::size_t at = begin; at < end; at += cache_line)
        touch(page + at);
}

} // namespace

VectorScan::VectorScan(const access::Tenant &tenant, std::string_view model, Snapshot snapshot,
                       std::pmr::memory_resource *memory)
    : context_(CurrentMemoryContext), table_(tenant.place("embeddings"), AccessShareLock),
      tenant_(tenant), model_(model), snapshot_(snapshot),
      id_(table_.column<pg::Uuid>("episode_id")), vector_(table_.column<pg::Vectors>("embedding")),
      places_(memory), on_page_(memory) {}

bool VectorScan::allowed() const { return schema::readable_whole(table_.place().table()); }

Relation VectorScan::by_key() {
    static constexpr schema::KeyColumn key[] = {
        {"namespace", TEXTOID}, {"user_id", TEXTOID}, {"episode_id", UUIDOID}, {"model", TEXTOID}};
    if (!index_)
        index_.emplace(table_, key);
    return index_->get();
}

std::array<ScanKeyData, 3> VectorScan::key_of_tenant() const {
    return {pg::equals_text(1, pg::to_datum(tenant_.name_space)),
            pg::equals_text(2, pg::to_datum(tenant_.user)),
            pg::equals_text(4, pg::to_datum(model_))};
}

// There is one row for an id, but there may be several versions of it.
void VectorScan::find_ids(std::span<const rank::RowId> ids) {
    places_.clear();
    const std::array tenant = key_of_tenant();
    std::array keys{tenant[0], tenant[1], pg::equals_uuid(3, nullptr), tenant[2]};
    std::optional<pg::KeyScan> scan;
    std::array<std::uint64_t, pages_at_once> versions;
    for (const rank::RowId &id : ids) {
        pg::check_for_interrupts();
        keys[2] = pg::equals_uuid(3, id.data());
        if (scan)
            scan->rewind(keys);
        else
            scan.emplace(table_.get(), by_key(), snapshot_, keys);
        for (std::size_t found = versions.size(); found == versions.size();) {
            found = scan->next_places(versions);
            places_.insert(places_.end(), versions.begin(),
                           versions.begin() + static_cast<std::ptrdiff_t>(found));
        }
    }
}

void VectorScan::visit_all(const Visitor &visit) {
    find();
    each(visit);
}

std::size_t VectorScan::find(std::size_t most) {
    const pg::SwitchedContext switched(context_);
    if (!scan_) {
        std::array keys = key_of_tenant();
        scan_.emplace(table_.get(), by_key(), snapshot_, keys);
    }
    std::array<std::uint64_t, 256> some;
    while (!found_all_ && places_.size() < most) {
        pg::check_for_interrupts();
        const std::size_t found = scan_->next_places(some);
        places_.insert(places_.end(), some.begin(),
                       some.begin() + static_cast<std::ptrdiff_t>(found));
        found_all_ = found < some.size();
    }
    return places_.size();
}

Relation VectorScan::codes() {
    if (!allowed())
        return nullptr;
    if (!codes_)
        codes_.emplace(table_, "embeddings_by_code");
    return codes_->get();
}

void VectorScan::take(std::span<const codec::Tid> places, std::size_t rows) {
    places_.clear();
    for (const codec::Tid &place : places)
        places_.push_back(std::uint64_t{place.block} << 16 | place.offset);
    if (rows >= many)
        recent_pages.prepare();
}

// The order of the table, which is nearly that of the keys: ids rise with time.
void VectorScan::put_in_order() {
    if (!std::is_sorted(places_.begin(), places_.end()))
        std::sort(places_.begin(), places_.end());
    if (places_.size() >= many)
        recent_pages.prepare();
}

void VectorScan::bring(Pages &pages, std::size_t from) const {
    std::size_t end = from;
    for (auto &page : pages) {
        if (end == places_.size())
            break;
        const BlockNumber block = block_of(end);
        page.emplace(recent_pages.pin(table_.get(), block));
        while (end < places_.size() && block_of(end) == block)
            ++end;
    }
    const auto each_row = [&](auto &&visit) {
        const auto *page = pages.begin();
        for (std::size_t at = from; at < end; ++at) {
            if (at > from && block_of(at) != block_of(at - 1))
                ++page;
            visit((*page)->page(), offset_of(at));
        }
    };
    each_row([](Page page, OffsetNumber offset) { touch(PageGetItemId(page, offset)); });
    each_row(touch_row);
}

std::size_t VectorScan::read_page(const pg::PinnedPage &page, std::size_t from) {
    on_page_.clear();
    const BlockNumber block = block_of(from);
    std::size_t at = from;
    pg::call([&] {
        const Relation table = table_.get();
        LockBuffer(page.buffer(), BUFFER_LOCK_SHARE);
        for (; at < places_.size() && block_of(at) == block; ++at) {
            ItemPointerData tid = pg::item_pointer(places_[at]);
            HeapTupleData row;
            if (!heap_hot_search_buffer(&tid, table, page.buffer(), snapshot_, &row, nullptr, true))
                continue;
            bool no_id;
            bool no_vector;
            const Datum id = pg::column_value(&row, id_, RelationGetDescr(table), &no_id);
            const Datum vector =
                pg::column_value(&row, vector_, RelationGetDescr(table), &no_vector);
            if (!no_id && !no_vector) // a user may have dropped a NOT NULL
                on_page_.emplace_back(row_id(pg::Uuid::read(id)), vector);
        }
        LockBuffer(page.buffer(), BUFFER_LOCK_UNLOCK);
    });
    return at;
}

} // namespace memory::recall
