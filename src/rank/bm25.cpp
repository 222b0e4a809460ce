#include "rank/bm25.h"

#include <algorithm>
#include <cmath>

namespace memory::rank {

bool Bm25Parameters::valid() const { return std::isfinite(k1) && k1 >= 0 && b >= 0 && b <= 1; }

double inverse_document_frequency(std::uint64_t documents, std::uint64_t document_frequency) {
    const auto containing = static_cast<double>(std::min(document_frequency, documents));
    const auto others = static_cast<double>(documents) - containing;
    return std::log1p((others + 0.5) / (containing + 0.5));
}

Bm25::Bm25(const Bm25Parameters &parameters, const CorpusStatistics &corpus)
    : documents_(corpus.documents), saturation_(parameters.k1 + 1),
      norm_base_(parameters.k1 * (1 - parameters.b)), norm_per_token_(0) {
    if (corpus.total_length > 0) {
        const double average =
            static_cast<double>(corpus.total_length) / static_cast<double>(corpus.documents);
        norm_per_token_ = parameters.k1 * parameters.b / average;
    }
}

double Bm25::weight(std::uint64_t document_frequency, std::uint32_t multiplicity) const {
    return multiplicity * inverse_document_frequency(documents_, document_frequency) * saturation_;
}

std::pmr::vector<QueryTerm> distinct_terms(std::span<const std::string_view> tokens,
                                           std::pmr::memory_resource *memory) {
    std::pmr::vector<std::string_view> sorted(tokens.begin(), tokens.end(), memory);
    std::sort(sorted.begin(), sorted.end());
    std::pmr::vector<QueryTerm> terms(memory);
    for (const std::string_view token : sorted) {
        if (!terms.empty() && terms.back().term == token) {
            ++terms.back().multiplicity;
        } else {
            terms.push_back({token, 1});
        }
    }
    return terms;
}

} // namespace memory::rank
