// What an index has of the rows of its table, compared with the rows themselves.
#pragma once

#include "index/codec/bytes.h"
#include "index/codec/tid.h"
#include "pg/backend.h"

#include <unordered_map>

extern "C" {
#include "utils/snapshot.h"
}

namespace memory::index {

// By row: content_of() its record, in an index of codes.
using Recorded = std::pmr::unordered_map<std::uint64_t, std::uint64_t>;

std::uint64_t tid_number(const codec::Tid &tid) noexcept;

// A hash of a record of codes, whose bytes follow from its row, and of the hash of its tenant's
// key.
std::uint64_t content_of(std::uint32_t tenant, codec::Bytes record) noexcept;

struct RowProblems {
    std::int64_t missing = 0;   // rows without a record
    std::int64_t different = 0; // rows whose record is that of another vector or tenant
};

// Looks at the rows that a snapshot sees which was taken before the records were read, and whose
// scope has no NULL. The expressions and the predicate of the index are computed as its owner.
RowProblems compare_rows(Relation index, Relation heap, Snapshot snapshot, const Recorded &known);

} // namespace memory::index
