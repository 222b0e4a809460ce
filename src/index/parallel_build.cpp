// Shares a build among its processes: scanning, sorting, and writing partitions, apart by a
// barrier.
#include "index/parallel_build.h"

#include "index/run_file.h"
#include "pg/entry.h"
#include "pg/handles.h"
#include "pg/memory.h"

#include <numeric>

extern "C" {
#include "access/parallel.h"
#include "catalog/index.h"
#include "executor/instrument.h"
#include "optimizer/optimizer.h"
#include "pgstat.h"
#include "storage/barrier.h"
#include "tcop/tcopprot.h"
#include "utils/wait_event.h"

#pragma GCC visibility push(default)
void memory_build_worker(dsm_segment *segment, shm_toc *contents);
#pragma GCC visibility pop
}

namespace memory::index {

namespace {

// What a process says of its scan, before it arrives at the barrier.
struct Participant {
    Scanned scanned;
    bool has_file;
    bool broken_hot_chains;
    FileParts parts;
};

// The phases of the barrier, to which every process of the build is attached.
constexpr int scanning = 0;

struct SharedBuild {
    Oid heap;
    Oid index;
    bool concurrent;
    int most_participants;
    Barrier barrier;
    pg_atomic_uint32 participants; // that have come so far
    pg_atomic_uint32 taken;        // partitions
    pg_atomic_uint64 written;      // records
    SharedFileSet files;

    Participant *all() noexcept { return reinterpret_cast<Participant *>(this + 1); }
    std::span<Participant> known() noexcept {
        return {all(), static_cast<std::size_t>(most_participants)};
    }

    // For one sort, in kilobytes: together they take maintenance_work_mem.
    int memory() const noexcept { return maintenance_work_mem / most_participants; }
};
static_assert(alignof(Participant) <= alignof(SharedBuild));

enum Entry : std::uint64_t { shared_entry = 1, scan_entry, query_entry, buffers_entry, wal_entry };

// One process's part in a build.
class Builder {
  public:
    Builder(SharedBuild *shared, Relation heap, Relation index, bool leads)
        : shared_(shared), heap_(heap), index_(index), leads_(leads) {}

    void run(IndexInfo *info, ParallelTableScanDesc scan);

  private:
    void scan(std::uint32_t number, IndexInfo *info, ParallelTableScanDesc scan);
    void write();
    std::uint64_t records() const;

    SharedBuild *shared_;
    Relation heap_;
    Relation index_;
    bool leads_;
};

// A process that starts when the scan is over takes part in the writing only.
void Builder::run(IndexInfo *info, ParallelTableScanDesc scan_of_all) {
    const std::uint32_t number = pg_atomic_fetch_add_u32(&shared_->participants, 1);
    if (BarrierAttach(&shared_->barrier) == scanning) {
        scan(number, info, scan_of_all);
        pg::call([this] {
            BarrierArriveAndWait(&shared_->barrier, WAIT_EVENT_PARALLEL_CREATE_INDEX_SCAN);
        });
    }
    write();
    BarrierDetach(&shared_->barrier);
}

void Builder::scan(std::uint32_t number, IndexInfo *info, ParallelTableScanDesc scan_of_all) {
    Participant &self = shared_->all()[number];
    RecordSort sort(shared_->memory());
    if (leads_)
        report(BuildPhase::scanning);
    TableScanDesc scan = pg::call([&] { return table_beginscan_parallel(heap_, scan_of_all); });
    self.scanned = scan_into(sort, heap_, index_, info, scan, leads_);
    self.broken_hot_chains = info->ii_BrokenHotChain;
    if (leads_)
        report(BuildPhase::sorting);
    sort.finish();
    write_file(&shared_->files, number, sort, self.parts);
    self.has_file = true;
}

std::uint64_t Builder::records() const {
    std::uint64_t count = 0;
    for (const Participant &participant : shared_->known())
        count += participant.scanned.records;
    return count;
}

// The partitions that have records, the largest first: the last ones taken are small, so that all
// end at about the same time.
std::pmr::vector<std::size_t> largest_first(std::span<const Participant> participants,
                                            std::pmr::memory_resource *memory) {
    std::array<std::uint64_t, partitions> bytes{};
    for (const Participant &participant : participants)
        for (std::size_t i = 0; i < partitions; ++i)
            bytes[i] += participant.parts[i].bytes;
    std::pmr::vector<std::size_t> order(partitions, memory);
    std::iota(order.begin(), order.end(), 0U);
    std::erase_if(order, [&](std::size_t i) { return bytes[i] == 0; });
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return bytes[a] != bytes[b] ? bytes[a] > bytes[b] : a < b;
    });
    return order;
}

// The records of one partition from all files, in their order.
class Merge {
  public:
    Merge(SharedBuild *shared, std::pmr::memory_resource *memory)
        : participants_(shared->known()), files_(memory), current_(memory) {
        for (std::uint32_t i = 0; i < participants_.size(); ++i)
            if (participants_[i].has_file)
                files_.emplace_back(i, RunFile(&shared->files, i, memory));
    }

    void begin(std::size_t partition) {
        current_.clear();
        for (auto &[number, file] : files_) {
            file.begin(participants_[number].parts[partition]);
            if (file.next())
                current_.push_back(&file);
        }
        started_ = false;
    }

    std::optional<SortedRecord> next() {
        if (started_ && !current_[least_]->next())
            current_.erase(current_.begin() + static_cast<std::ptrdiff_t>(least_));
        started_ = true;
        if (current_.empty())
            return std::nullopt;
        // As many as there are processes: few.
        least_ = 0;
        for (std::size_t i = 1; i < current_.size(); ++i)
            if (codec::as_text(current_[i]->record()) < codec::as_text(current_[least_]->record()))
                least_ = i;
        return SortedRecord(current_[least_]->record());
    }

  private:
    std::span<const Participant> participants_;
    std::pmr::vector<std::pair<std::uint32_t, RunFile>> files_;
    std::pmr::vector<RunFile *> current_; // that have a record left
    std::size_t least_ = 0;
    bool started_ = false;
};

void Builder::write() {
    if (leads_)
        report(BuildPhase::writing);
    pg::TemporaryContext memory("recall index build of tenants");
    const std::pmr::vector<std::size_t> order = largest_first(shared_->known(), memory.resource());
    const std::size_t writers = std::clamp(order.size(), std::size_t{1}, shared_->known().size());
    WriteProgress progress(leads_ ? records() : 0, &shared_->written);
    TenantBuild tenants(index_, static_cast<std::size_t>(maintenance_work_mem) * 1024 / writers,
                        memory.resource());
    Merge merge(shared_, memory.resource());
    for (;;) {
        const std::uint32_t place = pg_atomic_fetch_add_u32(&shared_->taken, 1);
        if (place >= order.size())
            return;
        merge.begin(order[place]);
        while (const std::optional<SortedRecord> sorted = merge.next()) {
            pg::check_for_interrupts();
            tenants.add(*sorted);
            progress.add();
        }
        tenants.end();
    }
}

// --- the leader ------------------------------------------------------------------------------

// Parallel mode, and what the workers are to know. After an ERROR the transaction ends both.
class Workers {
  public:
    explicit Workers(int count);
    ~Workers();
    Workers(const Workers &) = delete;
    Workers &operator=(const Workers &) = delete;

    // Sets the shared memory up, and the workers off. False when there are none.
    bool launch(Relation heap, Relation index, bool concurrent, Snapshot snapshot);
    // Waits until they have ended, and adds what they have used to what we have.
    void finish();

    SharedBuild *shared() const noexcept { return shared_; }
    ParallelTableScanDesc scan() const noexcept { return scan_; }

  private:
    void prepare(Relation heap, Relation index, bool concurrent, Snapshot snapshot);
    template <class Type>
    Type *put(Entry entry, Size size);

    ParallelContext *context_;
    SharedBuild *shared_ = nullptr;
    ParallelTableScanDesc scan_ = nullptr;
    BufferUsage *buffers_ = nullptr;
    WalUsage *wal_ = nullptr;
};

Workers::Workers(int count)
    : context_(pg::call([count] {
          EnterParallelMode();
          return CreateParallelContext("$libdir/memory", "memory_build_worker", count);
      })) {}

Workers::~Workers() {
    pg::release([this] {
        DestroyParallelContext(context_);
        ExitParallelMode();
    });
}

template <class Type>
Type *Workers::put(Entry entry, Size size) {
    void *place = shm_toc_allocate(context_->toc, size);
    shm_toc_insert(context_->toc, entry, place);
    return static_cast<Type *>(place);
}

// Inside call().
void Workers::prepare(Relation heap, Relation index, bool concurrent, Snapshot snapshot) {
    const auto participants = static_cast<Size>(context_->nworkers) + 1;
    const auto workers = static_cast<Size>(context_->nworkers);
    const Size shared_size = sizeof(SharedBuild) + participants * sizeof(Participant);
    const Size scan_size = table_parallelscan_estimate(heap, snapshot);
    const char *query = debug_query_string != nullptr ? debug_query_string : "";
    const Size query_size = strlen(query) + 1;
    const Size sizes[] = {shared_size, scan_size, query_size, workers * sizeof(BufferUsage),
                          workers * sizeof(WalUsage)};
    for (const Size size : sizes)
        shm_toc_estimate_chunk(&context_->estimator, size);
    shm_toc_estimate_keys(&context_->estimator, lengthof(sizes));
    InitializeParallelDSM(context_);
    if (context_->seg == nullptr)
        return;

    shared_ = put<SharedBuild>(shared_entry, shared_size);
    memset(static_cast<void *>(shared_), 0, shared_size);
    shared_->heap = RelationGetRelid(heap);
    shared_->index = RelationGetRelid(index);
    shared_->concurrent = concurrent;
    shared_->most_participants = static_cast<int>(participants);
    BarrierInit(&shared_->barrier, 0);
    pg_atomic_init_u32(&shared_->participants, 0);
    pg_atomic_init_u32(&shared_->taken, 0);
    pg_atomic_init_u64(&shared_->written, 0);
    SharedFileSetInit(&shared_->files, context_->seg);
    scan_ = put<ParallelTableScanDescData>(scan_entry, scan_size);
    table_parallelscan_initialize(heap, scan_, snapshot);
    memcpy(put<char>(query_entry, query_size), query, query_size);
    buffers_ = put<BufferUsage>(buffers_entry, workers * sizeof(BufferUsage));
    wal_ = put<WalUsage>(wal_entry, workers * sizeof(WalUsage));
}

bool Workers::launch(Relation heap, Relation index, bool concurrent, Snapshot snapshot) {
    return pg::call([&] {
        prepare(heap, index, concurrent, snapshot);
        if (shared_ == nullptr)
            return false;
        LaunchParallelWorkers(context_);
        return context_->nworkers_launched > 0;
    });
}

void Workers::finish() {
    pg::call([this] {
        WaitForParallelWorkersToFinish(context_);
        for (int i = 0; i < context_->nworkers_launched; ++i)
            InstrAccumParallelQuery(&buffers_[i], &wal_[i]);
    });
}

// --- a worker --------------------------------------------------------------------------------

template <class Type>
Type *find(shm_toc *contents, Entry entry) {
    return static_cast<Type *>(pg::call([=] { return shm_toc_lookup(contents, entry, false); }));
}

void work(dsm_segment *segment, shm_toc *contents) {
    auto *shared = find<SharedBuild>(contents, shared_entry);
    debug_query_string = find<char>(contents, query_entry);
    pg::call([=] {
        pgstat_report_activity(STATE_RUNNING, debug_query_string);
        SharedFileSetAttach(&shared->files, segment);
    });
    // The locks that the leader has.
    const pg::OpenRelation heap(shared->heap,
                                shared->concurrent ? ShareUpdateExclusiveLock : ShareLock);
    const pg::OpenRelation index(shared->index,
                                 shared->concurrent ? RowExclusiveLock : AccessExclusiveLock);
    IndexInfo *info = pg::call([&] { return BuildIndexInfo(index.get()); });
    info->ii_Concurrent = shared->concurrent;
    pg::call([] { InstrStartParallelQuery(); });
    Builder(shared, heap.get(), index.get(), false)
        .run(info, find<ParallelTableScanDescData>(contents, scan_entry));
    auto *buffers = find<BufferUsage>(contents, buffers_entry);
    auto *wal = find<WalUsage>(contents, wal_entry);
    pg::call(
        [=] { InstrEndParallelQuery(&buffers[ParallelWorkerNumber], &wal[ParallelWorkerNumber]); });
}

} // namespace

int workers_for([[maybe_unused]] Relation heap, [[maybe_unused]] Relation index,
                [[maybe_unused]] const IndexInfo *info) {
#if PG_VERSION_NUM >= 170000
    return info->ii_ParallelWorkers;
#else
    return pg::call(
        [=] { return plan_create_index_workers(RelationGetRelid(heap), RelationGetRelid(index)); });
#endif
}

std::optional<Scanned> build_in_parallel(Relation heap, Relation index, IndexInfo *info,
                                         int workers) {
    std::optional<pg::HeldSnapshot> snapshot;
    if (info->ii_Concurrent)
        snapshot.emplace(pg::call([] { return GetTransactionSnapshot(); }));
    Workers others(workers);
    if (!others.launch(heap, index, info->ii_Concurrent, snapshot ? snapshot->get() : SnapshotAny))
        return std::nullopt;
    SharedBuild *shared = others.shared();
    Builder(shared, heap, index, true).run(info, others.scan());
    others.finish();
    Scanned sum;
    for (const Participant &participant : shared->known()) {
        sum.rows += participant.scanned.rows;
        sum.documents += participant.scanned.documents;
        info->ii_BrokenHotChain |= participant.broken_hot_chains;
    }
    return sum;
}

} // namespace memory::index

void memory_build_worker(dsm_segment *segment, shm_toc *contents) {
    memory::pg::entry([=] { memory::index::work(segment, contents); });
}
