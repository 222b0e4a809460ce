// Weights of terms, rounded so that sums of scores are exact, and the distinct terms of a query.
#include "rank/bm25.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace memory::rank {

bool Bm25Parameters::valid() const { return std::isfinite(k1) && k1 >= 0 && b >= 0 && b <= 1; }

double inverse_document_frequency(std::uint64_t documents, std::uint64_t document_frequency) {
    const auto containing = static_cast<double>(std::min(document_frequency, documents));
    const auto others = static_cast<double>(documents) - containing;
    return std::log1p((others + 0.5) / (containing + 0.5));
}

Bm25Parameters Bm25Parameters::in(const CorpusStatistics &corpus) const {
    constexpr double short_texts = 60; // so long on average, or shorter
    constexpr double long_texts = 100; // or longer
    const double share =
        std::clamp((corpus.average_length() - short_texts) / (long_texts - short_texts), 0.0, 1.0);
    return {k1_by_length ? std::lerp(0.9, 1.2, share) : k1,
            b_by_length ? std::lerp(0.4, 0.75, share) : b};
}

Bm25::Bm25(const Bm25Parameters &parameters, const CorpusStatistics &corpus)
    : documents_(corpus.documents) {
    const Bm25Parameters here = parameters.in(corpus);
    saturation_ = here.k1 + 1;
    norm_base_ = here.k1 * (1 - here.b);
    if (corpus.total_length > 0)
        norm_per_token_ = here.k1 * here.b / corpus.average_length();
}

double Bm25::weight(std::uint64_t document_frequency, std::uint32_t multiplicity) const {
    return multiplicity * inverse_document_frequency(documents_, document_frequency) * saturation_;
}

// Doubles from 2^n to 2^(n + 1) are 2^(n - 52) apart: adding 2^n to less than that rounds it to
// such steps, and sums of steps that stay below 2^(n + 1) are exact. Beyond what an exponent can
// say, nothing is rounded.
void Bm25::settle(std::span<double> weights) {
    double most = 0;
    for (const double weight : weights)
        most += weight;
    constexpr double largest = 0x1p1000;
    if (most > 0 && most < largest) {
        int exponent = 0;
        std::frexp(most, &exponent); // most < 2^exponent
        grid_ = std::ldexp(1.0, exponent);
        least_ = std::ldexp(1.0, exponent - (std::numeric_limits<double>::digits - 1));
    }
    for (double &weight : weights)
        weight = weight > 0 ? part(weight, 1) : weight;
}

std::pmr::vector<QueryTerm> distinct_terms(std::span<const std::string_view> tokens,
                                           std::pmr::memory_resource *memory) {
    std::pmr::vector<std::string_view> sorted(tokens.begin(), tokens.end(), memory);
    std::sort(sorted.begin(), sorted.end());
    std::pmr::vector<QueryTerm> terms(memory);
    for (const std::string_view token : sorted)
        if (!terms.empty() && terms.back().term == token)
            ++terms.back().multiplicity;
        else
            terms.push_back({token, 1});
    return terms;
}

} // namespace memory::rank
