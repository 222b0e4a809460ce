// The access method's scans: which tenant, which queries, and the rows in their order.
#include "index/scan.h"

#include "index/am.h"
#include "index/meta.h"
#include "index/options.h"
#include "index/scan_counts.h"
#include "index/serializable.h"
#include "pg/datum.h"
#include "pg/entry.h"
#include "pg/error.h"
#include "rank/diversity.h"
#include "text/server_sql.h"

extern "C" {
#include "access/relscan.h"
#include "catalog/index.h"
#include "nodes/tidbitmap.h"
}

namespace memory::index {

namespace {

[[noreturn]] void throw_unbound(Relation index, int column) {
    const char *name = NameStr(TupleDescAttr(RelationGetDescr(index), column)->attname);
    throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED,
                    "a search through index \"%s\" must say which %s it is about",
                    RelationGetRelationName(index), name)
        .hint("Add \"%s = ...\" to the WHERE clause: every scope column is bound by equality.",
              name);
}

std::span<const ScanKeyData> conditions_of(IndexScanDesc scan) {
    return {scan->keyData, static_cast<std::size_t>(scan->numberOfKeys)};
}

std::span<const ScanKeyData> orderings_of(IndexScanDesc scan) {
    return {scan->orderByData, static_cast<std::size_t>(scan->numberOfOrderBys)};
}

bool is_ranked(IndexScanDesc scan) {
    const std::span orderings = orderings_of(scan);
    return !orderings.empty() && (orderings[0].sk_flags & SK_ISNULL) == 0;
}

[[noreturn]] void throw_ordering(Relation index) {
    throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED,
                    "index \"%s\" gives rows in the order of one query on its text column",
                    RelationGetRelationName(index))
        .hint(
            "ORDER BY one <@> on the last column of the index; sort by other things outside, in a "
            "subquery's result.");
}

// Adds the value that a scope column is compared with. A plan may compare it several times, with a
// policy's user and with a join's: a row must equal them all. False when none can.
bool add_equalities(IndexScanDesc scan, int column, Oid type, ScopeKey &key) {
    bool bound = false;
    ScopeKey first;
    for (const ScanKeyData &one : conditions_of(scan)) {
        if (one.sk_attno != column + 1 || one.sk_strategy != equals)
            continue;
        if (!compares_bytes(one.sk_collation))
            throw_nondeterministic(scan->indexRelation, column);
        if ((one.sk_flags & SK_ISNULL) != 0)
            return false;
        const Oid given = OidIsValid(one.sk_subtype) ? scope_type(one.sk_subtype) : type;
        ScopeKey value;
        value.add(given, one.sk_argument);
        if (bound && value.bytes() != first.bytes())
            return false;
        if (!bound)
            key.add(given, one.sk_argument);
        first = value;
        bound = true;
    }
    if (!bound)
        throw_unbound(scan->indexRelation, column);
    return true;
}

// False when no row has such a scope.
bool scope_of(IndexScanDesc scan, const Columns &columns, ScopeKey &key) {
    for (int i = 0; i < columns.scope; ++i)
        if (!add_equalities(scan, i, columns.types[static_cast<std::size_t>(i)], key))
            return false;
    return true;
}

// The queries of a scan: the one that orders first, then those that filter. False when one that
// filters is NULL. One that orders and is NULL gives every row the score NULL, and takes none away.
bool queries_of(IndexScanDesc scan, const Columns &columns, std::pmr::vector<Datum> &queries) {
    const int text_column = columns.scope + 1;
    if (scan->numberOfOrderBys > 1)
        throw_ordering(scan->indexRelation);
    for (const ScanKeyData &one : orderings_of(scan)) {
        if (one.sk_attno != text_column)
            throw_ordering(scan->indexRelation);
        if ((one.sk_flags & SK_ISNULL) == 0)
            queries.push_back(one.sk_argument);
    }
    for (const ScanKeyData &one : conditions_of(scan)) {
        if (one.sk_strategy != matches || one.sk_attno != text_column)
            continue;
        if ((one.sk_flags & SK_ISNULL) != 0)
            return false;
        refuse_floor(query_view(one.sk_argument));
        queries.push_back(one.sk_argument);
    }
    return true;
}

// Texts are operands in every column: `=` with the searched text and @@@ of a scope column come
// here as well, and are the executor's to ask of each row.
bool has_other_conditions(IndexScanDesc scan, const Columns &columns) {
    const std::span keys = conditions_of(scan);
    return std::any_of(keys.begin(), keys.end(), [&](const ScanKeyData &one) {
        return one.sk_strategy != (one.sk_attno > columns.scope ? matches : equals);
    });
}

void count_scan(IndexScanDesc scan) {
    count_search(scan->indexRelation);
#if PG_VERSION_NUM >= 180000
    if (scan->instrument != nullptr)
        ++scan->instrument->nsearches; // EXPLAIN ANALYZE's "Index Searches"
#endif
}

} // namespace

// What a scan is asked for.
struct Scan::Asked {
    explicit Asked(std::pmr::memory_resource *memory)
        : queries(memory), patterns(memory), terms(memory) {}

    ScopeKey key;
    std::pmr::vector<Datum> queries;
    std::pmr::deque<grammar::Pattern> patterns; // of the queries
    SearchTerms terms;
};

Scan::Scan(IndexScanDesc scan, MemoryContext memory)
    : Scores(MemoryContextGetParent(memory), memory), scan_(scan), memory_(memory),
      workspace_(memory), columns_(scan->indexRelation) {}

void Scan::reset() {
    answer_.reset();
    corrected_with_.reset();
    workspace_.clear();
    ranks_ = false;
}

// False when there can be no such row.
bool Scan::ask(Asked &asked) const {
    if (!scope_of(scan_, columns_, asked.key) || !queries_of(scan_, columns_, asked.queries))
        return false;
    std::pmr::memory_resource *memory = asked.queries.get_allocator().resource();
    for (const Datum query : asked.queries)
        asked.terms.add(asked.patterns.emplace_back(pattern_of(query, dictionary_, memory)),
                        query_view(query).kind);
    if (corrected_with_)
        for (const std::pmr::string &term : *corrected_with_)
            asked.terms.add(term);
    asked.terms.number();
    return true;
}

// With what is near the words that have a tilde.
void Scan::rank(const Asked &asked, std::pmr::memory_resource *memory) {
    const Relation index = scan_->indexRelation;
    const Relation heap = scan_->heapRelation;
    const Key key = asked.key.bytes();
    const rank::Bm25Parameters parameters = parameters_of(read_meta(index));
    Corrections corrections(asked.terms, memory);
    corrections.add_near();
    if (!corrections.any() || !corrections.gather(index, key))
        return answer_->rank(key, asked.terms, heap, scan_->xs_snapshot, parameters, Wanted::best);
    answer_->rank_corrected(key, corrections, heap, scan_->xs_snapshot, parameters, Wanted::best);
    corrected_with_.emplace(&workspace_);
    for (const Corrections::Found &one : corrections.found())
        corrected_with_->emplace_back(corrections.terms().terms().targets()[one.number].term);
}

void Scan::search() {
    const Relation index = scan_->indexRelation;
    answer_.emplace(index, &workspace_);
    dictionary_ = dictionary_of(index);
    check_rules(index, dictionary_);
    pg::TemporaryContext temporary("recall index scan");
    Asked asked(temporary.resource());
    if (!ask(asked))
        return;
    count_scan(scan_);
    note_search(index, asked.key.bytes(), scan_->xs_snapshot);
    rechecks_ = has_other_conditions(scan_, columns_);
    if (!is_ranked(scan_))
        return answer_->filter(asked.key.bytes(), asked.terms);
    rank(asked, temporary.resource());
    Scores::begin(asked.queries[0], asked.key.bytes(), dictionary_);
    min_relevance_ = query_view(asked.queries[0]).min_relevance;
    ranks_ = true;
}

bool Scan::is_below_floor(const Hit &hit) const {
    return rank::relevance(hit.score, answer_->most(), 0) < min_relevance_;
}

std::optional<Hit> Scan::next() {
    if (!answer_)
        search();
    std::optional<Hit> hit = answer_->next();
    if (hit && ranks_ && is_below_floor(*hit))
        return std::nullopt; // as are all that follow
    if (hit)
        hit->recheck |= rechecks_;
    if (hit && ranks_)
        Scores::add(*hit);
    return hit;
}

std::optional<double> Scan::rate(std::string_view text) {
    if (!ranks_)
        return std::nullopt;
    pg::TemporaryContext temporary("recall index score");
    Asked asked(temporary.resource());
    if (!ask(asked))
        return std::nullopt;
    Analysis analysis(dictionary_, temporary.resource());
    RecordWriter records(temporary.resource());
    const Analysed analysed = analysis.document(text);
    const codec::Tid any{0, FirstOffsetNumber};
    const codec::Document document{any, analysed.length, text_fingerprint(text)};
    return answer_->score(records.write(document, analysed.terms), asked.terms,
                          temporary.resource());
}

// --- callbacks -------------------------------------------------------------------------------

IndexScanDesc begin_scan(Relation index, int keys, int orderings) {
    return pg::entry([=] {
        if (payload_of(index) == Payload::codes)
            throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED,
                            "index \"%s\" has codes of vectors, which no plan can read",
                            RelationGetRelationName(index));
        IndexScanDesc scan = pg::call([=] {
            IndexScanDesc made = RelationGetIndexScan(index, keys, orderings);
            if (orderings > 0) {
                const auto count = static_cast<std::size_t>(orderings);
                made->xs_orderbyvals = static_cast<Datum *>(palloc0(sizeof(Datum) * count));
                made->xs_orderbynulls = static_cast<bool *>(palloc(sizeof(bool) * count));
            }
            return made;
        });
        MemoryContext memory = pg::call([] {
            return AllocSetContextCreate(CurrentMemoryContext, "recall index scan",
                                         ALLOCSET_DEFAULT_SIZES);
        });
        scan->opaque = pg::make_in<Scan>(memory, scan, memory);
        return scan;
    });
}

void rescan(IndexScanDesc scan, ScanKey keys, int key_count, ScanKey orderings,
            int ordering_count) {
    pg::entry([=] {
        if (keys != nullptr && key_count > 0)
            std::copy_n(keys, scan->numberOfKeys, scan->keyData);
        if (orderings != nullptr && ordering_count > 0)
            std::copy_n(orderings, scan->numberOfOrderBys, scan->orderByData);
        static_cast<Scan *>(scan->opaque)->reset();
    });
}

bool get_tuple(IndexScanDesc scan, ScanDirection direction) {
    return pg::entry([=] {
        if (!ScanDirectionIsForward(direction))
            throw pg::Error(ERRCODE_INTERNAL_ERROR, "a recall index is only scanned forward");
        const std::optional<Hit> hit = static_cast<Scan *>(scan->opaque)->next();
        if (!hit)
            return false;
        scan->xs_heaptid = to_item_pointer(hit->tid);
        scan->xs_recheck = hit->recheck;
        // The score is the best that it can be: the executor puts the row where it belongs.
        scan->xs_recheckorderby = hit->recheck_score;
        if (scan->numberOfOrderBys > 0) {
            scan->xs_orderbyvals[0] = Float8GetDatum(hit->score > 0 ? -hit->score : 0.0);
            scan->xs_orderbynulls[0] = !hit->has_text || !is_ranked(scan);
        }
        return true;
    });
}

std::int64_t get_bitmap(IndexScanDesc scan, TIDBitmap *bitmap) {
    return pg::entry([=] {
        auto *found = static_cast<Scan *>(scan->opaque);
        std::int64_t count = 0;
        for (; const std::optional<Hit> hit = found->next(); ++count)
            pg::call([&] {
                ItemPointerData tid = to_item_pointer(hit->tid);
                tbm_add_tuples(bitmap, &tid, 1, hit->recheck);
            });
        return count;
    });
}

void end_scan(IndexScanDesc scan) {
    pg::entry([=] {
        const auto *found = static_cast<const Scan *>(scan->opaque);
        pg::call([=] { MemoryContextDelete(found->context()); });
        scan->opaque = nullptr;
    });
}

} // namespace memory::index
