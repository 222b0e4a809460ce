// Registers the worker, and is its main function: locks, a look whether the index is the same, and
// merge_apart().
#include "index/merge_worker.h"

#include "index/upkeep.h"
#include "pg/entry.h"
#include "pg/handles.h"

extern "C" {
#include "access/xact.h"
#include "catalog/index.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "tcop/tcopprot.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#pragma GCC visibility push(default)
void memory_merge_worker(Datum);
#pragma GCC visibility pop
}

namespace memory::index {

namespace {

// What the worker is told, in bgw_extra.
struct Task {
    Oid database;
    Oid index;
    Oid file; // REINDEX and TRUNCATE give the index another, where the block is another's
    BlockNumber root;
};
static_assert(sizeof(Task) <= BGW_EXTRALEN);

Oid file_of(Relation index) {
#if PG_VERSION_NUM >= 160000
    return index->rd_locator.relNumber;
#else
    return index->rd_node.relNode;
#endif
}

bool has_new_file(Relation index) {
#if PG_VERSION_NUM >= 160000
    return index->rd_firstRelfilelocatorSubid != InvalidSubTransactionId;
#else
    return index->rd_firstRelfilenodeSubid != InvalidSubTransactionId;
#endif
}

BackgroundWorker worker_for(const Task &task) {
    BackgroundWorker worker{};
    std::snprintf(worker.bgw_name, sizeof worker.bgw_name, "%s", "memory index merge");
    std::snprintf(worker.bgw_type, sizeof worker.bgw_type, "%s", "memory index merge");
    std::snprintf(worker.bgw_library_name, sizeof worker.bgw_library_name, "%s", "$libdir/memory");
    std::snprintf(worker.bgw_function_name, sizeof worker.bgw_function_name, "%s",
                  "memory_merge_worker");
    worker.bgw_flags = BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION;
    worker.bgw_start_time = BgWorkerStart_RecoveryFinished;
    worker.bgw_restart_time = BGW_NEVER_RESTART;
    memcpy(worker.bgw_extra, &task, sizeof task);
    return worker;
}

bool has_ended(BackgroundWorkerHandle *handle) {
    pid_t pid;
    const BgwHandleStatus status = GetBackgroundWorkerPid(handle, &pid);
    return status != BGWH_STARTED && status != BGWH_NOT_YET_STARTED;
}

// The last that this backend has asked for.
constinit BackgroundWorkerHandle *last = nullptr;

// Inside call().
void register_worker(const Task &task) {
    if (last != nullptr) {
        if (!has_ended(last))
            return;
        pfree(last);
        last = nullptr;
    }
    BackgroundWorker worker = worker_for(task);
    const MemoryContext before = MemoryContextSwitchTo(TopMemoryContext);
    if (!RegisterDynamicBackgroundWorker(&worker, &last))
        last = nullptr;
    MemoryContextSwitchTo(before);
}

// An INSERT's locks, if nothing waits for stronger ones: this is not worth a wait of either.
bool try_to_lock(Oid table, Oid index) {
    return OidIsValid(table) && ConditionalLockRelationOid(table, RowExclusiveLock) &&
           ConditionalLockRelationOid(index, RowExclusiveLock) &&
           IndexGetRelation(index, true) == table;
}

void work(const Task &task) {
    if (!pg::call([&] { return try_to_lock(IndexGetRelation(task.index, true), task.index); }))
        return;
    const pg::OpenRelation index(task.index, NoLock);
    if (file_of(index.get()) == task.file)
        merge_apart(index.get(), task.root);
}

void run(const Task &task) {
    pg::call([&] {
        BackgroundWorkerInitializeConnectionByOid(task.database, InvalidOid, 0);
        StartTransactionCommand();
        pgstat_report_activity(STATE_RUNNING, "merging segments of a recall index");
    });
    work(task);
    pg::call([] {
        CommitTransactionCommand();
        pgstat_report_stat(true);
    });
}

} // namespace

bool can_merge_apart(Relation index) { return !RELATION_IS_LOCAL(index) && !has_new_file(index); }

void start_merging_apart(Relation index, BlockNumber root) {
    const Task task{MyDatabaseId, RelationGetRelid(index), file_of(index), root};
    pg::call([&] { register_worker(task); });
}

} // namespace memory::index

void memory_merge_worker(Datum) {
    memory::pg::entry([] {
        pqsignal(SIGTERM, die);
        BackgroundWorkerUnblockSignals();
        memory::index::Task task;
        memcpy(&task, MyBgworkerEntry->bgw_extra, sizeof task);
        memory::index::run(task);
    });
}
