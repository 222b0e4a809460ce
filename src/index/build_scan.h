// What serial and parallel builds have in common: rows of the table go into a sort, and its records
// become tenants.
#pragma once

#include "index/record_sort.h"
#include "index/upkeep.h"

extern "C" {
#include "access/tableam.h"
#include "commands/progress.h"
#include "nodes/execnodes.h"
#include "port/atomics.h"
}

namespace memory::index {

// What pg_stat_progress_create_index shows as "building index: …". The first has PostgreSQL's own
// number.
enum class BuildPhase : std::int64_t {
    initializing = PROGRESS_CREATEIDX_SUBPHASE_INITIALIZE,
    scanning,
    sorting,
    writing,
};
void report(BuildPhase phase);

// Counts the records that have been written, for pg_stat_progress_create_index.
class WriteProgress {
  public:
    // `shared` counts for several processes, of which one reports: the one with a `total`.
    WriteProgress(std::uint64_t total, pg_atomic_uint64 *shared);

    void add();

  private:
    bool reports_;
    pg_atomic_uint64 *shared_;
    std::uint32_t not_counted_ = 0; // every single one would cost too much
};

struct Scanned {
    double rows = 0;
    std::uint64_t documents = 0;
    std::uint64_t records = 0;
};

// Puts the rows of the table into `sort`: all of them, or those that the parallel scan `scan`,
// which it ends, gives to this process. `progress`: whether this process reports what has been
// scanned.
Scanned scan_into(RecordSort &sort, Relation heap, Relation index, IndexInfo *info,
                  TableScanDesc scan, bool progress);

// Writes tenants, one after another, each at once: a log of few documents, or segments; of codes
// always a log. Call order: add() for the records of a tenant in the order of their rows, then
// those of the next; end() once.
class TenantBuild {
  public:
    // A segment ends when its terms take `most_bytes` of memory.
    TenantBuild(Relation index, std::size_t most_bytes, std::pmr::memory_resource *memory)
        : index_(index), payload_(payload_of(index)), most_bytes_(most_bytes), memory_(memory),
          key_(memory), records_(memory), page_(memory) {}

    void add(const SortedRecord &sorted);
    void end();

  private:
    void invert(codec::Bytes bytes);
    void write();
    void log(codec::Bytes record);
    void write_log();

    Relation index_;
    Payload payload_;
    std::size_t most_bytes_;
    std::pmr::memory_resource *memory_;
    bool begun_ = false;
    std::pmr::string key_;
    std::pmr::vector<codec::ByteBuffer> records_; // while they are few
    std::optional<Inverted> inverted_;
    codec::ByteBuffer page_; // of a log of codes, as full as it gets
    bool is_tiny_ = true;    // no page of the log has been written
};

} // namespace memory::index
