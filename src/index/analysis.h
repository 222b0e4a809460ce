// Texts as the index sees them: distinct terms with counts.
#pragma once

#include "index/document.h"
#include "text/interruption_sql.h"

namespace memory::index {

// What is left of a text. Valid until the next analysis.
struct Analysed {
    std::uint32_t length = 0; // in tokens
    std::span<const text::TermCount> terms;
};

// Cuts texts of the database's encoding into terms by an index's rules. Keeps its buffers from one
// text to the next; what is expensive is kept by the backend.
class Analysis {
  public:
    // `dictionary` serves its script instead of the default; InvalidOid: none does.
    Analysis(Oid dictionary, std::pmr::memory_resource *memory)
        : dictionary_(dictionary), terms_(memory, text::server_interruption) {}

    Analysed document(std::string_view contents);

  private:
    void analyze(std::string_view contents);

    Oid dictionary_;
    text::Terms terms_;
};

// Warns when an index was built with text rules other than the current ones: some rows may not be
// found. `dictionary` is the index's own.
void check_rules(Relation index, Oid dictionary);

} // namespace memory::index
