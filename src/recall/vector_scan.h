// All vectors of one tenant and model, straight from the pages of memory.embeddings. The caller
// must have the right to read the whole table. The executor would take most of the time that
// comparing them takes.
#pragma once

#include "access/scope.h"
#include "models/code_index.h"
#include "models/stored_vectors.h"
#include "pg/handles.h"
#include "pg/key_scan.h"
#include "pg/memory.h"

namespace memory::recall {

class VectorScan final : public models::StoredVectors {
  public:
    // `memory` is for what the scan keeps.
    VectorScan(const access::Tenant &tenant, std::string_view model, Snapshot snapshot,
               std::pmr::memory_resource *memory);

    // Whether the caller may read every row of every user; if not, this is no way.
    bool allowed() const;

    // All tenants' rows together, as VACUUM or ANALYZE last counted them.
    double rows_of_all() const noexcept {
        return std::max(0.0, double{table_.get()->rd_rel->reltuples});
    }

    // Finds rows until there are `most`, if there are so many; the next call goes on. Returns how
    // many have been found, seen by the snapshot or not.
    std::size_t find(std::size_t most = SIZE_MAX);

    // Pages that are brought together.
    static constexpr std::size_t pages_at_once = 8;

    // Instead of find() and each(): memory.embeddings_by_code, if allowed().
    Relation codes() override;
    bool is_filtered() const noexcept override { return false; }
    std::size_t at_once() const noexcept override { return pages_at_once; }

    // Visits a Stored of each row at these places that the snapshot sees, in the order of the
    // table: best pages_at_once at a time. `rows`: how many the tenant has.
    template <class Visit>
    void each_at(std::span<const codec::Tid> places, std::size_t rows, Visit &&visit) {
        take(places, rows);
        each(visit);
        places_.clear();
    }

    // The same of the tenant's rows with these ids, which ascend.
    template <class Visit>
    void each_of(std::span<const rank::RowId> ids, Visit &&visit) {
        find_ids(ids);
        each(visit);
        places_.clear();
    }

    // Visits a Stored of every row found that the snapshot sees, once; what it points to is valid
    // until the visit returns. Vectors out of line are fetched into the current memory context.
    template <class Visit>
    void each(Visit &&visit) {
        put_in_order();
        for (std::size_t from = 0; from < places_.size();) {
            pg::check_for_interrupts();
            Pages pages;
            bring(pages, from);
            for (auto page = pages.begin(); page != pages.end() && *page; ++page) {
                from = read_page(**page, from);
                for (const auto &[id, vector] : on_page_)
                    visit(Stored{id, &pg::vector_view(vector)});
            }
        }
    }

  private:
    void visit_at(std::span<const codec::Tid> places, std::size_t rows,
                  const Visitor &visit) override {
        each_at(places, rows, visit);
    }
    void visit_of(std::span<const rank::RowId> ids, const Visitor &visit) override {
        each_of(ids, visit);
    }
    void visit_all(const Visitor &visit) override;

    Relation by_key();
    std::array<ScanKeyData, 3> key_of_tenant() const;
    void find_ids(std::span<const rank::RowId> ids);
    void take(std::span<const codec::Tid> places, std::size_t rows);
    void put_in_order();

    // PostgreSQL counts pins of eight pages without a hash table.
    using Pages = std::array<std::optional<pg::PinnedPage>, pages_at_once>;

    // Pins the pages of places_[from] and the next ones. A tenant's vectors lie scattered, and
    // waiting for one after the other takes half of the time: so all are asked for at once.
    void bring(Pages &pages, std::size_t from) const;
    // Reads the rows on a page, of places_ from `from` on. Returns the first place behind them.
    std::size_t read_page(const pg::PinnedPage &page, std::size_t from);

    BlockNumber block_of(std::size_t place) const {
        return static_cast<BlockNumber>(places_[place] >> 16);
    }
    OffsetNumber offset_of(std::size_t place) const {
        return static_cast<OffsetNumber>(places_[place]);
    }

    MemoryContext context_; // what scan_ is in
    schema::OpenTable table_;
    const access::Tenant &tenant_;
    std::string_view model_;
    Snapshot snapshot_;
    AttrNumber id_;
    AttrNumber vector_;
    std::optional<schema::OpenIndex> index_;
    std::optional<pg::KeyScan> scan_;
    bool found_all_ = false;
    std::optional<models::CodeIndex> codes_;
    std::pmr::vector<std::uint64_t> places_;                  // in the table, as KeyScan has them
    std::pmr::vector<std::pair<rank::RowId, Datum>> on_page_; // vectors as they lie there
};

} // namespace memory::recall
