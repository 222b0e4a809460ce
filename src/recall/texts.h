// What episodes say, in terms: for diversity and for explanations.
#pragma once

#include "access/scope.h"
#include "index/retrieval.h"
#include "recall/row_id.h"

#include <functional>

extern "C" {
#include "utils/relcache.h"
}

namespace memory::recall {

// Calls take(id, text) for each of these episodes that the caller sees. Needs a live Spi.
void each_text(const access::Tenant &tenant, std::span<const rank::RowId> ids,
               const std::function<void(const rank::RowId &, std::string_view)> &take);

// The terms of these episodes' texts by the rules of index `by_text`, in the order of `ids`; those
// of an episode that the caller does not see are empty. Needs a live Spi.
std::pmr::vector<index::TextTerms> terms_of_episodes(const access::Tenant &tenant, Relation by_text,
                                                     std::span<const rank::RowId> ids,
                                                     std::pmr::memory_resource *memory);

// How alike the texts of some episodes are: the cosine between their terms' counts. Texts are read
// and analysed a few at a time, as they are asked for. What the constructor is given must outlive
// it. Needs a live Spi.
class Likeness {
  public:
    Likeness(const access::Tenant &tenant, Relation by_text, std::span<const rank::RowId> ids,
             std::pmr::memory_resource *memory);

    // Of two of them, by their places in `ids`.
    double operator()(std::size_t one, std::size_t other);

  private:
    struct Text {
        index::TextTerms terms;
        double square; // of the counts
    };

    const Text &text(std::size_t place);

    const access::Tenant &tenant_;
    Relation by_text_;
    std::span<const rank::RowId> ids_;
    std::pmr::memory_resource *memory_;
    std::pmr::vector<std::pmr::vector<Text>> read_; // so many of them at a time
};

} // namespace memory::recall
