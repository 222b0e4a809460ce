// Scans the table as a build does, and looks each row up among the records.
#include "index/table_check.h"

#include "index/root_page.h"
#include "index/row.h"
#include "pg/entry.h"
#include "pg/handles.h"
#include "pg/local_settings.h"

extern "C" {
#include "access/tableam.h"
#include "catalog/index.h"
#include "common/hashfn.h"
}

namespace memory::index {

namespace {

class RowCheck {
  public:
    RowCheck(Relation index, const Recorded &known)
        : known_(known), scope_(Columns(index).scope),
          per_row_("recall index verification of a row") {
        if (payload_of(index) == Payload::codes)
            rows_.emplace(index, CurrentMemoryContext);
    }

    RowProblems run(Relation index, Relation heap, Snapshot snapshot);

  private:
    static void see(Relation index, ItemPointer tid, Datum *values, bool *nulls, bool alive,
                    void *state);
    void check(const ItemPointerData &tid, const Datum *values, const bool *nulls);
    bool has_record_of(const ItemPointerData &tid, const Datum *values, const bool *nulls,
                       std::uint64_t content);

    const Recorded &known_;
    int scope_;
    pg::TemporaryContext per_row_;
    std::optional<RowWriter> rows_; // of codes
    RowProblems problems_;
};

bool RowCheck::has_record_of(const ItemPointerData &tid, const Datum *values, const bool *nulls,
                             std::uint64_t content) {
    per_row_.reset();
    const pg::SwitchedContext switched(per_row_.get());
    ScopeKey key;
    const std::span<const codec::Bytes> records = rows_->write(values, nulls, tid, key);
    return content_of(hash_of(key.bytes()), records.front()) == content;
}

void RowCheck::check(const ItemPointerData &tid, const Datum *values, const bool *nulls) {
    if (std::any_of(nulls, nulls + scope_, [](bool null) { return null; }))
        return;
    const auto found = known_.find(tid_number(to_tid(tid)));
    if (found == known_.end())
        ++problems_.missing;
    else if (rows_ && !has_record_of(tid, values, nulls, found->second))
        ++problems_.different;
}

void RowCheck::see(Relation, ItemPointer tid, Datum *values, bool *nulls, bool, void *state) {
    pg::entry([=] { static_cast<RowCheck *>(state)->check(*tid, values, nulls); });
}

RowProblems RowCheck::run(Relation index, Relation heap, Snapshot snapshot) {
    const pg::ActingAs owner(heap->rd_rel->relowner, SECURITY_RESTRICTED_OPERATION);
    pg::LocalSettings settings(pg::LocalSettings::Others::go);
#if PG_VERSION_NUM >= 170000
    settings.set("search_path", "pg_catalog, pg_temp"); // as in maintenance by PostgreSQL itself
#endif
    pg::call([&] {
        IndexInfo *info = BuildIndexInfo(index);
        info->ii_Concurrent = true; // by the snapshot, without waiting for writers
        info->ii_Unique = false;
        info->ii_ExclusionOps = nullptr;
        TableScanDesc scan = table_beginscan_strat(heap, snapshot, 0, nullptr, true, true);
        table_index_build_scan(heap, index, info, true, false, see, this, scan);
    });
    return problems_;
}

} // namespace

std::uint64_t tid_number(const codec::Tid &tid) noexcept {
    return std::uint64_t{tid.block} << 16 | tid.offset;
}

std::uint64_t content_of(std::uint32_t tenant, codec::Bytes record) noexcept {
    return hash_bytes_extended(record.data(), static_cast<int>(record.size()), tenant);
}

RowProblems compare_rows(Relation index, Relation heap, Snapshot snapshot, const Recorded &known) {
    return RowCheck(index, known).run(index, heap, snapshot);
}

} // namespace memory::index
