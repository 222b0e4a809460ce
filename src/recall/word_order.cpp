// Reads the query's words once, and those of texts as they come.
#include "recall/word_order.h"

#include "rank/order.h"

namespace memory::recall {

std::pmr::vector<text::NumberedTerm> terms_of(std::span<const index::SearchedTerm> searched,
                                              std::pmr::memory_resource *memory) {
    std::pmr::vector<text::NumberedTerm> terms(memory);
    for (const index::SearchedTerm &one : searched)
        terms.push_back({one.term, one.number});
    return terms;
}

namespace {

// As the query has them: with the words that others stand in for.
std::pmr::vector<text::NumberedTerm> terms_of_query(std::span<const index::SearchedTerm> searched,
                                                    std::pmr::memory_resource *memory) {
    std::pmr::vector<text::NumberedTerm> terms(memory);
    for (const index::SearchedTerm &one : searched)
        if (!one.instead_of.empty())
            terms.push_back({one.instead_of, one.number});
    for (const index::SearchedTerm &one : searched)
        if (one.instead_of.empty() && one.documents > 0)
            terms.push_back({one.term, one.number});
    return terms;
}

} // namespace

WordOrder::WordOrder(Relation by_text, std::string_view query,
                     std::span<const index::SearchedTerm> searched,
                     std::pmr::memory_resource *memory)
    : by_text_(by_text), places_(terms_of(searched, memory), memory), pairs_(memory),
      together_(memory) {
    text::TermPlaces asked(terms_of_query(searched, memory), memory);
    index::read_tokens(by_text, query, asked);
    asked.each_pair([this](std::uint32_t first, std::uint32_t second) {
        if (first != second)
            pairs_.push_back({first, second});
    });
    rank::make_distinct(pairs_);
}

void WordOrder::add(std::uint32_t row, std::string_view text,
                    std::pmr::vector<rank::RowTerm> &found) {
    places_.clear();
    index::read_tokens(by_text_, text, places_);
    together_.clear();
    places_.each_pair([this](std::uint32_t first, std::uint32_t second) {
        const rank::TermPair pair{first, second};
        if (std::binary_search(pairs_.begin(), pairs_.end(), pair))
            together_.push_back(pair);
    });
    rank::make_distinct(together_);
    for (const rank::TermPair &pair : together_) {
        found.push_back({row, pair.first});
        found.push_back({row, pair.second});
    }
}

} // namespace memory::recall
