// A bytea of a row that is brought when it is asked for: until then a large one stays in its table.
#pragma once

#include "pg/column.h"

extern "C" {
#include "access/detoast.h"
#include "utils/datum.h"
}

namespace memory::pg {

// As a column of rows (column.h). It outlives the row, in the memory context that was current.
class LazyBytea {
  public:
    static Oid type() noexcept { return BYTEAOID; }
    static LazyBytea read(Datum value) {
        LazyBytea lazy;
        call([&] {
            lazy.size_ = toast_raw_datum_size(value) - VARHDRSZ;
            lazy.value_ = datumCopy(value, false, -1);
        });
        return lazy;
    }

    std::size_t size() const noexcept { return size_; }
    // In the memory context that is current at the first call.
    Bytes bytes() const {
        if (!brought_)
            brought_ = OwnBytea::read(value_);
        return *brought_;
    }

  private:
    Datum value_{};
    std::size_t size_ = 0;
    mutable std::optional<Bytes> brought_;
};

} // namespace memory::pg
