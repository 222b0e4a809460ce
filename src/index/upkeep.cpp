// Gathers records of the log, chooses the segments to merge, and writes the new segment.
#include "index/upkeep.h"

#include "index/change.h"
#include "index/compact.h"
#include "index/dead_rows.h"
#include "index/retire.h"
#include "index/segment/merge_policy.h"
#include "index/segment/merger.h"
#include "index/segment_pages.h"
#include "pg/error.h"
#include "pg/memory.h"

namespace memory::index {

namespace {

// A log is sealed when this many of its pages are full, and hold enough documents; when there are
// many pages, fewer documents will do.
constexpr std::uint32_t pages_to_seal = 2;
constexpr std::uint32_t many_pages = 16;
// Sealed and freed at once in an insert.
constexpr std::uint32_t most_pages = 16;

struct Gathered {
    explicit Gathered(std::pmr::memory_resource *memory) : pages(memory), records(memory) {}

    std::pmr::vector<codec::ByteBuffer> pages; // with records
    std::pmr::vector<codec::Record> records;   // in the order of their tids
    Run log{};                                 // the log's pages that they are from, retired
    bool whole = true; // no document of theirs goes on in pages that were not gathered
};

bool by_tid(const codec::Record &a, const codec::Record &b) {
    return a.document.tid < b.document.tid;
}

// The rows whose documents go on on a page.
void add_continued(Relation index, const LockedPage &page, std::pmr::vector<codec::Tid> &rows) {
    reading(index, page.block(), [&] {
        codec::RecordReader records(records_of(index, page));
        while (const auto record = records.next())
            if (record->continued)
                rows.push_back(record->document.tid);
    });
}

// The pages' records, in the order of their tids.
void sort_records(Relation index, BlockNumber root, Gathered &gathered) {
    for (const codec::ByteBuffer &page : gathered.pages)
        reading(index, root, [&] {
            codec::RecordReader records(page);
            while (const auto record = records.next())
                gathered.records.push_back(*record);
        });
    std::stable_sort(gathered.records.begin(), gathered.records.end(), by_tid);
}

// Whether none of the documents with these tids is among the records.
bool has_none(const Gathered &gathered, std::span<const codec::Tid> tids) {
    return std::none_of(tids.begin(), tids.end(), [&](const codec::Tid &tid) {
        codec::Record like{};
        like.document.tid = tid;
        return std::binary_search(gathered.records.begin(), gathered.records.end(), like, by_tid);
    });
}

// Copies the records of the root page and of the oldest pages of its log, `most` at most and not
// the newest: nothing but VACUUM, which waits for the tenant's lock, changes those.
Gathered gather(Relation index, BlockNumber root, std::uint32_t most,
                std::pmr::memory_resource *memory) {
    Gathered gathered(memory);
    gathered.log.state = RunState::retired;
    LogWalk walk(index, root);
    if (walk.log_pages() == 0)
        return gathered;
    const std::uint32_t wanted = std::min(most, walk.log_pages() - 1);
    const std::uint32_t newer = walk.log_pages() - wanted;
    std::uint32_t passed = 0;
    std::pmr::vector<codec::Tid> continued(memory);
    while (const LockedPage *page = walk.next()) {
        const bool is_root = page->block() == root;
        if (!is_root && passed++ < newer) {
            add_continued(index, *page, continued);
            continue;
        }
        if (!is_root) {
            gathered.log.first = gathered.log.pages == 0 ? page->block() : gathered.log.first;
            gathered.log.last = page->block();
            ++gathered.log.pages;
        }
        const codec::Bytes bytes = records_of(index, *page);
        if (!bytes.empty())
            gathered.pages.emplace_back(bytes.begin(), bytes.end());
    }
    sort_records(index, root, gathered);
    gathered.whole &= has_none(gathered, continued);
    return gathered;
}

// --- sealing ---------------------------------------------------------------------------------

bool is_due(const Gathered &gathered) {
    if (gathered.records.empty())
        return gathered.log.pages > 0; // VACUUM has left nothing on them
    return gathered.pages.size() >= pages_to_seal &&
           (gathered.records.size() >= documents_to_seal || gathered.pages.size() >= many_pages);
}

// Takes the records of dead rows out. True if there are any.
bool drop_dead(Relation index, Relation heap, BlockNumber root, Gathered &gathered,
               std::pmr::memory_resource *memory) {
    std::pmr::vector<codec::Tid> tids(memory);
    for (const codec::Record &record : gathered.records)
        if (tids.empty() || tids.back() != record.document.tid)
            tids.push_back(record.document.tid);
    const std::pmr::vector<codec::Tid> dead = find_dead(index, heap, root, tids, memory);
    return std::erase_if(gathered.records, [&](const codec::Record &record) {
               return std::binary_search(dead.begin(), dead.end(), record.document.tid);
           }) > 0;
}

// What becomes of a log's pages, and of the records on the root page.
void seal(Relation index, BlockNumber root, Relation heap, Gathered &gathered, Change &change,
          std::pmr::memory_resource *memory) {
    if (!gathered.whole) {
        // A document of several records is written under the tenant's lock, so all of its records
        // are behind the new page.
        close_log_page(index, root);
        gathered = gather(index, root, PG_UINT32_MAX, memory);
    }
    if (heap != nullptr)
        change.dead_left_out = drop_dead(index, heap, root, gathered, memory);
    Inverted inverted(memory);
    reading(index, root, [&] {
        for (const codec::Record &record : gathered.records)
            inverted.add(record);
    });
    inverted.terms.finish();
    if (!inverted.documents.empty())
        change.added = write_run(index, root, inverted.documents, inverted.terms);
    change.log = gathered.log;
    publish(index, root, change);
}

// About as many as a segment has of what is in so many pages of a log; none of no records.
std::uint64_t pages_to_write(const Gathered &gathered) {
    return gathered.records.empty() ? 0 : gathered.pages.size() / 2 + 1;
}

// Seals if it is due: the pages of records that it has sealed.
std::uint32_t seal(Relation index, BlockNumber root, std::uint32_t most, Relation heap,
                   Room &room) {
    Change change;
    change.root_records_sealed = true;
    if (!has_room(index, root, change))
        return 0;
    pg::TemporaryContext memory("recall index seal");
    Gathered gathered = gather(index, root, most, memory.resource());
    if (!is_due(gathered))
        return 0;
    room.rewrite(pages_to_write(gathered),
                 [&] { seal(index, root, heap, gathered, change, memory.resource()); });
    return static_cast<std::uint32_t>(gathered.pages.size());
}

// --- merging ---------------------------------------------------------------------------------

struct Chosen {
    std::array<Run, most_runs> runs;
    std::size_t count = 0;
    std::uint64_t pages = 0;

    void add(const Run &run) {
        runs[count++] = run;
        pages += run.pages;
    }
    std::span<const Run> span() const noexcept { return std::span(runs).first(count); }
};

// The live segments of a root page, and their sizes.
struct Segments {
    explicit Segments(const Runs &runs) {
        for (const Run &run : runs.span())
            if (run.state == RunState::live) {
                all[count] = run;
                sizes[count++] = {run.documents, run.pages};
            }
    }

    std::array<Run, most_runs> all;
    std::array<segment::Size, most_runs> sizes;
    std::size_t count = 0;

    std::span<const segment::Size> span() const noexcept { return std::span(sizes).first(count); }
};
static_assert(most_runs <= 64, "choose_merge() has a bit for each");

Chosen choose(Relation index, BlockNumber root, segment::Which which, segment::MergeBound most) {
    const Segments segments(read_runs(index, root));
    Chosen chosen;
    for (std::uint64_t bits = choose_merge(segments.span(), which, most); bits != 0;
         bits &= bits - 1)
        chosen.add(segments.all[static_cast<std::size_t>(std::countr_zero(bits))]);
    return chosen;
}

// Tids still marked alive in `segments` whose heap rows are dead to all snapshots.
std::pmr::vector<codec::Tid> dead_in(Relation index, Relation heap, BlockNumber root,
                                     std::pmr::deque<segment::Segment> &segments,
                                     std::pmr::memory_resource *memory) {
    std::pmr::vector<codec::Tid> tids(memory);
    for (segment::Segment &segment : segments)
        for (std::uint32_t ordinal = 0; ordinal < segment.documents(); ++ordinal)
            if (segment.alive(ordinal))
                tids.push_back(segment.row(ordinal).tid);
    std::sort(tids.begin(), tids.end());
    return find_dead(index, heap, root, tids, memory);
}

// Replaces the chosen segments by one, or by none if no document in them is alive. False, and they
// stay as they are, if the root page has no room.
bool merge(Relation index, BlockNumber root, const Chosen &chosen, Relation heap) {
    Change change;
    change.replaced = chosen.span();
    if (!has_room(index, root, change))
        return false;
    pg::TemporaryContext memory("recall index merge");
    SegmentPages pages(index, root);
    std::pmr::deque<segment::Segment> segments(memory.resource());
    segment::Merger merger(memory.resource());
    reading(index, pages, [&] {
        for (const Run &run : change.replaced) {
            segments.emplace_back(pages, root_of_segment(run), memory.resource())
                .expect(run.documents);
            merger.add(segments.back());
        }
        std::pmr::vector<codec::Tid> dead(memory.resource());
        if (heap != nullptr)
            dead = dead_in(index, heap, root, segments, memory.resource());
        change.dead_left_out = !dead.empty();
        merger.arrange(dead);
        if (!merger.documents().empty())
            change.added = write_run(index, root, merger.documents(), merger);
    });
    const TenantLock lock(index, root, Wait::yes);
    return publish(index, root, change);
}

// About as many as the living take; none where all are dead.
std::uint64_t pages_to_write(const Chosen &chosen) {
    std::uint64_t pages = 0;
    for (const Run &run : chosen.span())
        pages += (std::uint64_t{run.pages} * (run.documents - run.dead) + run.documents - 1) /
                 std::max(run.documents, 1U);
    return pages;
}

bool merge(Relation index, BlockNumber root, const Chosen &chosen, Relation heap, Room &room) {
    bool merged = false;
    room.rewrite(pages_to_write(chosen), [&] { merged = merge(index, root, chosen, heap); });
    return merged;
}

// Merges what is due, and reads no more pages in all than that.
void merge_due(Relation index, BlockNumber root, Relation heap, segment::Which which,
               segment::MergeBound most, Room &room) {
    for (;;) {
        const Chosen chosen = choose(index, root, which, most);
        // More inputs leave than runs come, so there is room on the root page.
        if (chosen.count == 0 || !merge(index, root, chosen, heap, room))
            return;
        most.pages -= chosen.pages;
    }
}

// The same of large segments, if no other backend merges those.
void try_to_merge_large(Relation index, BlockNumber root, Relation heap, segment::MergeBound most,
                        Room &room) {
    const SegmentsLock lock(index, root, Wait::no);
    if (lock.held())
        merge_due(index, root, heap, segment::Which::large, most, room);
}

} // namespace

void Inverted::add(const codec::Record &record) {
    const codec::Document &document = record.document;
    if (documents.empty() || documents.back().row.tid != document.tid)
        documents.push_back({{document.tid, document.fingerprint}, document.length});
    const auto ordinal = static_cast<std::uint32_t>(documents.size() - 1);
    codec::RecordTerms entries(record);
    while (const auto entry = entries.next())
        terms.add(ordinal, entry->term, entry->count);
}

Run write_run(Relation index, BlockNumber root, std::span<const segment::StoredDocument> documents,
              segment::TermSource &terms) {
    pg::TemporaryContext memory("recall index segment");
    SegmentWriter writer(index, root);
    segment::Root written;
    std::optional<NoRoom> none;
    try {
        written = segment::write_segment(documents, terms, writer, memory.resource());
    } catch (const NoRoom &thrown) {
        none = thrown;
    }
    if (none) {
        none->note_given_back(writer.give_back());
        throw *none;
    }
    Run run = writer.finish();
    run.catalogue = written.catalogue.block;
    run.catalogue_offset = written.catalogue.offset;
    run.catalogue_bytes = written.bytes;
    run.documents = static_cast<std::uint32_t>(documents.size());
    for (const segment::StoredDocument &document : documents)
        if (document.row.fingerprint != no_text) {
            ++run.texts;
            run.length += document.length;
        }
    return run;
}

void publish(Relation index, BlockNumber root, const Run &added) {
    Change change;
    change.added = added;
    Room room;
    if (!has_room(index, root, change))
        merge_due(index, root, nullptr, segment::Which::all, {segment::most_documents, UINT64_MAX},
                  room);
    if (room.why())
        throw *room.why();
    if (!publish(index, root, change))
        throw pg::Error(ERRCODE_PROGRAM_LIMIT_EXCEEDED, "a tenant has too many segments");
}

bool keep_up(Relation index, BlockNumber root, Relation heap, bool helped) {
    const TenantLock lock(index, root, Wait::no);
    if (!lock.held())
        return false;
    free_retired(index, root, most_pages);
    Room room; // if there is none, the INSERT has still done what it had to
    const std::uint32_t sealed = seal(index, root, most_pages, heap, room);
    merge_due(index, root, heap, segment::Which::small, segment::bound_of_insert(sealed), room);
    const std::size_t runs = read_runs(index, root).count;
    const segment::MergeBound most = segment::bound_of_large_merge(runs, helped, heap != nullptr);
    if (most.pages > 0)
        try_to_merge_large(index, root, heap, most, room);
    return helped && segment::merges_apart(Segments(read_runs(index, root)).span());
}

void merge_apart(Relation index, BlockNumber root) {
    Room room; // if there is none, VACUUM says so
    try_to_merge_large(index, root, nullptr, segment::bound_apart, room);
}

namespace {

void clean_up_texts(Relation index, BlockNumber root, Room &room) {
    const Runs runs = read_runs(index, root);
    for (const Run &run : runs.span())
        if (run.state == RunState::live && std::uint64_t{run.dead} * 10 > run.documents) {
            Chosen alone;
            alone.add(run);
            merge(index, root, alone, nullptr, room);
        }
    seal(index, root, PG_UINT32_MAX, nullptr, room);
    merge_due(index, root, nullptr, segment::Which::all, segment::bound_apart, room);
}

} // namespace

void clean_up(Relation index, BlockNumber root, Room &room) {
    free_retired(index, root, UINT32_MAX);
    if (payload_of(index) == Payload::codes)
        compact(index, root, room);
    else
        clean_up_texts(index, root, room);
    stamp_retired(index, root);
}

} // namespace memory::index
