// What episodes say, in terms: for diversity and for explanations.
#pragma once

#include "access/scope.h"
#include "index/retrieval.h"
#include "recall/row_id.h"

extern "C" {
#include "utils/relcache.h"
}

namespace memory::recall {

// The terms of these episodes' texts by the rules of index `by_text`, in the order of `ids`; those
// of an episode that the caller does not see are empty. Needs a live Spi.
std::pmr::vector<index::TextTerms> terms_of_episodes(const access::Tenant &tenant, Relation by_text,
                                                     std::span<const rank::RowId> ids,
                                                     std::pmr::memory_resource *memory);

// How alike two texts are: the cosine between their terms' counts.
double likeness(const index::TextTerms &one, const index::TextTerms &other);

} // namespace memory::recall
