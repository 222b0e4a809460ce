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
    Page copy = nullptr; // its memory, once it has some
};

constinit std::array<Place, most_copies> places{};

Place &place_of(BlockNumber block) noexcept { return places[block % most_copies]; }

Page memory_for_page() {
    static constinit MemoryContext context = nullptr;
    return pg::call([] {
        if (context == nullptr)
            context = AllocSetContextCreate(TopMemoryContext, "recall index pages",
                                            ALLOCSET_DEFAULT_SIZES);
        return static_cast<Page>(MemoryContextAlloc(context, BLCKSZ));
    });
}

} // namespace

Page copy_of(const SegmentVersion &version, BlockNumber block) noexcept {
    Place &place = place_of(block);
    if (place.block != block || place.version != version)
        return nullptr;
    place.was_of_use = true;
    return place.copy;
}

Page copy_page(const SegmentVersion &version, BlockNumber block, Page page,
               std::span<const BlockNumber> in_use) {
    Place &place = place_of(block);
    const bool is_in_use = std::any_of(in_use.begin(), in_use.end(), [&](BlockNumber other) {
        return other != InvalidBlockNumber && &place_of(other) == &place;
    });
    if (is_in_use || std::exchange(place.was_of_use, false))
        return nullptr;
    if (place.copy == nullptr)
        place.copy = memory_for_page();
    std::memcpy(place.copy, page, BLCKSZ);
    place.version = version;
    place.block = block;
    return place.copy;
}

} // namespace memory::index
