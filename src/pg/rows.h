// Rows as the result of an SQL function.
#pragma once

#include "pg/function.h"
#include "pg/spi.h"

namespace memory::pg {

// The set that a set-returning function answers with. Make it before any Spi.
class ResultSet {
  public:
    explicit ResultSet(const Arguments &arguments);

    void add(std::span<const Datum> values, std::span<const bool> nulls);
    // The rows of a query whose columns are the function's. Needs a live Spi.
    void add_from(Statement &statement, SnapshotOf snapshot, const Values &parameters);
    // A row of these values; an error when they are not of the types of its columns.
    void add(const Values &row);
    // The first columns of a statement's row, and behind them these values.
    void add_row(const Rows &rows, std::uint64_t row, const Values &behind);
    // A row of one column.
    void add(std::optional<Datum> value);

    bool empty() const;

  private:
    ReturnSetInfo *result_;
};

// A row of these values as the composite result of a function, in the current memory context.
Datum composite_datum(const Arguments &arguments, std::span<const Datum> values,
                      std::span<const bool> nulls);

Datum composite_datum(const Arguments &arguments, const Values &values);

} // namespace memory::pg
