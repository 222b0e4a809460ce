// See analysis.h.
#include "index/analysis.h"

#include "pg/encoding.h"
#include "text/server.h"

namespace memory::index {

void Analysis::analyze(std::string_view contents) {
    terms_.clear();
    text::analyzer_for(dictionary_).analyze(pg::to_utf8(contents), terms_);
}

Analysed Analysis::document(std::string_view contents) {
    analyze(contents);
    return {static_cast<std::uint32_t>(terms_.length()), terms_.document()};
}

} // namespace memory::index
