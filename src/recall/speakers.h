// Which speakers of rows a query names: by the words of their names.
#pragma once

#include "index/retrieval.h"
#include "rank/hybrid.h"
#include "recall/word_order.h"

#include <map>

namespace memory::recall {

// A name is named by the terms of it, by the rules of the index, that the query has, too.
class NamedSpeakers {
  public:
    NamedSpeakers(Relation by_text, std::span<const index::SearchedTerm> query,
                  std::pmr::memory_resource *memory)
        : by_text_(by_text), places_(terms_of(query, memory), memory), known_(memory) {}

    // Adds what the query has of a row's role and of its speaker, if it has them.
    void add(std::uint32_t row, std::optional<std::string_view> role,
             std::optional<std::string_view> speaker, std::pmr::vector<rank::RowTerm> &found) {
        for (const auto &name : {role, speaker})
            if (name)
                for (const std::uint32_t term : terms_in(*name))
                    found.push_back({row, term});
    }

  private:
    // By their numbers.
    using Terms = std::pmr::vector<std::uint32_t>;

    const Terms &terms_in(std::string_view name);

    Relation by_text_;
    text::TermPlaces places_;
    std::pmr::map<std::pmr::string, Terms, std::less<>> known_;
};

} // namespace memory::recall
