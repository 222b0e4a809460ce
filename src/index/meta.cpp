// See meta.h.
#include "index/meta.h"

#include "pg/error.h"

extern "C" {
#include "access/xloginsert.h"
#include "storage/smgr.h"
}

namespace memory::index {

namespace {

constexpr BlockNumber first_leaf = meta_block + 1;

void write_new_page(Relation index, ForkNumber fork, BlockNumber expected, Page content) {
    const Buffer buffer = ReadBufferExtended(index, fork, P_NEW, RBM_ZERO_AND_LOCK, nullptr);
    if (BufferGetBlockNumber(buffer) != expected)
        elog(ERROR, "index \"%s\" is not empty", RelationGetRelationName(index));
    // START_CRIT_SECTION() and its end, which clang warns about: ++ of a volatile.
    CritSectionCount = CritSectionCount + 1;
    std::memcpy(BufferGetPage(buffer), content, BLCKSZ);
    MarkBufferDirty(buffer);
    // The init fork of an unlogged index is what its main fork begins with after a crash.
    if (RelationNeedsWAL(index) || fork == INIT_FORKNUM)
        log_newpage_buffer(buffer, true);
    CritSectionCount = CritSectionCount - 1;
    UnlockReleaseBuffer(buffer);
}

void check_format(Relation index, const MetaPage &meta) {
    if (meta.magic != magic)
        throw_corrupt(index, meta_block, "no meta page");
    if (meta.min_read_version > format_version)
        throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED,
                        "index \"%s\" has format %u, this version of memory reads up to %u",
                        RelationGetRelationName(index), static_cast<unsigned>(meta.version),
                        static_cast<unsigned>(format_version))
            .hint("REINDEX it, or install a newer version of memory.");
}

} // namespace

void create_meta(Relation index, ForkNumber fork, const MetaPage &meta) {
    alignas(MAXIMUM_ALIGNOF) std::array<char, BLCKSZ> image;
    const auto page = static_cast<Page>(image.data());
    initialise(page, Kind::meta, InvalidBlockNumber, 0);
    meta_of(page) = meta;
    meta_of(page).magic = magic;
    meta_of(page).version = format_version;
    meta_of(page).min_read_version = format_version;
    meta_of(page).directory_root = first_leaf;
    meta_of(page).directory_height = 0;
    pg::call([&] { write_new_page(index, fork, meta_block, page); });
    initialise(page, Kind::leaf, InvalidBlockNumber, 0);
    pg::call([&] { write_new_page(index, fork, first_leaf, page); });
}

LockedPage lock_meta(Relation index) {
    return LockedPage(index, meta_block, Lock::exclusive, Kind::meta);
}

MetaPage read_meta(Relation index) {
    if (index->rd_amcache == nullptr) {
        const LockedPage page(index, meta_block, Lock::share, Kind::meta);
        check_format(index, meta_of(page.page()));
        auto *copy = static_cast<MetaPage *>(
            pg::call([index] { return MemoryContextAlloc(index->rd_indexcxt, sizeof(MetaPage)); }));
        *copy = meta_of(page.page());
        index->rd_amcache = copy;
    }
    return *static_cast<const MetaPage *>(index->rd_amcache);
}

void forget_meta(Relation index) noexcept {
    if (void *cached = std::exchange(index->rd_amcache, nullptr))
        pfree(cached);
}

} // namespace memory::index
