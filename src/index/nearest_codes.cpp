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

// How many estimates are held of those that may be wanted: more than are read as a rule.
std::size_t held_for(std::size_t wanted) {
    constexpr std::size_t least = 1024;
    constexpr std::size_t times = 16;
    return std::max(least, times * std::min(wanted, codec::CodeSearch::all_rows / times));
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
                           std::size_t wanted, double least, std::pmr::memory_resource *memory,
                           Hold hold)
    : index_(index), key_(key_of(scope)), dimensions_(vector.size()),
      query_(vector, codec::CodeForm::of(dimensions_), memory),
      search_(wanted, least, memory, codec::usual_certainty,
              hold == Hold::all ? codec::CodeSearch::all_rows : held_for(wanted)) {
    count_search(index);
    note_search(index, key_.bytes(), snapshot);
    add_all();
}

void NearestCodes::add_all() {
    codes_ = 0;
    if (query_.has_direction())
        visit_code_pages(index_, key_.bytes(), [this](codec::Bytes records) { add(records); });
    count_entries(index_, codes_);
}

std::optional<codec::Tid> NearestCodes::next() {
    for (;;) {
        if (const auto row = search_.next())
            return row;
        if (!search_.must_add_again())
            return std::nullopt;
        search_.add_again();
        add_all();
    }
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
    std::array<codec::Estimate, 128> estimates;
    codec::CodeRecordReader reader(records);
    for (;;) {
        const codec::CodeRecords alike = reader.next_alike(estimates.size());
        if (alike.count == 0)
            return;
        if (alike.dimensions != dimensions_)
            continue;
        query_.estimate(alike.code(0), alike.size, std::span(estimates).first(alike.count));
        for (std::size_t n = 0; n < alike.count; ++n)
            search_.add(alike.tid(n), estimates[n]);
        codes_ += alike.count;
    }
}

} // namespace memory::index
