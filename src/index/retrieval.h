// All that a bag of words finds among one tenant's documents, with exact scores: the index as other
// rooms of this extension use it, without the executor.
#pragma once

#include "index/codec/tid.h"
#include "pg/backend.h"
#include "rank/bm25.h"

#include <string>

extern "C" {
#include "utils/relcache.h"
#include "utils/snapshot.h"
}

namespace memory::index {

struct Match {
    codec::Tid tid; // of a row as an index knows it: the root of its HOT chain
    double score;   // above 0
};

struct SearchedTerm {
    std::pmr::string term;
    std::uint32_t multiplicity; // in the query
    std::uint64_t documents;    // that have it
    double weight;              // the most that it can add to a score
};

struct Retrieved {
    explicit Retrieved(std::pmr::memory_resource *memory) : matches(memory), terms(memory) {}

    std::pmr::vector<Match> matches; // in no order
    double most = 0;                 // that the query could score
    rank::Bm25Parameters parameters;
    rank::CorpusStatistics corpus; // of the tenant, as the snapshot sees it
    std::pmr::vector<SearchedTerm> terms;
};

// Whether `index` is a recall index whose scope is so many texts, for retrieve().
bool is_searchable(Relation index, std::size_t scope);

// Searches for `words` in `index`, a recall index on `heap` whose scope columns are texts with
// these values. Documents in `hidden` count as little as those that the snapshot does not see.
Retrieved retrieve(Relation index, Relation heap, Snapshot snapshot,
                   std::span<const std::string_view> scope, std::span<const codec::Tid> hidden,
                   std::string_view words, std::pmr::memory_resource *memory);

// The terms of a text by the rules of `index`, with how often each occurs; and the text's length in
// tokens. For explanations.
struct TextTerms {
    explicit TextTerms(std::pmr::memory_resource *memory) : counts(memory) {}

    std::uint32_t length = 0;
    std::pmr::vector<std::pair<std::pmr::string, std::uint32_t>> counts;
};
TextTerms terms_of(Relation index, std::string_view contents, std::pmr::memory_resource *memory);

} // namespace memory::index
