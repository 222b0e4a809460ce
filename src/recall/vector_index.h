// The index that finds the nearest of many vectors: pgvector's HNSW, one a model.
#pragma once

#include "access/scope.h"
#include "pg/vector.h"

namespace memory::recall {

// pgvector's limits for what an index can hold: as vector, and at half the precision.
inline constexpr int most_indexed_dimensions = 4000;

// Statements in the order in which they are run; nullptr: not needed.
using IndexStatements = std::array<const char *, 4>;
enum class Build {
    now,
    concurrently // by the caller, as no function can
};

// Makes the index of the vectors of `model`, which have `dimensions`, and returns the
// statements that were run; or those that the caller is to run. None when the index is there, or
// when the vectors have more dimensions than can be indexed.
IndexStatements make_vector_index(std::string_view model, int dimensions, Build build = Build::now);

// Makes those of all models whose dimensions have been declared, where they are missing. Needs a
// live Spi.
void make_vector_indexes();

// Whether a model has an index that can be used.
bool has_vector_index(std::string_view model);

// The tenant's `count` vectors by `model` nearest to `embedding` by the index, nearly, and nearly
// in that order, as it comes to them `at_once` at a time; rows of (episode_id, embedding). Fewer
// when the index did not find so many. Needs a live Spi.
pg::Rows nearest(const access::Tenant &tenant, std::string_view model, const pg::Vector &embedding,
                 std::size_t count, std::size_t at_once);

} // namespace memory::recall
