// Walks packed runs, and takes records off their pages.
#include "index/packed.h"

#include "index/crash_point.h"

namespace memory::index {

const LockedPage *PackedWalk::next() {
    page_.reset();
    if (left_ == 0)
        return nullptr;
    --left_;
    pg::check_for_interrupts();
    page_.emplace(index_, next_, lock_, Kind::segment, root_);
    next_ = page_->tail().next;
    return &*page_;
}

void replace_packed(Relation index, BlockNumber root, const Run &run, const LockedPage &page,
                    codec::Bytes kept, std::uint32_t removed) {
    const LockedPage root_page = lock_root(index, root, Lock::exclusive);
    const std::span<const Run> runs = runs_on(root_page);
    const auto place = std::find_if(runs.begin(), runs.end(), [&](const Run &other) {
        return other.first == run.first && other.state == RunState::packed;
    });
    if (place == runs.end() || place->documents - place->dead < removed)
        throw_corrupt(index, root, "a packed run of fewer records than it has");
    PageWrite write(index);
    const Page copy = write.change(page);
    set_records(copy, kept);
    const Page root_copy = write.change(root_page);
    runs_of(root_copy)[place - runs.begin()].dead += removed;
    seal_root(root_copy);
    ++tail_of(root_copy).generation;
    write.finish();
    crash_point("vacuumed");
}

} // namespace memory::index
