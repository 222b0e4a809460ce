// Compiles the words of a question by the index's dictionary and collects one tenant's answer,
// without a scan.
#include "index/retrieval.h"

#include "index/answer.h"
#include "index/health.h"
#include "index/meta.h"
#include "index/options.h"
#include "index/row.h"
#include "index/scan_counts.h"
#include "index/scope_key.h"
#include "index/serializable.h"
#include "pg/datum.h"

namespace memory::index {

bool is_searchable(Relation index, std::size_t scope) {
    if (!is_recall(index))
        return false;
    const Columns columns(index);
    return static_cast<std::size_t>(columns.scope) == scope &&
           std::all_of(columns.types.begin(),
                       columns.types.begin() + static_cast<std::ptrdiff_t>(scope),
                       [](Oid type) { return type == TEXTOID; });
}

Retrieved retrieve(Relation index, Relation heap, Snapshot snapshot,
                   std::span<const std::string_view> scope, std::span<const codec::Tid> hidden,
                   std::string_view words, std::pmr::memory_resource *memory) {
    const Oid dictionary = dictionary_of(index);
    check_rules(index, dictionary);
    ScopeKey key;
    for (const std::string_view value : scope)
        key.add(TEXTOID, pg::to_datum(value));
    count_search(index);
    note_search(index, key.bytes(), snapshot);
    const grammar::Pattern pattern =
        pattern_of(make_query(QueryKind::plain, words), dictionary, memory);
    SearchTerms terms(memory);
    terms.add(pattern, QueryKind::plain);
    terms.number();
    const MetaPage meta = read_meta(index);
    Retrieved found(memory);
    found.parameters = {meta.k1, meta.b};
    Answer answer(index, memory);
    answer.hide(hidden);
    answer.rank(key.bytes(), terms, heap, snapshot, found.parameters);
    found.corpus = answer.corpus();
    found.most = answer.most();
    answer.each_match([&found](const codec::Tid &tid, double score) {
        found.matches.push_back({tid, score});
    });
    count_entries(index, found.matches.size());
    const rank::Bm25 bm25(found.parameters, found.corpus);
    const SearchQuery &query = terms.queries()[0];
    for (std::size_t i = 0; i < query.terms.size(); ++i) {
        const grammar::PatternTerm &term = pattern.terms()[i];
        if (query.terms[i] == not_looked_up || term.multiplicity == 0)
            continue;
        const std::uint64_t documents = answer.frequencies()[query.terms[i]];
        const double weight = bm25.weight(documents, term.multiplicity);
        found.terms.push_back(
            {std::pmr::string(term.term, memory), term.multiplicity, documents, weight});
    }
    return found;
}

TextTerms terms_of(Relation index, std::string_view contents, std::pmr::memory_resource *memory) {
    Analysis analysis(dictionary_of(index), memory);
    const Analysed analysed = analysis.document(contents);
    TextTerms found(memory);
    found.length = analysed.length;
    for (const text::TermCount &term : analysed.terms)
        found.counts.emplace_back(std::pmr::string(term.term, memory), term.count);
    return found;
}

} // namespace memory::index
