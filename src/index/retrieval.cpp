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
#include "pg/encoding.h"
#include "text/server_sql.h"

namespace memory::index {

namespace {

Oid checked_dictionary(Relation index) {
    const Oid dictionary = dictionary_of(index);
    check_rules(index, dictionary);
    return dictionary;
}

void count(std::span<const std::string_view> texts, Oid dictionary, const SearchTerms &terms,
           Answer &answer, std::pmr::memory_resource *memory) {
    Analysis analysis(dictionary, memory);
    RecordWriter writer(memory);
    codec::Document document{{0, 1}, 0, 0};
    for (const std::string_view text : texts) {
        pg::check_for_interrupts();
        const Analysed analysed = analysis.document(text);
        document.length = analysed.length;
        document.fingerprint = text_fingerprint(text);
        answer.count(writer.write(document, analysed.terms), terms);
        ++document.tid.block;
    }
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
                     const Words &words, std::pmr::memory_resource *memory,
                     std::span<const std::string_view> others)
    : memory_(memory), pattern_(pattern_of(make_query(QueryKind::plain, words.text),
                                           checked_dictionary(index), memory)),
      terms_(memory), found_(memory), weights_(memory) {
    ScopeKey key;
    for (const std::string_view value : scope)
        key.add(TEXTOID, pg::to_datum(value));
    const Place place{index, heap, snapshot, key.bytes(), hidden};
    count_search(index);
    note_search(index, place.key, snapshot);
    terms_.add(pattern_, QueryKind::plain);
    terms_.number();
    found_.parameters = parameters_of(read_meta(index));
    count(others, dictionary_of(index), terms_, begin_answer(place), memory);
    answer_->rank(place.key, terms_, heap, snapshot, found_.parameters);
    found_.corpus = answer_->corpus();
    found_.parameters = found_.parameters.in(found_.corpus);
    found_.most = answer_->most();
    read_matches();
    for (std::size_t n = 0; n < others.size(); ++n)
        found_.others.push_back(answer_->score_of_counted(n));
    if (words.fuzzy)
        correct(place);
    count_entries(index, found_.matches.size());
    read_terms();
}

Answer &Retrieval::begin_answer(const Place &place) {
    answer_.emplace(place.index, memory_);
    answer_->hide(place.hidden);
    return *answer_;
}

void Retrieval::read_matches() {
    found_.matches.clear();
    answer_->each_match([this](const codec::Tid &tid, double score) {
        found_.matches.push_back({tid, score});
    });
}

// Searches once more if there are words that may be misspelt and terms that they may mean.
void Retrieval::correct(const Place &place) {
    corrections_.emplace(terms_, memory_);
    corrections_->add_unknown(answer_->frequencies(), found_.corpus.documents);
    if (!corrections_->any() || !corrections_->gather(place.index, place.key)) {
        corrections_.reset();
        return;
    }
    std::pmr::vector<Match> plain(found_.matches, memory_);
    begin_answer(place).rank_corrected(place.key, *corrections_, place.heap, place.snapshot,
                                       found_.parameters);
    read_matches();
    read_by_query(plain);
}

void Retrieval::read_by_query(std::span<Match> plain) {
    std::sort(plain.begin(), plain.end(),
              [](const Match &a, const Match &b) { return a.tid < b.tid; });
    for (const Match &match : found_.matches) {
        const auto same =
            std::lower_bound(plain.begin(), plain.end(), match.tid,
                             [](const Match &one, const codec::Tid &tid) { return one.tid < tid; });
        const bool is_there = same != plain.end() && same->tid == match.tid;
        found_.by_query.push_back(is_there ? same->score : 0);
    }
}

SearchedTerm Retrieval::searched(const grammar::PatternTerm &word, std::uint32_t number) const {
    const std::uint64_t documents = answer_->frequencies()[number];
    const rank::Bm25 bm25(found_.parameters, found_.corpus);
    return {std::pmr::string(word.term, memory_),
            word.multiplicity,
            documents,
            bm25.weight(documents, word.multiplicity),
            number,
            std::pmr::string(memory_)};
}

// The terms of the query, and behind them those that stand in for some.
void Retrieval::read_terms() {
    const SearchTerms &terms = corrections_ ? corrections_->terms() : terms_;
    const SearchQuery &query = terms.queries()[0];
    weights_.assign(answer_->weights().begin(), answer_->weights().end());
    for (std::size_t i = 0; i < query.terms.size(); ++i) {
        const grammar::PatternTerm &term = pattern_.terms()[i];
        if (query.terms[i] == not_looked_up || term.multiplicity == 0)
            continue;
        const SearchedTerm &read = found_.terms.emplace_back(searched(term, query.terms[i]));
        if (read.documents == 0)
            weights_[read.number] = 0;
    }
    if (!corrections_)
        return;
    for (const Corrections::Found &one : corrections_->found()) {
        const grammar::PatternTerm &word = pattern_.terms()[one.word];
        SearchedTerm &read = found_.terms.emplace_back(searched(word, one.number));
        read.instead_of.swap(read.term);
        read.term = terms.terms().targets()[one.number].term;
        read.weight *= weight_of_found;
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

void read_tokens(Relation index, std::string_view contents, text::TokenSink &sink) {
    text::analyzer_for(dictionary_of(index)).analyze(pg::to_utf8(contents), sink);
}

} // namespace memory::index
