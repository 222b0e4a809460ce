// Makes, reads and checks the meta page.
#include "index/meta.h"

#include "index/free_space.h"
#include "pg/error.h"

extern "C" {
#include "access/xloginsert.h"
#include "port/pg_crc32c.h"
#include "storage/smgr.h"
}

namespace memory::index {

namespace {

constexpr BlockNumber first_leaf = meta_block + 1;

// Every level has at least twice the pages of the one above it.
constexpr std::uint16_t highest_directory = 32;

std::uint32_t checksum_of(const MetaPage &meta) {
    pg_crc32c checksum;
    INIT_CRC32C(checksum);
    COMP_CRC32C(checksum, &meta, offsetof(MetaPage, checksum));
    FIN_CRC32C(checksum);
    return checksum;
}

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

[[noreturn]] void throw_format(Relation index, const MetaPage &meta) {
    throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED,
                    "index \"%s\" has format %u, this version of memory reads %u",
                    RelationGetRelationName(index), static_cast<unsigned>(meta.version),
                    static_cast<unsigned>(format_version))
        .hint("REINDEX it, or install a newer version of memory.");
}

// Null if the page can be used. The numbers are checked besides the checksum, which does not tell
// of one that was wrong when it was written.
const char *what_is_wrong(Relation index, const MetaPage &meta) {
    if (meta.checksum != checksum_of(meta))
        return "its meta page is not what was written";
    if (!parameters_of(meta).valid() || meta.by_length > (k1_by_length | b_by_length))
        return "parameters of BM25 that are none";
    if (meta.scope_columns != IndexRelationGetNumberOfKeyAttributes(index) - 1)
        return "an index of other columns";
    if (meta.directory_height > highest_directory)
        return "a directory of impossible height";
    if (meta.directory_root == meta_block ||
        meta.directory_root >= pg::call([index] { return RelationGetNumberOfBlocks(index); }))
        return "a directory that begins on no page";
    return nullptr;
}

void check(Relation index, const MetaPage &meta) {
    if (meta.magic != magic)
        throw_corrupt(index, meta_block, "no meta page");
    // Formats before this one had no checksum, and those to come may have another.
    if (meta.version < format_version || meta.min_read_version > format_version)
        throw_format(index, meta);
    if (const char *wrong = what_is_wrong(index, meta))
        throw_corrupt(index, meta_block, wrong);
}

} // namespace

void create_meta(Relation index, ForkNumber fork, const MetaPage &meta) {
    alignas(MAXIMUM_ALIGNOF) std::array<char, BLCKSZ> image;
    const auto page = static_cast<Page>(image.data());
    initialise(page, meta_block, Kind::meta, InvalidBlockNumber, 0);
    MetaPage &written = meta_of(page);
    written = meta;
    written.magic = magic;
    written.version = format_version;
    written.min_read_version = format_version;
    set_directory(written, first_leaf, 0);
    pg::call([&] { write_new_page(index, fork, meta_block, page); });
    initialise(page, first_leaf, Kind::leaf, InvalidBlockNumber, 0);
    pg::call([&] { write_new_page(index, fork, first_leaf, page); });
    if (fork == MAIN_FORKNUM)
        prepare_map(index, meta_block);
}

void set_directory(MetaPage &meta, BlockNumber root, std::uint32_t height) {
    meta.directory_root = root;
    meta.directory_height = static_cast<std::uint16_t>(height);
    meta.checksum = checksum_of(meta);
}

rank::Bm25Parameters parameters_of(const MetaPage &meta) {
    return {meta.k1, meta.b, (meta.by_length & k1_by_length) != 0,
            (meta.by_length & b_by_length) != 0};
}

LockedPage lock_meta(Relation index) {
    LockedPage page(index, meta_block, Lock::exclusive, Kind::meta);
    check(index, meta_of(page.page()));
    return page;
}

MetaPage read_meta(Relation index) {
    if (index->rd_amcache == nullptr) {
        const LockedPage page(index, meta_block, Lock::share, Kind::meta);
        check(index, meta_of(page.page()));
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
