// Finds the versions that a snapshot sees of rows that an index knows by their first.
#include "models/row_vectors.h"

namespace memory::models {

RowVectors::RowVectors(const access::Tenant &tenant, const char *table, const char *index,
                       Snapshot snapshot, std::pmr::memory_resource *memory)
    : tenant_(tenant), table_(tenant.place(table), AccessShareLock), index_(table_, index),
      snapshot_(snapshot), memory_(memory), context_(CurrentMemoryContext),
      own_("memory: rows of vectors") {}

pg::Parameter RowVectors::versions_at(std::span<const codec::Tid> places) {
    if (!versions_) {
        const pg::SwitchedContext switched(context_);
        versions_.emplace(table_.get(), index_.get(), snapshot_, memory_);
    }
    versions_->clear();
    for (const codec::Tid &place : places)
        versions_->add(codec::place_of(place), 0);
    return versions_->places();
}

} // namespace memory::models
