// Marks documents dead in the tables of their segment, under the tenant's lock, one page at a time.
#include "index/forget.h"

#include "index/crash_point.h"
#include "index/dead_rows.h"
#include "index/upkeep.h"
#include "pg/memory.h"

extern "C" {
#include "access/xlog.h"
}

namespace memory::index {

void mark_dead(Relation index, BlockNumber root, const Run &run, segment::Segment &segment,
               std::size_t part, std::span<const std::uint32_t> ordinals) {
    std::uint32_t texts = 0;
    std::uint64_t length = 0;
    for (const std::uint32_t ordinal : ordinals)
        if (segment.row(ordinal).fingerprint != no_text) {
            ++texts;
            length += segment.length(ordinal);
        }
    const segment::Address table = segment.catalogue().lengths(part);
    const LockedPage page(index, table.block, Lock::exclusive, Kind::segment, root);
    const LockedPage root_page = lock_root(index, root, Lock::exclusive);
    const std::span<const Run> runs = runs_on(root_page);
    const auto place = std::find_if(runs.begin(), runs.end(), [&](const Run &other) {
        return other.first == run.first && other.state == RunState::live;
    });
    if (place == runs.end())
        throw_corrupt(index, root, "a segment has gone under its tenant's lock");
    PageWrite write(index);
    auto *bits = reinterpret_cast<std::uint8_t *>(write.change(page)) + table.offset;
    const Page root_copy = write.change(root_page);
    Run &changed = runs_of(root_copy)[place - runs.begin()];
    for (const std::uint32_t ordinal : ordinals) {
        const std::uint32_t in_table = ordinal % segment::documents_per_lengths;
        bits[codec::Lengths::alive_byte(in_table)] &=
            static_cast<std::uint8_t>(~codec::Lengths::alive_bit(in_table));
    }
    changed.dead += static_cast<std::uint32_t>(ordinals.size());
    changed.texts -= texts;
    changed.length -= length;
    seal_root(root_copy);
    ++tail_of(root_copy).generation;
    write.finish();
    crash_point("vacuumed");
}

// The reader's answer may be old: VACUUM may have passed since, and the tid be another row's. But
// what is alive in the segment under the tenant's lock, VACUUM has not taken away.
void forget_dead(Relation index, Relation heap, BlockNumber root, const Run &run,
                 std::span<const std::uint32_t> ordinals) {
    // The processes of a parallel query do not shut each other out.
    if (RecoveryInProgress() || IsInParallelMode())
        return;
    const TenantLock lock(index, root, Wait::no);
    if (!lock.held())
        return;
    const SegmentsLock segments(index, root, Wait::no);
    if (!segments.held())
        return;
    const Runs runs = read_runs(index, root);
    if (std::none_of(runs.span().begin(), runs.span().end(), [&](const Run &other) {
            return other.first == run.first && other.state == RunState::live;
        }))
        return;
    pg::TemporaryContext memory("recall index dead documents");
    SegmentPages pages(index, root);
    reading(index, pages, [&] {
        segment::Segment segment(pages, root_of_segment(run), memory.resource());
        segment.expect(run.documents);
        std::pmr::vector<codec::Tid> tids(memory.resource());
        for (const std::uint32_t ordinal : ordinals)
            tids.push_back(segment.row(ordinal).tid);
        const std::pmr::vector<codec::Tid> dead =
            find_dead(index, heap, root, tids, memory.resource());
        std::pmr::vector<std::uint32_t> of_part(memory.resource());
        for (std::size_t i = 0; i < ordinals.size();) {
            const std::size_t part = ordinals[i] / segment::documents_per_lengths;
            of_part.clear();
            for (; i < ordinals.size() && ordinals[i] / segment::documents_per_lengths == part; ++i)
                if (segment.alive(ordinals[i]) &&
                    std::binary_search(dead.begin(), dead.end(), tids[i]))
                    of_part.push_back(ordinals[i]);
            if (!of_part.empty())
                mark_dead(index, root, run, segment, part, of_part);
        }
    });
}

} // namespace memory::index
