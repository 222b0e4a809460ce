// Records of vector codes where they are: beside the directory's entry, in the log, and in packed
// runs, which VACUUM makes of a log that has become thin (compact.h). A packed run's pages hold
// records as a log page does, and only VACUUM changes them.
#pragma once

#include "index/tenant.h"

namespace memory::index {

// The pages of a packed run, one lock at a time.
class PackedWalk {
  public:
    // `root`: the root page of the tenant that the run is of.
    PackedWalk(Relation index, BlockNumber root, const Run &run, Lock lock)
        : index_(index), root_(root), lock_(lock), next_(run.first), left_(run.pages) {}

    // The next page, or nothing. The one before is given back.
    const LockedPage *next();
    // The number of the page after that; InvalidBlockNumber if there is none.
    BlockNumber after_next() const noexcept { return left_ > 0 ? next_ : InvalidBlockNumber; }
    // Gives the page back that next() gave.
    void let_go() { page_.reset(); }

  private:
    Relation index_;
    BlockNumber root_;
    Lock lock_;
    BlockNumber next_;
    std::uint32_t left_;
    std::optional<LockedPage> page_;
};

// Replaces the records of a page of a packed run by `kept`, without `removed` that were there, in
// a WAL record with the root page. Under the tenant's lock.
void replace_packed(Relation index, BlockNumber root, const Run &run, const LockedPage &page,
                    codec::Bytes kept, std::uint32_t removed);

// Calls visit(codec::Bytes) with the records of the tenant of `key`, a page's at a time, under the
// page's lock.
template <class Visit>
void visit_code_pages(Relation index, Key key, Visit &&visit) {
    BlockNumber root = InvalidBlockNumber;
    {
        const LockedPage leaf = find_leaf(index, key, Lock::share);
        const Place place = find_tenant(index, leaf, key);
        if (!place.found)
            return;
        const TenantItem &tenant = tenant_at(index, leaf, place.offset);
        root = tenant.root;
        for (OffsetNumber i = 1; i <= tenant.records; ++i)
            reading(index, leaf.block(), [&] {
                visit(record_at(index, leaf, static_cast<OffsetNumber>(place.offset + i)));
            });
    }
    if (root == InvalidBlockNumber)
        return;
    const auto visit_pages = [&](auto &walk) {
        while (const LockedPage *page = walk.next()) {
            expect_page(index, walk.after_next());
            reading(index, page->block(), [&] { visit(records_of(index, *page)); });
        }
    };
    LogWalk log(index, TenantRoot{root, hash_of(key)});
    const Runs runs = log.runs();
    visit_pages(log);
    for (const Run &run : runs.span()) {
        if (run.state != RunState::packed)
            continue;
        PackedWalk pages(index, root, run, Lock::share);
        visit_pages(pages);
    }
}

} // namespace memory::index
