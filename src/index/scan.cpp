// The access method's scans: which tenant, which queries, and the rows in their order.
#include "index/scan.h"

#include "index/am.h"
#include "index/meta.h"
#include "index/options.h"
#include "pg/datum.h"
#include "pg/entry.h"
#include "pg/error.h"
#include "text/server.h"

extern "C" {
#include "access/relscan.h"
#include "catalog/index.h"
#include "nodes/tidbitmap.h"
}

namespace memory::index {

constinit Scan *Scan::youngest_ = nullptr;

namespace {

[[noreturn]] void throw_unbound(Relation index, int column) {
    const char *name = NameStr(TupleDescAttr(RelationGetDescr(index), column)->attname);
    throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED,
                    "a search through index \"%s\" must say which %s it is about",
                    RelationGetRelationName(index), name)
        .hint("Add \"%s = …\" to the WHERE clause: every scope column is bound by equality.", name);
}

const ScanKeyData *equality_on(IndexScanDesc scan, int column) {
    for (int i = 0; i < scan->numberOfKeys; ++i)
        if (scan->keyData[i].sk_attno == column + 1 && scan->keyData[i].sk_strategy == equals)
            return &scan->keyData[i];
    return nullptr;
}

// False when a scope column is compared with NULL, which no row equals.
bool scope_of(IndexScanDesc scan, const Columns &columns, ScopeKey &key) {
    for (int i = 0; i < columns.scope; ++i) {
        const ScanKeyData *equality = equality_on(scan, i);
        if (equality == nullptr)
            throw_unbound(scan->indexRelation, i);
        if ((equality->sk_flags & SK_ISNULL) != 0)
            return false;
        const Oid column = columns.types[static_cast<std::size_t>(i)];
        key.add(OidIsValid(equality->sk_subtype) ? scope_type(equality->sk_subtype) : column,
                equality->sk_argument);
    }
    return true;
}

// The queries of a scan: the one that orders first, then those that filter. False when one is NULL.
bool queries_of(IndexScanDesc scan, std::pmr::vector<Datum> &queries) {
    for (int i = 0; i < scan->numberOfOrderBys; ++i) {
        if ((scan->orderByData[i].sk_flags & SK_ISNULL) != 0)
            return false;
        queries.push_back(scan->orderByData[i].sk_argument);
    }
    for (int i = 0; i < scan->numberOfKeys; ++i) {
        if (scan->keyData[i].sk_strategy != matches)
            continue;
        if ((scan->keyData[i].sk_flags & SK_ISNULL) != 0)
            return false;
        queries.push_back(scan->keyData[i].sk_argument);
    }
    return true;
}

// Texts that were cut into terms by other rules may not be found by today's.
void check_rules(Relation index) {
    if (read_meta(index).fingerprint == text::fingerprint_for(dictionary_of(index))) [[likely]]
        return;
    pg::call([index] {
        ereport(WARNING,
                (errmsg("index \"%s\" was built with other text rules than today's",
                        RelationGetRelationName(index)),
                 errdetail("ICU, Unicode, a dictionary or this extension has changed since."),
                 errhint("REINDEX it; until then some rows may not be found.")));
    });
}

std::uint32_t query_fingerprint(Datum query) { return text_fingerprint(pg::text_view(query)); }

Hit hit_of(const Document &document, double score) {
    return {document.stored.tid, document.has_text(), score, document.stored.fingerprint};
}

// Matches first and best first, then the scope's other rows, then those without a text.
bool ranks_before(const Hit &a, const Hit &b) {
    if (a.has_text != b.has_text)
        return a.has_text;
    if (a.score != b.score)
        return a.score > b.score;
    return a.tid < b.tid;
}

} // namespace

Scan::Scan(Relation index, MemoryContext memory)
    : resource_(memory), columns_(index), analysis_(dictionary_of(index), &resource_),
      hits_(&resource_), by_fingerprint_(&resource_), older_(youngest_) {
    if (older_ != nullptr)
        older_->younger_ = this;
    youngest_ = this;
}

Scan::~Scan() {
    if (older_ != nullptr)
        older_->younger_ = younger_;
    (younger_ != nullptr ? younger_->older_ : youngest_) = older_;
}

void Scan::reset() {
    hits_.clear();
    by_fingerprint_.clear();
    ordering_.reset();
    next_ = 0;
    searched_ = false;
}

Analysed Scan::analysed(Datum query) { return analysis_.query(query_view(query).text); }

void Scan::search(IndexScanDesc scan) {
    searched_ = true;
    check_rules(scan->indexRelation);
    pg::TemporaryContext temporary("recall index scan");
    ScopeKey key;
    std::pmr::vector<Datum> queries(temporary.resource());
    if (!scope_of(scan, columns_, key) || !queries_of(scan, queries))
        return;
    SearchTerms terms(temporary.resource());
    for (const Datum query : queries)
        terms.add(analysed(query));
    Documents documents(temporary.resource());
    if (scan->numberOfOrderBys == 0) {
        documents.collect(scan->indexRelation, key.bytes(), terms);
        return filter(documents, terms);
    }
    documents.collect_seen(scan->indexRelation, key.bytes(), terms, scan->heapRelation,
                           scan->xs_snapshot);
    rank(scan, documents, terms);
    ordering_ = query_fingerprint(queries[0]);
    remember_scores();
}

// A scan without an order: every query must match.
void Scan::filter(const Documents &documents, const SearchTerms &terms) {
    for (const Document &document : documents.all()) {
        bool wanted = document.has_text();
        for (std::size_t n = 0; wanted && n < terms.queries(); ++n)
            wanted = documents.matches(document, terms.query(n));
        if (wanted)
            hits_.push_back(hit_of(document, 0));
    }
}

void Scan::rank(IndexScanDesc scan, const Documents &documents, const SearchTerms &terms) {
    const MetaPage meta = read_meta(scan->indexRelation);
    const std::pmr::vector<double> scores =
        documents.scores(terms.query(0), terms.size(), {meta.k1, meta.b});
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const Document &document = documents.all()[i];
        bool wanted = document.seen == Seen::yes;
        for (std::size_t n = 1; wanted && n < terms.queries(); ++n)
            wanted = documents.matches(document, terms.query(n));
        if (wanted)
            hits_.push_back(hit_of(document, scores[i]));
    }
    std::sort(hits_.begin(), hits_.end(), ranks_before);
}

void Scan::remember_scores() {
    for (const Hit &hit : hits_)
        if (hit.has_text)
            by_fingerprint_.emplace_back(hit.fingerprint, hit.score);
    std::sort(by_fingerprint_.begin(), by_fingerprint_.end());
}

const Hit *Scan::next(IndexScanDesc scan) {
    if (!searched_)
        search(scan);
    return next_ < hits_.size() ? &hits_[next_++] : nullptr;
}

std::span<const Hit> Scan::all(IndexScanDesc scan) {
    if (!searched_)
        search(scan);
    return hits_;
}

std::optional<double> Scan::score_of(std::string_view text, Datum query) {
    const std::uint32_t fingerprint = text_fingerprint(text);
    const std::uint32_t wanted = query_fingerprint(query);
    for (const Scan *scan = youngest_; scan != nullptr; scan = scan->older_) {
        if (scan->ordering_ != wanted)
            continue;
        // Two rows with one text have one score, unless they are of different tenants: then the row
        // returned last is the one that is asked about.
        if (scan->next_ > 0 && scan->hits_[scan->next_ - 1].fingerprint == fingerprint)
            return scan->hits_[scan->next_ - 1].score;
        const auto first = std::lower_bound(
            scan->by_fingerprint_.begin(), scan->by_fingerprint_.end(), fingerprint,
            [](const auto &known, std::uint32_t key) { return known.first < key; });
        if (first == scan->by_fingerprint_.end() || first->first != fingerprint)
            continue;
        // Of two texts with one fingerprint and two scores, nobody knows which this is.
        const auto last = std::find_if(first, scan->by_fingerprint_.end(), [=](const auto &other) {
            return other.first != fingerprint || other.second != first->second;
        });
        if (last == scan->by_fingerprint_.end() || last->first != fingerprint)
            return first->second;
    }
    return std::nullopt;
}

// --- callbacks -------------------------------------------------------------------------------

IndexScanDesc begin_scan(Relation index, int keys, int orderings) {
    return pg::entry([=] {
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
        scan->opaque = pg::make_in<Scan>(memory, index, memory);
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
        const Hit *hit = static_cast<Scan *>(scan->opaque)->next(scan);
        if (hit == nullptr)
            return false;
        scan->xs_heaptid = to_item_pointer(hit->tid);
        scan->xs_recheck = false;
        scan->xs_recheckorderby = false;
        if (scan->numberOfOrderBys > 0) {
            scan->xs_orderbyvals[0] = Float8GetDatum(hit->score > 0 ? -hit->score : 0.0);
            scan->xs_orderbynulls[0] = !hit->has_text;
        }
        return true;
    });
}

std::int64_t get_bitmap(IndexScanDesc scan, TIDBitmap *bitmap) {
    return pg::entry([=] {
        const std::span<const Hit> hits = static_cast<Scan *>(scan->opaque)->all(scan);
        pg::call([=] {
            for (const Hit &hit : hits) {
                ItemPointerData tid = to_item_pointer(hit.tid);
                tbm_add_tuples(bitmap, &tid, 1, false);
            }
        });
        return static_cast<std::int64_t>(hits.size());
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
