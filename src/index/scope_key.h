// A tenant's key out of the values of the scope columns: bytes that are equal when the values are,
// and never the beginning of another key.
#pragma once

#include "index/layout.h"

namespace memory::index {

class ScopeKey {
  public:
    // Adds the next column's value; `type` is that of the value, text, uuid, int4 or int8 (integers
    // of both sizes give the same bytes).
    void add(Oid type, Datum value);

    std::string_view bytes() const noexcept { return {bytes_.data(), size_}; }

  private:
    void put(std::string_view bytes);

    std::array<char, longest_key> bytes_;
    std::size_t size_ = 0;
};

// What an index can have as scope: text, uuid, int4 or int8 for any type of column that is stored
// as one of them; InvalidOid for the others.
Oid scope_type(Oid column_type);

// Whether values are equal in a collation only if their bytes are: what a key of bytes needs.
// InvalidOid is that of a type without collations.
bool compares_bytes(Oid collation);
// An error for a collation that does not.
[[noreturn]] void throw_nondeterministic(Relation index, int column);

} // namespace memory::index
