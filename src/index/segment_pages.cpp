// Reads the parts of a segment by address, with a few pages pinned, and writes them page by page.
#include "index/segment_pages.h"

#include "index/crash_point.h"
#include "index/free_space.h"
#include "pg/error.h"

namespace memory::index {

namespace {

segment::PageView view_of(Page page) {
    const auto *bytes = reinterpret_cast<const std::uint8_t *>(page);
    return {{bytes, reinterpret_cast<PageHeader>(page)->pd_lower}, tail_of(page).next};
}

} // namespace

segment::PageView SegmentPages::open(std::uint32_t block) {
    page_.reset();
    pg::check_for_interrupts();
    last_ = block;
    page_.emplace(index_, block, Lock::share, Kind::segment, root_);
    if (block == version_.catalogue)
        version_.written = PageGetLSN(page_->page());
    return view_of(page_->page());
}

segment::PageView SegmentPages::keep(std::size_t place, std::uint32_t block) {
    std::optional<KeptPage> &kept = kept_[place];
    kept.reset();
    copied_[place] = InvalidBlockNumber;
    const segment::PageView *copy = version_.is_known() ? copy_of(version_, block) : nullptr;
    if (copy == nullptr) {
        last_ = block;
        LockedPage page(index_, block, Lock::share, Kind::segment, root_);
        if (version_.is_known())
            copy = copy_page(version_, block, view_of(page.page()), copied_);
        if (copy == nullptr) {
            kept.emplace(std::move(page));
            return view_of(kept->page());
        }
    }
    copied_[place] = block;
    return *copy;
}

void SegmentPages::let_go() {
    for (std::optional<KeptPage> &kept : kept_)
        kept.reset();
    copied_.fill(InvalidBlockNumber);
}

std::size_t SegmentWriter::room() const { return page_ ? capacity - size_ : 0; }

segment::Address SegmentWriter::append(codec::Bytes part) {
    if (part.size() > capacity)
        throw pg::Error(ERRCODE_INTERNAL_ERROR, "a part of a segment that no page takes");
    if (room() < part.size()) {
        LockedPage next = LockedPage::allocate(index_);
        if (page_)
            write(next.block());
        else
            first_ = next.block();
        page_.emplace(std::move(next));
        size_ = 0;
        ++pages_;
    }
    const segment::Address address{page_->block(), static_cast<std::uint16_t>(log_start + size_)};
    std::memcpy(data_.data() + size_, part.data(), part.size());
    size_ += part.size();
    return address;
}

void SegmentWriter::write(BlockNumber next) {
    PageWrite write(index_);
    std::memcpy(extend_data(write.create(*page_, Kind::segment, next, root_), size_), data_.data(),
                size_);
    write.finish();
    crash_point("segment page");
}

// They have not been published, so no reader has come to them, on no standby either.
std::uint32_t SegmentWriter::give_back() {
    BlockNumber block = first_;
    for (std::uint32_t left = page_ ? pages_ - 1 : 0; left > 0; --left) {
        const BlockNumber written = block;
        {
            const LockedPage page(index_, written, Lock::exclusive, Kind::segment, root_);
            block = page.tail().next;
            PageWrite write(index_);
            mark_free(write, page);
            write.finish();
        }
        offer(index_, written);
        crash_point("given back");
    }
    if (page_) { // the last, on which nothing has been written: it is free, or new
        const BlockNumber last = page_->block();
        page_.reset();
        offer(index_, last);
    }
    return std::exchange(pages_, 0);
}

Run SegmentWriter::finish() {
    write(InvalidBlockNumber);
    Run run{};
    run.first = first_;
    run.last = page_->block();
    page_.reset();
    run.pages = pages_;
    run.state = RunState::live;
    return run;
}

} // namespace memory::index
