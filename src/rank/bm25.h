// BM25 for one query over one corpus. The formula, its invariants and why the order in which parts
// of a score are added does not matter are in docs/rank.md.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

namespace memory::rank {

// What BM25 must know of a corpus besides document frequencies.
struct CorpusStatistics {
    std::uint64_t documents = 0;
    std::uint64_t total_length = 0; // tokens of all documents, with repetitions

    double average_length() const {
        return documents == 0 ? 0
                              : static_cast<double>(total_length) / static_cast<double>(documents);
    }
};

struct Bm25Parameters {
    double k1 = 0.9;
    double b = 0.4;
    // Whether the average length of the corpus says it instead.
    bool k1_by_length = false;
    bool b_by_length = false;

    // Finite, k1 >= 0, 0 <= b <= 1. Everything below requires it.
    bool valid() const;
    // What they are in a corpus. The definition: docs/rank.md.
    Bm25Parameters in(const CorpusStatistics &corpus) const;
};

// Positive for every document frequency up to `documents`; a larger one counts as `documents`.
double inverse_document_frequency(std::uint64_t documents, std::uint64_t document_frequency);

class Bm25 {
  public:
    Bm25(const Bm25Parameters &parameters, const CorpusStatistics &corpus);

    // The most that a term can add to a score: multiplicity · idf · (k1 + 1). The sum over the
    // distinct terms of a query is the most the query could score.
    double weight(std::uint64_t document_frequency, std::uint32_t multiplicity) const;

    // Given the weights of all terms of the query, in the order of the terms, rounds them, and
    // from then on all that score() gives, so that every sum of those is exact. Once.
    void settle(std::span<double> weights);

    // What the length of a document does to all its terms: k1 · (1 − b + b·length/average).
    double norm(std::uint64_t length) const {
        return norm_base_ + norm_per_token_ * static_cast<double>(length);
    }

    // Which part of its weight a term that occurs `frequency` >= 1 times adds, at most all of it.
    // Rises with the frequency and falls with the norm, never the other way by rounding.
    static double saturation(double frequency, double norm) { return 1 / (1 + norm / frequency); }

    // What a term adds to a document's score: more than 0, and no more than the weight.
    double part(double weight, double saturation) const {
        return std::max((weight * saturation + grid_) - grid_, least_);
    }
    double score(double weight, double frequency, double norm) const {
        return part(weight, saturation(frequency, norm));
    }

  private:
    std::uint64_t documents_;
    double saturation_ = 0; // k1 + 1
    double norm_base_ = 0;
    double norm_per_token_ = 0;
    double grid_ = 0;  // adding it leaves multiples of least_
    double least_ = 0; // what two parts differ by at least
};

struct QueryTerm {
    std::string_view term;
    std::uint32_t multiplicity;

    friend bool operator==(const QueryTerm &, const QueryTerm &) = default;
};

// The distinct tokens in ascending byte order. The terms view the bytes that the tokens view.
std::pmr::vector<QueryTerm> distinct_terms(std::span<const std::string_view> tokens,
                                           std::pmr::memory_resource *memory);

} // namespace memory::rank
