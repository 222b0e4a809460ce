// The callback of the table scan, and the loop that turns sorted records into tenants.
#include "index/build_scan.h"

#include "index/row.h"
#include "pg/entry.h"

extern "C" {
#include "utils/backend_progress.h"
}

namespace memory::index {

namespace {

constexpr std::uint32_t records_to_count = 256;

// Rows come in the order of the table.
struct RowScan {
    RowScan(Relation index, MemoryContext memory, RecordSort &sort_, MemoryContext per_row_)
        : rows(index, memory), sort(sort_), per_row(per_row_) {}

    RowWriter rows;
    RecordSort &sort;
    MemoryContext per_row;
    Scanned added;
};

void add_row(Relation, ItemPointer tid, Datum *values, bool *nulls, bool, void *state) {
    pg::entry([&] {
        auto *scan = static_cast<RowScan *>(state);
        {
            const pg::SwitchedContext switched(scan->per_row);
            ScopeKey key;
            const std::span<const codec::Bytes> records =
                scan->rows.write(values, nulls, *tid, key);
            for (const codec::Bytes record : records)
                scan->sort.put(key.bytes(), to_tid(*tid), record);
            scan->added.documents += records.empty() ? 0 : 1;
            scan->added.records += records.size();
        }
        pg::call([&] { MemoryContextReset(scan->per_row); });
    });
}

} // namespace

void report(BuildPhase phase) {
    pgstat_progress_update_param(PROGRESS_CREATEIDX_SUBPHASE, static_cast<std::int64_t>(phase));
}

Scanned scan_into(RecordSort &sort, Relation heap, Relation index, IndexInfo *info,
                  TableScanDesc scan, bool progress) {
    pg::TemporaryContext per_row("recall index build");
    RowScan state(index, CurrentMemoryContext, sort, per_row.get());
    state.added.rows = pg::call([&] {
        return table_index_build_scan(heap, index, info, true, progress, add_row, &state, scan);
    });
    return state.added;
}

WriteProgress::WriteProgress(std::uint64_t total, pg_atomic_uint64 *shared)
    : reports_(total > 0), shared_(shared) {
    if (reports_)
        pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_TOTAL,
                                     static_cast<std::int64_t>(total));
}

void WriteProgress::add() {
    if (++not_counted_ < records_to_count)
        return;
    const std::uint64_t done = pg_atomic_add_fetch_u64(shared_, not_counted_);
    not_counted_ = 0;
    if (reports_)
        pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_DONE,
                                     static_cast<std::int64_t>(done));
}

void TenantBuild::add(const SortedRecord &sorted) {
    if (!begun_ || sorted.key != key_) {
        end();
        begun_ = true;
        key_ = sorted.key;
    }
    if (payload_ == Payload::codes)
        return log(sorted.record);
    if (inverted_)
        return invert(sorted.record);
    records_.emplace_back(sorted.record.begin(), sorted.record.end());
    if (records_.size() < documents_to_seal)
        return;
    inverted_.emplace(memory_);
    for (const codec::ByteBuffer &record : records_)
        invert(record);
    records_.clear();
}

void TenantBuild::end() {
    if (inverted_)
        write();
    inverted_.reset();
    for (const codec::ByteBuffer &record : records_)
        append(index_, key_, record);
    records_.clear();
    if (!page_.empty())
        write_log();
    is_tiny_ = true;
}

void TenantBuild::log(codec::Bytes record) {
    if (page_.size() + record.size() > longest_record)
        write_log();
    page_.insert(page_.end(), record.begin(), record.end());
}

// A page at a time: a WAL record for each code would take as long as to insert it. What the leaf
// can keep is added record by record, as there each is an item.
void TenantBuild::write_log() {
    is_tiny_ = is_tiny_ && page_.size() < tiny_bytes;
    if (is_tiny_) {
        each_stored(payload_, page_,
                    [this](const StoredRecord &record) { append(index_, key_, record.bytes); });
    } else {
        make_root(index_, key_);
        append(index_, key_, page_);
    }
    page_.clear();
}

void TenantBuild::invert(codec::Bytes bytes) {
    const codec::Record record = read_record(bytes);
    // Not between the records of one document.
    if (!inverted_->documents.empty() &&
        inverted_->documents.back().row.tid != record.document.tid &&
        (inverted_->terms.bytes() >= most_bytes_ ||
         inverted_->documents.size() == segment::most_documents)) {
        write();
        inverted_.emplace(memory_);
    }
    inverted_->add(record);
}

void TenantBuild::write() {
    const BlockNumber root = make_root(index_, key_);
    inverted_->terms.finish();
    publish(index_, root, write_run(index_, root, inverted_->documents, inverted_->terms));
}

} // namespace memory::index
