// Writes a row's text as records, in memory that is reset for every row.
#include "index/row.h"

#include "index/options.h"
#include "pg/datum.h"

namespace memory::index {

Columns::Columns(Relation index) : scope(IndexRelationGetNumberOfKeyAttributes(index) - 1) {
    for (int i = 0; i < scope; ++i)
        types[static_cast<std::size_t>(i)] = scope_type(index->rd_opcintype[i]);
}

RowWriter::RowWriter(Relation index, MemoryContext memory)
    : resource_(memory), columns_(index), analysis_(dictionary_of(index), &resource_),
      records_(&resource_) {}

std::span<const codec::Bytes> RowWriter::write(const Datum *values, const bool *nulls,
                                               const ItemPointerData &tid, ScopeKey &key) {
    for (int i = 0; i < columns_.scope; ++i) {
        if (nulls[i])
            return {};
        key.add(columns_.types[static_cast<std::size_t>(i)], values[i]);
    }
    std::uint32_t fingerprint = no_text;
    Analysed analysed;
    if (!nulls[columns_.scope]) {
        const std::string_view contents = pg::text_view(values[columns_.scope]);
        fingerprint = text_fingerprint(contents);
        analysed = analysis_.document(contents);
    }
    return records_.write({to_tid(tid), analysed.length, fingerprint}, analysed.terms);
}

} // namespace memory::index
