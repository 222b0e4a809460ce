// Comparing a call's vector with stored ones of its model.
#pragma once

#include "pg/given.h"
#include "pg/memory.h"
#include "pg/vector.h"
#include "rank/cosine.h"

#include <optional>

namespace memory::models {

// Whether a cosine with it means something.
bool has_direction(const pg::Vector &embedding);
// The error for one that has none; `name` is the argument's.
pg::Error no_direction(const char *name);

// A vector that has a direction, or null where none is given; an error otherwise.
const pg::Vector *checked_embedding(const pg::Given<const pg::Vector *> &given);

// Stored vectors of other dimensions are passed over, unless there are no others: check() says so.
class Comparison {
  public:
    // Both must outlive it. An error when other dimensions are declared for the model. Needs
    // a live Spi.
    Comparison(std::string_view model, const pg::Vector &embedding);

    // Where a vector that lies out of line is to be brought to. It goes after it was compared.
    MemoryContext brought() const noexcept { return brought_.get(); }

    // Nothing for a vector of other dimensions; NaN for one without direction.
    std::optional<double> cosine(const pg::Vector &stored);

    // An error when there were vectors, and none of them could be compared. In the end.
    void check() const;

  private:
    std::string_view model_;
    rank::Cosine cosine_;
    pg::TemporaryContext brought_;
    std::size_t compared_ = 0;
    std::size_t misfits_ = 0;
    int other_dimensions_ = 0;
};

} // namespace memory::models
