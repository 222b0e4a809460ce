// Which speakers of rows a query names: by the words of their names.
#pragma once

#include "index/retrieval.h"

#include <map>

namespace memory::recall {

// A name is named by the terms of it, by the rules of the index, that the query has, too.
class NamedSpeakers {
  public:
    NamedSpeakers(Relation by_text, std::span<const index::SearchedTerm> query,
                  std::pmr::memory_resource *memory)
        : by_text_(by_text), query_(query), known_(memory), terms_(memory) {}

    // A bit for each of terms() that is in the name. Of a 65th term of names there is none.
    std::uint64_t named_in(std::optional<std::string_view> name);

    // Numbers of the query's terms, of all names that were looked at.
    std::span<const std::uint32_t> terms() const { return terms_; }

  private:
    static constexpr std::size_t most_terms = 64;

    std::uint64_t bit_of(std::uint32_t term);

    Relation by_text_;
    std::span<const index::SearchedTerm> query_;
    std::pmr::map<std::pmr::string, std::uint64_t, std::less<>> known_;
    std::pmr::vector<std::uint32_t> terms_;
};

} // namespace memory::recall
