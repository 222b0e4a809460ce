// A place for each of so many numbers of pages: the pages with lengths of one segment follow each
// other, and so have a place each.
#include "index/page_copies.h"

#include "pg/call.h"

namespace memory::index {

namespace {

constexpr std::size_t most_copies = 256; // 2 MB: the lengths of nearly two million documents

struct Place {
    SegmentVersion version;
    BlockNumber block = InvalidBlockNumber;
    bool was_of_use = false;
    std::uint8_t *memory = nullptr; // once it has some
    segment::PageView copy;         // there
};

constinit std::array<Place, most_copies> places{};

Place &place_of(BlockNumber block) noexcept { return places[block % most_copies]; }

std::uint8_t *memory_for_page() {
    static constinit MemoryContext context = nullptr;
    return pg::call([] {
        if (context == nullptr)
            context = AllocSetContextCreate(TopMemoryContext, "recall index pages",
                                            ALLOCSET_DEFAULT_SIZES);
        return static_cast<std::uint8_t *>(MemoryContextAlloc(context, BLCKSZ));
    });
}

} // namespace

const segment::PageView *copy_of(const SegmentVersion &version, BlockNumber block) noexcept {
    Place &place = place_of(block);
    if (place.block != block || place.version != version)
        return nullptr;
    place.was_of_use = true;
    return &place.copy;
}

const segment::PageView *copy_page(const SegmentVersion &version, BlockNumber block,
                                   const segment::PageView &page,
                                   std::span<const BlockNumber> in_use) {
    Place &place = place_of(block);
    const bool is_in_use = std::any_of(in_use.begin(), in_use.end(), [&](BlockNumber other) {
        return other != InvalidBlockNumber && &place_of(other) == &place;
    });
    if (is_in_use || std::exchange(place.was_of_use, false))
        return nullptr;
    if (place.memory == nullptr)
        place.memory = memory_for_page();
    std::memcpy(place.memory, page.bytes.data(), page.bytes.size());
    place.copy = {{place.memory, page.bytes.size()}, page.next};
    place.version = version;
    place.block = block;
    return &place.copy;
}

} // namespace memory::index
