// What the pages of a `recall` index look like. Everything that is written to disk is declared
// here, with its size checked; docs/index.md has the pictures. What is inside a record is
// codec/record.h's.
#pragma once

#include "pg/backend.h"

extern "C" {
#include "access/transam.h"
#include "storage/block.h"
#include "storage/bufpage.h"
}

namespace memory::index {

inline constexpr std::uint32_t magic = 0x4c4c4352; // "RCLL"
inline constexpr std::uint16_t format_version = 2;
inline constexpr BlockNumber meta_block = 0;

// The longest scope key: a namespace, a user and a model of 512 bytes each, and what ends them.
// Four of them fit in a directory page, which is what a split needs.
inline constexpr std::size_t longest_key = 1539;

enum class Kind : std::uint16_t { meta = 1, inner, leaf, root, log, segment, free };

// The end of every page. What a page says of itself is checked against what led to it, so that a
// number that has been damaged, or a page that is not where it belongs, is an error and no answer.
struct PageTail {
    BlockNumber next; // directory: right sibling; log: the page before; segment: the page after
    std::uint32_t generation; // directory: level; log, segment: owner(), its tenant's root page
    Kind kind;
    std::uint16_t flags;
    std::uint32_t mark; // mark_of() the page

    BlockNumber owner() const noexcept { return generation; }
};
static_assert(sizeof(PageTail) == 16);

// What says that a page is one of ours, and that it is in its place.
inline constexpr std::uint32_t mark_of(BlockNumber block) noexcept { return magic ^ block; }

// Flags of directory pages.
inline constexpr std::uint16_t split_incomplete =
    1; // the parent does not know the right sibling yet
// Flags of log pages.
inline constexpr std::uint16_t superseded =
    2; // a newer log page is there; nothing is appended any more
// Above the flags of a log page is its number, one more than that of the page before it, modulo how
// many there are. The root page's is 0.
inline constexpr unsigned log_number_shift = 2;
inline constexpr std::uint16_t log_numbers = 1U << (16 - log_number_shift);

// Of BM25's parameters, the one that the average length of a tenant's texts says.
inline constexpr std::uint32_t k1_by_length = 1;
inline constexpr std::uint32_t b_by_length = 2;

struct MetaPage {
    std::uint32_t magic;
    std::uint16_t version;
    std::uint16_t min_read_version;
    BlockNumber directory_root;
    std::uint16_t directory_height; // 0: the root is a leaf
    std::uint16_t scope_columns;
    double k1;
    double b;
    std::uint64_t fingerprint; // of the rules that cut texts into terms
    std::uint32_t by_length;   // flags: k1_by_length and b_by_length
    std::uint32_t checksum;    // CRC-32C of what is before it
};
static_assert(sizeof(MetaPage) == 48);

// Directory pages hold ordinary items. On a page with a right sibling the first is the high key:
// the least key that belongs to the right.

// inner: a child, and the least key below it; the first child's key is empty, less than any other.
struct InnerItem {
    BlockNumber child;
    std::uint16_t key_length;
    // key
};
inline constexpr std::size_t inner_header = 6;
static_assert(offsetof(InnerItem, key_length) + 2 == inner_header);

// leaf: a tenant's entry, followed by its records as items of their own as long as it is tiny.
enum class LeafItemKind : std::uint8_t { high_key, tenant, record };

struct TenantItem {
    LeafItemKind item;
    std::uint8_t unused;
    std::uint16_t records; // items that follow; 0 once there is a root page
    BlockNumber root;      // InvalidBlockNumber while tiny
    std::uint16_t key_length;
    // key
};
inline constexpr std::size_t tenant_header = 10;
static_assert(offsetof(TenantItem, key_length) + 2 == tenant_header);

// A record's item is its kind, then the record (codec/record.h).
inline constexpr std::size_t record_item_header = sizeof(LeafItemKind);

// The bytes of records that a leaf keeps for one tenant before it gets a root page.
inline constexpr std::size_t tiny_bytes = BLCKSZ / 8;

// A root page: this after the page header, then `runs` times Run, then records as on a log page,
// one after another.
struct RootPage {
    BlockNumber tail;        // the newest page of the log: a log page, or this page itself
    std::uint32_t log_pages; // behind this one
    std::uint16_t runs;
    std::uint16_t checksum; // of the rest of this, and the runs (seal_root())
    std::uint32_t tenant;   // a hash of its key
};
static_assert(sizeof(RootPage) == 16);

enum class RunState : std::uint16_t { live = 1, retired, packed };

// Pages that follow each other by next, from `first` to `last`: a segment (live); what has been
// retired, of which there are two runs at most: one whose horizon is known, and one that still
// grows; or records of vector codes, as on log pages (packed).
struct Run {
    BlockNumber first;
    BlockNumber last;
    std::uint32_t pages;
    std::uint32_t unused;
    // Of a segment: where its catalogue begins, and its bytes.
    BlockNumber catalogue;
    std::uint32_t catalogue_bytes;
    std::uint32_t documents; // dead ones included; of a packed run: that it was written with
    std::uint32_t dead;
    std::uint32_t texts; // documents that are alive and have a text
    std::uint16_t catalogue_offset;
    RunState state;
    std::uint64_t length;  // of those texts, in tokens
    std::uint64_t horizon; // retired: a FullTransactionId from after that; 0: still grows
};
static_assert(sizeof(Run) == 56);
inline constexpr std::size_t most_runs = 64;

inline PageTail &tail_of(Page page) {
    return *reinterpret_cast<PageTail *>(PageGetSpecialPointer(page));
}
inline MetaPage &meta_of(Page page) { return *reinterpret_cast<MetaPage *>(PageGetContents(page)); }
inline RootPage &root_of(Page page) { return *reinterpret_cast<RootPage *>(PageGetContents(page)); }

// Where records begin on a log page, parts on a segment's page, and runs on a root page.
inline constexpr std::size_t log_start = MAXALIGN(SizeOfPageHeaderData);
inline constexpr std::size_t root_start = MAXALIGN(SizeOfPageHeaderData) + sizeof(RootPage);

inline Run *runs_of(Page page) {
    return reinterpret_cast<Run *>(static_cast<char *>(page) + root_start);
}

// Where records begin on a page of the log.
inline std::size_t records_start(Page page) {
    return tail_of(page).kind == Kind::root ? root_start + sizeof(Run) * root_of(page).runs
                                            : log_start;
}

// The longest record: one that an empty root page takes.
inline constexpr std::size_t longest_record = BLCKSZ - root_start - sizeof(PageTail);

} // namespace memory::index
