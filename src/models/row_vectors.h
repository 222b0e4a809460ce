// Stored vectors of rows that a statement says the caller may be answered with: it joins the table
// of vectors with that of the rows, and has the last word on which count.
#pragma once

#include "access/direct.h"
#include "access/scope.h"
#include "models/code_index.h"
#include "models/stored_vectors.h"
#include "pg/memory.h"
#include "pg/place_fetch.h"
#include "pg/statement.h"

namespace memory::models {

class RowVectors : public StoredVectors {
  public:
    // Of the vectors in memory.`table`, whose index of codes is memory.`index`; literals.
    RowVectors(const access::Tenant &tenant, const char *table, const char *index,
               Snapshot snapshot, std::pmr::memory_resource *memory);

    Relation codes() override { return index_.get(); }
    bool is_filtered() const noexcept override { return true; }
    // A statement takes as long to begin as some ten rows.
    std::size_t at_once() const noexcept override { return 32; }

  protected:
    // What has the vectors, for a statement that takes places in it.
    Oid table() const noexcept { return table_.id(); }
    // The versions at these places that the snapshot sees, as a tid[]. Where there are codes.
    pg::Parameter versions_at(std::span<const codec::Tid> places);

    // Runs a statement with the values that values() gives, and visits stored(row) of each row:
    // only that allocates in the caller's context, which the visit may reset.
    template <class GiveValues, class GiveStored>
    void visit_rows(pg::Statement &statement, const Visitor &visit, GiveValues &&values,
                    GiveStored &&stored) {
        const MemoryContext brought = CurrentMemoryContext;
        own_.reset();
        const pg::SwitchedContext switched(own_.get());
        access::reading(statement, tenant_)
            .each(pg::SnapshotOf::caller, values(), [&](const pg::Row &row) {
                const pg::SwitchedContext to(brought);
                visit(stored(row));
            });
    }

  private:
    const access::Tenant &tenant_;
    schema::OpenTable table_;
    CodeIndex index_;
    Snapshot snapshot_;
    std::pmr::memory_resource *memory_;
    MemoryContext context_;    // what versions_ are in
    pg::TemporaryContext own_; // what a statement is run with
    std::optional<pg::SeenVersions> versions_;
};

} // namespace memory::models
