// See ranking.h.
#include "index/ranking.h"

namespace memory::index {

namespace {

bool by_tid(const Document &a, const Document &b) { return a.stored.tid < b.stored.tid; }

} // namespace

SearchTerms::SearchTerms(std::pmr::memory_resource *memory) : terms_(memory), queries_(memory) {}

std::uint32_t SearchTerms::place_of(std::string_view term) {
    const auto place = std::lower_bound(terms_.begin(), terms_.end(), term);
    const auto number = static_cast<std::uint32_t>(place - terms_.begin());
    if (place != terms_.end() && *place == term)
        return number;
    terms_.emplace(place, term);
    for (auto &query : queries_)
        for (SearchTerm &other : query)
            other.term += other.term >= number ? 1 : 0;
    return number;
}

codec::TermSet SearchTerms::terms(std::pmr::memory_resource *memory) const {
    const std::pmr::vector<std::string_view> views(terms_.begin(), terms_.end(), memory);
    return {views, memory};
}

void SearchTerms::add(const Analysed &query) {
    queries_.emplace_back();
    for (const text::TermCount &term : query.terms) {
        const std::uint32_t place = place_of(term.term);
        queries_.back().push_back({place, term.count});
    }
}

Documents::Documents(std::pmr::memory_resource *memory) : documents_(memory), matches_(memory) {}

Tenant Documents::collect(Relation index, Key key, const SearchTerms &terms) {
    documents_.clear();
    matches_.clear();
    fragmented_ = false;
    const codec::TermSet wanted = terms.terms(documents_.get_allocator().resource());
    const Tenant tenant =
        visit_records(index, key, [&](const codec::Record &record) { add(record, wanted); });
    std::stable_sort(documents_.begin(), documents_.end(), by_tid);
    if (fragmented_)
        join_fragments();
    return tenant;
}

void Documents::add(const codec::Record &record, const codec::TermSet &terms) {
    if (record.dead)
        return;
    fragmented_ |= record.continued;
    const std::size_t before = matches_.size();
    matches_.resize(before + terms.targets().size());
    const std::size_t found = codec::match(record, terms, std::span(matches_).subspan(before));
    matches_.resize(before + found);
    documents_.push_back({record.document, Seen::yes, static_cast<std::uint32_t>(before),
                          static_cast<std::uint32_t>(found)});
}

// The records of one document, which are neighbours now, become one.
void Documents::join_fragments() {
    auto kept = documents_.begin();
    for (auto first = documents_.begin(); first != documents_.end();) {
        const auto end = std::find_if(first, documents_.end(), [first](const Document &other) {
            return other.stored.tid != first->stored.tid;
        });
        Document whole = *first;
        if (end - first > 1) {
            whole.first_match = static_cast<std::uint32_t>(matches_.size());
            for (; first != end; ++first)
                for (std::uint32_t i = 0; i < first->matches; ++i)
                    matches_.push_back(codec::Match(matches_[first->first_match + i]));
            whole.matches = static_cast<std::uint32_t>(matches_.size()) - whole.first_match;
        }
        *kept++ = whole;
        first = end;
    }
    documents_.erase(kept, documents_.end());
}

void Documents::look_up(Relation heap, Snapshot snapshot, Trust trust) {
    std::pmr::vector<Looked> looked(documents_.get_allocator().resource());
    looked.reserve(documents_.size());
    for (const Document &document : documents_)
        looked.push_back({to_item_pointer(document.stored.tid), Seen::yes});
    index::look_up(heap, snapshot, trust, looked);
    for (std::size_t i = 0; i < looked.size(); ++i)
        documents_[i].seen = looked[i].seen;
}

bool Documents::has_any(const Document &document,
                        std::span<const std::uint32_t> terms) const noexcept {
    for (const codec::Match &match : matches_of(document))
        if (std::find(terms.begin(), terms.end(), match.target) != terms.end())
            return true;
    return false;
}

void Documents::add_to(rank::CorpusStatistics &corpus, std::span<std::uint64_t> frequencies) const {
    for (const Document &document : documents_) {
        if (!document.counts())
            continue;
        ++corpus.documents;
        corpus.total_length += document.stored.length;
        for (const codec::Match &match : matches_of(document))
            ++frequencies[match.target];
    }
}

double Documents::score(const Document &document, std::span<const double> weights,
                        const rank::Bm25 &bm25) const {
    const double norm = bm25.norm(document.stored.length);
    double score = 0;
    for (const codec::Match &match : matches_of(document))
        if (weights[match.target] > 0)
            score += rank::Bm25::score(weights[match.target], match.count, norm);
    return score;
}

} // namespace memory::index
