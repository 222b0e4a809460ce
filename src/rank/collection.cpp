// Counts the terms of documents as they are added, and scores all documents of a term at a time.
#include "rank/collection.h"

#include <algorithm>

namespace memory::rank {

namespace {

constexpr std::size_t steps_to_count = 16; // for a Pause

} // namespace

Collection::Collection(std::pmr::memory_resource *memory, text::Interruption &interruption)
    : memory_(memory), pause_(interruption), term_bytes_(memory), terms_(memory), lengths_(memory) {
}

std::uint32_t Collection::add(std::span<const std::string_view> tokens) {
    const auto document = static_cast<std::uint32_t>(lengths_.size());
    for (const std::string_view token : tokens)
        count(token, document, 1);
    return close_document(tokens.size());
}

std::uint32_t Collection::add(std::span<const TermCount> terms, std::uint64_t length) {
    const auto document = static_cast<std::uint32_t>(lengths_.size());
    for (const TermCount &entry : terms)
        count(entry.term, document, entry.count);
    return close_document(length);
}

std::uint64_t Collection::document_frequency(std::string_view term) const {
    const Postings *postings = find(term);
    return postings != nullptr ? postings->size() : 0;
}

void Collection::score(std::span<const std::string_view> query, const Bm25Parameters &parameters,
                       std::span<double> scores) const {
    Bm25 bm25(parameters, statistics_);
    std::fill(scores.begin(), scores.end(), 0.0);
    const std::pmr::vector<QueryTerm> terms = distinct_terms(query, memory_);
    std::pmr::vector<double> weights(memory_);
    for (const QueryTerm &term : terms) {
        pause_.step(steps_to_count);
        weights.push_back(bm25.weight(document_frequency(term.term), term.multiplicity));
    }
    bm25.settle(weights);
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const Postings *postings = find(terms[i].term);
        if (postings == nullptr)
            continue;
        pause_.step(postings->size());
        for (const Posting &posting : *postings) {
            scores[posting.document] +=
                bm25.score(weights[i], posting.frequency, bm25.norm(lengths_[posting.document]));
        }
    }
}

double Collection::most(std::span<const std::string_view> query,
                        const Bm25Parameters &parameters) const {
    const Bm25 bm25(parameters, statistics_);
    double sum = 0;
    for (const QueryTerm &term : distinct_terms(query, memory_))
        sum += bm25.weight(document_frequency(term.term), term.multiplicity);
    return sum;
}

Collection::Postings &Collection::postings_of(std::string_view term) {
    if (const auto found = terms_.find(term); found != terms_.end())
        return found->second;
    auto *bytes = static_cast<char *>(term_bytes_.allocate(term.size() + 1, 1));
    std::copy(term.begin(), term.end(), bytes);
    return terms_.try_emplace(std::string_view(bytes, term.size())).first->second;
}

const Collection::Postings *Collection::find(std::string_view term) const {
    const auto found = terms_.find(term);
    return found != terms_.end() ? &found->second : nullptr;
}

void Collection::count(std::string_view term, std::uint32_t document, std::uint32_t occurrences) {
    pause_.step(steps_to_count);
    Postings &postings = postings_of(term);
    if (!postings.empty() && postings.back().document == document)
        postings.back().frequency += occurrences;
    else
        postings.push_back({document, occurrences});
}

std::uint32_t Collection::close_document(std::uint64_t length) {
    lengths_.push_back(length);
    statistics_.documents += 1;
    statistics_.total_length += length;
    return static_cast<std::uint32_t>(lengths_.size() - 1);
}

} // namespace memory::rank
