// Links what a change retires, looks for room under the root page's lock, and writes the record.
#include "index/change.h"

#include "index/crash_point.h"
#include "index/retire.h"

namespace memory::index {

namespace {

// All that a change retires, as one run; without pages if there is nothing. What is linked is still
// in use, but no reader goes on from the last page of a run.
Run link_retired(Relation index, BlockNumber root, const Change &change) {
    Run retired = change.log;
    for (const Run &run : change.replaced)
        if (retired.pages == 0)
            retired = run;
        else
            link(index, root, retired, run);
    Run bare{};
    bare.first = retired.first;
    bare.last = retired.last;
    bare.pages = retired.pages;
    bare.state = RunState::retired;
    return bare;
}

// A root page's runs after a change.
Runs changed_runs(Relation index, BlockNumber root, std::span<const Run> before,
                  const Change &change, Run retired) {
    Runs runs;
    for (const Run &run : before)
        if (std::none_of(change.replaced.begin(), change.replaced.end(),
                         [&](const Run &gone) { return gone.first == run.first; }))
            runs.all[runs.count++] = run;
    // What was retired before has left every root page that can be read now.
    stamp_retired(std::span(runs.all).first(runs.count));
    if (change.added)
        runs.all[runs.count++] = *change.added;
    if (retired.pages > 0) {
        const auto end = runs.all.begin() + static_cast<std::ptrdiff_t>(runs.count);
        const auto growing = std::find_if(runs.all.begin(), end, [](const Run &run) {
            return run.state == RunState::retired && run.horizon == 0;
        });
        if (growing == end)
            runs.all[runs.count++] = retired;
        else
            link(index, root, *growing, retired);
    }
    return runs;
}

// What a change adds to a root page at most: a new segment, and a retired run.
constexpr std::size_t runs_in_a_change = 2;

// Whether a root page takes a change. Its runs stay as they are under the tenant's lock; records
// come without that while the root page is its log's tail, so the answer is good as long as the
// page is locked.
bool has_room(Relation index, const LockedPage &root, const Change &change) {
    const std::size_t runs = runs_on(root).size() - change.replaced.size() + runs_in_a_change;
    const std::size_t records = change.root_records_sealed ? 0 : records_of(index, root).size();
    return runs <= most_runs &&
           root_start + runs * sizeof(Run) + records + sizeof(PageTail) <= BLCKSZ;
}

} // namespace

bool has_room(Relation index, BlockNumber root, const Change &change) {
    return has_room(index, lock_root(index, root, Lock::share), change);
}

bool publish(Relation index, BlockNumber root, const Change &change) {
    const Run retired = link_retired(index, root, change);
    const LockedPage page = lock_root(index, root, Lock::exclusive);
    if (!has_room(index, page, change))
        return false;
    const Runs runs = changed_runs(index, root, runs_on(page), change, retired);
    const codec::Bytes records =
        change.root_records_sealed ? codec::Bytes() : records_of(index, page);
    crash_point("publish");
    PageWrite write(index);
    const Page copy = write.change(page);
    root_of(copy).log_pages -= change.log.pages;
    // Readers may still hold what is left out: they must not ask the visibility map about it.
    if (change.dead_left_out)
        ++tail_of(copy).generation;
    replace_runs(copy, runs.span(), records);
    write.finish();
    crash_point("published");
    return true;
}

} // namespace memory::index
