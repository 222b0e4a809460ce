// Compiles the words of a question by the index's dictionary and collects one tenant's answer,
// without a scan.
#include "index/retrieval.h"

#include "index/health.h"
#include "index/meta.h"
#include "index/options.h"
#include "index/row.h"
#include "index/scan_counts.h"
#include "index/scope_key.h"
#include "index/serializable.h"
#include "pg/datum.h"

namespace memory::index {

namespace {

Oid checked_dictionary(Relation index) {
    const Oid dictionary = dictionary_of(index);
    check_rules(index, dictionary);
    return dictionary;
}

} // namespace

bool is_searchable(Relation index, std::size_t scope) {
    if (!is_recall(index))
        return false;
    const Columns columns(index);
    return static_cast<std::size_t>(columns.scope) == scope &&
           std::all_of(columns.types.begin(),
                       columns.types.begin() + static_cast<std::ptrdiff_t>(scope),
                       [](Oid type) { return type == TEXTOID; });
}

Retrieval::Retrieval(Relation index, Relation heap, Snapshot snapshot,
                     std::span<const std::string_view> scope, std::span<const codec::Tid> hidden,
                     std::string_view words, std::pmr::memory_resource *memory)
    : pattern_(pattern_of(make_query(QueryKind::plain, words), checked_dictionary(index), memory)),
      terms_(memory), answer_(index, memory), found_(memory), weights_(memory) {
    ScopeKey key;
    for (const std::string_view value : scope)
        key.add(TEXTOID, pg::to_datum(value));
    count_search(index);
    note_search(index, key.bytes(), snapshot);
    terms_.add(pattern_, QueryKind::plain);
    terms_.number();
    const MetaPage meta = read_meta(index);
    found_.parameters = {meta.k1, meta.b};
    answer_.hide(hidden);
    answer_.rank(key.bytes(), terms_, heap, snapshot, found_.parameters);
    found_.corpus = answer_.corpus();
    found_.most = answer_.most();
    answer_.each_match([this](const codec::Tid &tid, double score) {
        found_.matches.push_back({tid, score});
    });
    count_entries(index, found_.matches.size());
    read_terms(memory);
}

void Retrieval::read_terms(std::pmr::memory_resource *memory) {
    const rank::Bm25 bm25(found_.parameters, found_.corpus);
    const SearchQuery &query = terms_.queries()[0];
    weights_.assign(answer_.weights().begin(), answer_.weights().end());
    for (std::size_t i = 0; i < query.terms.size(); ++i) {
        const grammar::PatternTerm &term = pattern_.terms()[i];
        const std::uint32_t number = query.terms[i];
        if (number == not_looked_up || term.multiplicity == 0)
            continue;
        const std::uint64_t documents = answer_.frequencies()[number];
        const double weight = bm25.weight(documents, term.multiplicity);
        if (documents == 0)
            weights_[number] = 0;
        found_.terms.push_back(
            {std::pmr::string(term.term, memory), term.multiplicity, documents, weight, number});
    }
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
