// Compiles queries by the dictionary of an index, and reads texts for what the index cannot decide.
#include "index/match.h"

#include "pg/datum.h"
#include "pg/encoding.h"
#include "text/interruption_sql.h"
#include "text/settings_sql.h"

namespace memory::index {

grammar::Pattern pattern_of(Datum query, Oid dictionary, std::pmr::memory_resource *memory) {
    const QueryView view = query_view(query);
    const auto reading =
        view.kind == QueryKind::websearch ? grammar::Reading::websearch : grammar::Reading::plain;
    return grammar::compile(pg::to_utf8(text::checked_query(view.text)), reading,
                            text::analyzer_for(dictionary), memory);
}

TextMatcher::TextMatcher(MemoryContext memory) : resource_(memory), query_(&resource_) {}

void TextMatcher::read(std::string_view bytes, Datum query) {
    found_.reset(); // it refers to the pattern
    pattern_.reset();
    pattern_.emplace(pattern_of(query, dictionary_, &resource_));
    query_ = bytes;
    found_.emplace(*pattern_, &resource_, text::server_interruption);
}

bool TextMatcher::matches(std::string_view contents, Datum query, Oid dictionary) {
    const std::string_view bytes = pg::text_view(query);
    if (!found_ || bytes != query_ || dictionary != dictionary_) {
        dictionary_ = dictionary;
        read(bytes, query);
    }
    found_->clear();
    text::analyzer_for(dictionary_).analyze(pg::to_utf8(contents), *found_);
    return found_->match();
}

} // namespace memory::index
