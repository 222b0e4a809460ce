// Runs the analyzer of an index over a text, and checks that the rules of its words are still those
// that the index was built by.
#include "index/analysis.h"

#include "index/meta.h"
#include "pg/encoding.h"
#include "text/server_sql.h"

namespace memory::index {

void Analysis::analyze(std::string_view contents) {
    terms_.clear();
    text::analyzer_for(dictionary_).analyze(pg::to_utf8(contents), terms_);
}

Analysed Analysis::document(std::string_view contents) {
    analyze(contents);
    return {static_cast<std::uint32_t>(terms_.length()), terms_.document()};
}

void check_rules(Relation index, Oid dictionary) {
    if (read_meta(index).fingerprint == text::fingerprint_for(dictionary)) [[likely]]
        return;
    pg::call([index] {
        ereport(WARNING,
                (errmsg("index \"%s\" was built with text rules other than the current ones",
                        RelationGetRelationName(index)),
                 errdetail("ICU, Unicode, a dictionary or this extension has changed since."),
                 errhint("REINDEX it; until then some rows may not be found.")));
    });
}

} // namespace memory::index
