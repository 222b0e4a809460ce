// The row that a row trigger was called for.
#pragma once

#include "pg/function.h"

namespace memory::pg {

class TriggerRow {
  public:
    // An error when the function was not called as a row trigger.
    explicit TriggerRow(const Arguments &arguments);

    // The new row's value; nothing when it is NULL. The column must exist.
    std::optional<Datum> value(const char *column) const;
    std::optional<std::string_view> text(const char *column) const;

  private:
    HeapTuple row_;
    TupleDesc shape_;
};

} // namespace memory::pg
