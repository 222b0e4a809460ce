// See ranking.h.
#include "index/ranking.h"

#include "pg/error.h"

namespace memory::index {

namespace {

bool by_tid(const Document &a, const Document &b) {
    return ItemPointerCompare(const_cast<ItemPointer>(&a.tid), const_cast<ItemPointer>(&b.tid)) < 0;
}

bool same_tid(const Document &a, const Document &b) { return !by_tid(a, b) && !by_tid(b, a); }

} // namespace

SearchTerms::SearchTerms(std::pmr::memory_resource *memory) : terms_(memory), queries_(memory) {}

std::uint16_t SearchTerms::place_of(std::string_view term) {
    const auto place = std::lower_bound(terms_.begin(), terms_.end(), term);
    const auto number = static_cast<std::uint16_t>(place - terms_.begin());
    if (place != terms_.end() && *place == term)
        return number;
    if (terms_.size() == PG_UINT16_MAX)
        throw pg::Error(ERRCODE_PROGRAM_LIMIT_EXCEEDED, "a query with more than %d distinct terms",
                        PG_UINT16_MAX);
    terms_.emplace(place, term);
    for (auto &query : queries_)
        for (SearchTerm &other : query)
            other.term = static_cast<std::uint16_t>(other.term + (other.term >= number ? 1 : 0));
    return number;
}

void SearchTerms::add(const Analysed &query) {
    queries_.emplace_back();
    for (const TermCount &term : query.terms) {
        const std::uint16_t place = place_of(term.term);
        queries_.back().push_back({place, term.count});
    }
}

Documents::Documents(std::pmr::memory_resource *memory) : documents_(memory), matches_(memory) {}

TenantAddress Documents::collect(Relation index, Key key, const SearchTerms &terms) {
    documents_.clear();
    matches_.clear();
    in_parts_ = false;
    const TenantAddress address = visit_records(index, key, [&](const RecordView &record) {
        if ((record.marks & record_dead) == 0)
            add(index, record, terms);
    });
    std::stable_sort(documents_.begin(), documents_.end(), by_tid);
    if (in_parts_)
        join_parts();
    return address;
}

// VACUUM raises a log's generation before it takes records away, and only after that makes a page
// all-visible on which their rows have been. So if the generation is the same afterwards, what the
// visibility map said is true of the documents that were read. A tiny tenant's rows are few: they
// are looked up in the heap, which is always right.
void Documents::collect_seen(Relation index, Key key, const SearchTerms &terms, Relation heap,
                             Snapshot snapshot) {
    for (;;) {
        const TenantAddress address = collect(index, key, terms);
        const bool tiny = address.root == InvalidBlockNumber;
        look_up(heap, snapshot, tiny ? Trust::heap : Trust::map_and_heap);
        if (tiny || log_generation(index, address.root) == address.generation)
            return;
        pg::check_for_interrupts();
    }
}

void Documents::add(Relation index, const RecordView &record, const SearchTerms &terms) {
    try {
        RecordReader reader(record.bytes);
        const RecordHead &head = reader.head();
        in_parts_ |= !head.first;
        const auto first_match = static_cast<std::uint32_t>(matches_.size());
        auto wanted = terms.terms().begin();
        for (TermCount term; wanted != terms.terms().end() && reader.next(term);) {
            while (wanted != terms.terms().end() && *wanted < term.term)
                ++wanted;
            if (wanted != terms.terms().end() && *wanted == term.term)
                matches_.push_back(
                    {static_cast<std::uint16_t>(wanted - terms.terms().begin()), term.count});
        }
        documents_.push_back({head.tid, Seen::yes, head.has_text, head.length, head.fingerprint,
                              first_match,
                              static_cast<std::uint32_t>(matches_.size() - first_match)});
    } catch (const CorruptRecord &corrupt) {
        throw pg::Error(ERRCODE_INDEX_CORRUPTED, "index \"%s\": %s", RelationGetRelationName(index),
                        corrupt.what())
            .hint("REINDEX it.");
    }
}

// The records of one document, which are neighbours now, become one.
void Documents::join_parts() {
    auto kept = documents_.begin();
    for (auto part = documents_.begin(); part != documents_.end();) {
        Document whole = *part;
        auto end = part + 1;
        while (end != documents_.end() && same_tid(*end, whole))
            ++end;
        if (end - part > 1) {
            whole.first_match = static_cast<std::uint32_t>(matches_.size());
            for (auto p = part; p != end; ++p)
                for (std::uint32_t i = 0; i < p->matches; ++i)
                    matches_.push_back(Match(matches_[p->first_match + i]));
            whole.matches = static_cast<std::uint32_t>(matches_.size()) - whole.first_match;
        }
        *kept++ = whole;
        part = end;
    }
    documents_.erase(kept, documents_.end());
}

void Documents::look_up(Relation heap, Snapshot snapshot, Trust trust) {
    std::pmr::vector<Looked> looked(documents_.get_allocator().resource());
    looked.reserve(documents_.size());
    for (const Document &document : documents_)
        looked.push_back({document.tid, Seen::yes});
    index::look_up(heap, snapshot, trust, looked);
    for (std::size_t i = 0; i < looked.size(); ++i)
        documents_[i].seen = looked[i].seen;
}

bool Documents::matches(const Document &document,
                        std::span<const SearchTerm> query) const noexcept {
    for (const Match &match : matches_of(document))
        for (const SearchTerm &term : query)
            if (match.term == term.term)
                return true;
    return false;
}

std::pmr::vector<double> Documents::scores(std::span<const SearchTerm> query, std::size_t terms,
                                           const rank::Bm25Parameters &parameters) const {
    std::pmr::memory_resource *memory = documents_.get_allocator().resource();
    std::pmr::vector<std::uint64_t> frequencies(terms, memory);
    rank::CorpusStatistics corpus;
    for (const Document &document : documents_) {
        if (document.seen != Seen::yes || !document.has_text)
            continue;
        ++corpus.documents;
        corpus.total_length += document.length;
        for (const Match &match : matches_of(document))
            ++frequencies[match.term];
    }
    const rank::Bm25 bm25(parameters, corpus);
    std::pmr::vector<double> weights(terms, memory);
    for (const SearchTerm &term : query)
        weights[term.term] = bm25.weight(frequencies[term.term], term.multiplicity);
    std::pmr::vector<double> scores(documents_.size(), memory);
    for (std::size_t i = 0; i < documents_.size(); ++i) {
        const Document &document = documents_[i];
        if (document.seen != Seen::yes || document.matches == 0)
            continue;
        const double norm = bm25.norm(document.length);
        for (const Match &match : matches_of(document))
            if (weights[match.term] > 0)
                scores[i] += rank::Bm25::score(weights[match.term], match.count, norm);
    }
    return scores;
}

} // namespace memory::index
