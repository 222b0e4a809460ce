// The nearest vectors of one tenant by the codes of an index: as other rooms of this extension use
// it, without the executor.
#pragma once

#include "index/codec/code_search.h"
#include "index/scope_key.h"
#include "pg/backend.h"

#include <string_view>

extern "C" {
#include "utils/relcache.h"
#include "utils/snapshot.h"
}

namespace memory::index {

// Whether `index` is a recall index of vector codes that a snapshot of this transaction may use,
// whose scope is so many texts.
bool has_codes(Relation index, std::size_t scope);

// Call order: next(), and after it keep() unless the row is dropped, until next() gives nothing.
// keep() may come later, for some rows: the rule reads on a little further then.
class NearestCodes {
  public:
    // What is held of what is read: the estimates of all rows, or of those alone that next() may
    // give soon. If it goes on behind them, all codes are read again.
    enum class Hold : std::uint8_t { all, best };

    // For the `wanted` rows of the largest cosines with `vector` above `least`, of the tenant whose
    // scope has these values. Reads all its codes. `index`, `snapshot` and `memory` must outlive
    // it.
    NearestCodes(Relation index, Snapshot snapshot, std::span<const std::string_view> scope,
                 std::span<const float> vector, std::size_t wanted, double least,
                 std::pmr::memory_resource *memory, Hold hold = Hold::all);

    // Vectors of the same dimensions that have a code.
    std::size_t codes() const noexcept { return codes_; }

    // A row as the index knows it, the root of its HOT chain, seen by the snapshot or not.
    std::optional<codec::Tid> next();
    // Several, before the cosines of those are kept; how many.
    std::size_t next(std::span<codec::Tid> rows);
    // The cosine of a row that next() gave.
    void keep(double cosine) { search_.keep(cosine); }
    // How many rows next() has given.
    std::size_t read() const { return search_.read(); }
    // Whether these are so few that reading them, in no order of the table, takes less time than
    // all in its order.
    bool spare() const { return read() <= std::max(always_read, codes_ / worth_part); }

    // So many more are wanted: next() may go on.
    void want(std::size_t more) { search_.want(more); }
    // Of the rows that next() has not given, where all are held.
    codec::Estimates estimates() const { return search_.estimates(); }

  private:
    static constexpr std::size_t worth_part = 4;
    static constexpr std::size_t always_read = 1000;

    void add_all();
    void add(codec::Bytes records);

    Relation index_;
    ScopeKey key_;
    std::size_t dimensions_;
    codec::CodeQuery query_;
    codec::CodeSearch search_;
    std::size_t codes_ = 0;
};

} // namespace memory::index
