// Estimates the cosines of a tenant's codes, page by page.
#include "index/nearest_codes.h"

#include "index/health.h"
#include "index/packed.h"
#include "index/row.h"
#include "index/scan_counts.h"
#include "index/serializable.h"
#include "pg/datum.h"

extern "C" {
#include "access/htup_details.h"
#include "utils/snapmgr.h"
}

namespace memory::index {

namespace {

// An index that was made where HOT chains were broken lacks rows that older snapshots see.
bool may_be_used(Relation index) {
    return index->rd_index->indisvalid &&
           (!index->rd_index->indcheckxmin ||
            TransactionIdPrecedes(HeapTupleHeaderGetXmin(index->rd_indextuple->t_data),
                                  TransactionXmin));
}

bool is_of_whole_table(Relation index) {
    return heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, nullptr);
}

ScopeKey key_of(std::span<const std::string_view> scope) {
    ScopeKey key;
    for (const std::string_view value : scope)
        key.add(TEXTOID, pg::to_datum(value));
    return key;
}

} // namespace

bool has_codes(Relation index, std::size_t scope) {
    if (!is_recall(index) || payload_of(index) != Payload::codes || !may_be_used(index) ||
        !is_of_whole_table(index))
        return false;
    const Columns columns(index);
    return static_cast<std::size_t>(columns.scope) == scope &&
           std::all_of(columns.types.begin(),
                       columns.types.begin() + static_cast<std::ptrdiff_t>(scope),
                       [](Oid type) { return type == TEXTOID; }) &&
           has_current_rules(index);
}

NearestCodes::NearestCodes(Relation index, Snapshot snapshot,
                           std::span<const std::string_view> scope, std::span<const float> vector,
                           std::size_t wanted, double least, std::pmr::memory_resource *memory)
    : dimensions_(vector.size()), query_(vector, codec::CodeForm::of(dimensions_), memory),
      search_(wanted, least, memory) {
    const ScopeKey key = key_of(scope);
    count_search(index);
    note_search(index, key.bytes(), snapshot);
    if (query_.has_direction())
        visit_code_pages(index, key.bytes(), [this](codec::Bytes records) { add(records); });
    count_entries(index, codes_);
}

std::size_t NearestCodes::next(std::span<codec::Tid> rows) {
    std::size_t count = 0;
    for (; count < rows.size(); ++count) {
        const std::optional<codec::Tid> row = next();
        if (!row)
            break;
        rows[count] = *row;
    }
    return count;
}

void NearestCodes::add(codec::Bytes records) {
    codec::CodeRecordReader reader(records);
    while (const auto record = reader.next()) {
        if (record->dimensions != dimensions_)
            continue;
        search_.add(record->tid, query_.estimate(record->code));
        ++codes_;
    }
}

} // namespace memory::index
