// Queries as patterns, and texts against them: for operator @@@, and for rows whose text must be
// read because the index alone cannot decide.
#pragma once

#include "index/query.h"
#include "pg/memory.h"
#include "text/server_sql.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include "index/grammar/compile.h"
#include "index/grammar/evidence.h"
#include "index/grammar/occurrences.h"
#pragma GCC diagnostic pop

namespace memory::index {

// What a query of any kind asks of texts whose words `dictionary` serves (see analysis.h).
grammar::Pattern pattern_of(Datum query, Oid dictionary, std::pmr::memory_resource *memory);

// Texts against one query after another, nearly always the same: kept from call to call.
class TextMatcher {
  public:
    explicit TextMatcher(MemoryContext memory);

    // `contents` is in the database's encoding, and `dictionary` serves its words.
    bool matches(std::string_view contents, Datum query, Oid dictionary);

  private:
    void read(std::string_view bytes, Datum query);

    pg::ContextResource resource_;
    Oid dictionary_ = InvalidOid;
    std::pmr::string query_; // the bytes of the query that the rest is about
    std::optional<grammar::Pattern> pattern_;
    std::optional<grammar::Occurrences> found_;
};

} // namespace memory::index
