// The pages of a segment: how its parts come to be there, and how they are read.
#pragma once

#include "index/page.h"
#include "index/page_copies.h"
#include "index/segment/reader.h"

namespace memory::index {

static_assert(segment::page_start == log_start);

// Reads one page at a time, under its share lock, and keeps some pinned, or copies of them. An
// owner that lives longer than one call from PostgreSQL releases them with let_go() at the end of
// the call.
class SegmentPages final : public segment::PageSource {
  public:
    // `root`: the root page of the tenant that the segments are of. `copied`: where the catalogue
    // of the only segment begins that is read, which is read first; of its pages that are kept, the
    // backend keeps copies.
    SegmentPages(Relation index, BlockNumber root, BlockNumber copied = InvalidBlockNumber)
        : index_(index), root_(root), version_{index->rd_rel->relfilenode, copied} {
        copied_.fill(InvalidBlockNumber);
    }

    segment::PageView open(std::uint32_t block) override;
    void close() override { page_.reset(); }
    segment::PageView keep(std::size_t place, std::uint32_t block) override;
    void let_go() override;

    // The page read last.
    BlockNumber last() const noexcept { return last_; }

  private:
    Relation index_;
    BlockNumber root_;
    std::optional<LockedPage> page_;
    std::array<std::optional<KeptPage>, segment::kept_pages> kept_;
    SegmentVersion version_;                              // whose copies are kept
    std::array<BlockNumber, segment::kept_pages> copied_; // of what is kept
    BlockNumber last_ = InvalidBlockNumber;
};

// Writes the pages of one segment, each in a WAL record of its own. They are unreachable until the
// segment is published.
class SegmentWriter final : public segment::PartSink {
  public:
    // `root`: the root page of the segment's tenant.
    SegmentWriter(Relation index, BlockNumber root) : index_(index), root_(root) {}

    std::size_t page_bytes() const override { return capacity; }
    std::size_t room() const override;
    segment::Address append(codec::Bytes part) override;

    // Writes what is left. The run knows its pages, and nothing of what is on them.
    Run finish();
    // Or frees the pages that have been taken: how many.
    std::uint32_t give_back();

  private:
    static constexpr std::size_t capacity = BLCKSZ - log_start - sizeof(PageTail);

    void write(BlockNumber next);

    Relation index_;
    BlockNumber root_;
    BlockNumber first_ = InvalidBlockNumber;
    std::optional<LockedPage> page_; // in hand
    std::uint32_t pages_ = 0;
    std::size_t size_ = 0;
    std::array<std::uint8_t, capacity> data_;
};

// Runs `body`, which reads through `pages`; what is wrong there is an error that names the page.
template <class Body>
auto reading(Relation index, const SegmentPages &pages, Body &&body) {
    try {
        return body();
    } catch (const codec::Corrupt &corrupt) {
        throw_corrupt(index, pages.last(), corrupt.what());
    }
}

inline segment::Root root_of_segment(const Run &run) {
    return {{run.catalogue, run.catalogue_offset}, run.catalogue_bytes};
}

} // namespace memory::index
