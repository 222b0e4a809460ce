// Gathers the log's documents, joins their fragments, asks the snapshot, and scores.
#include "index/ranking.h"

#include "text/terms.h"

namespace memory::index {

namespace {

bool by_tid(const Document &a, const Document &b) { return a.stored.tid < b.stored.tid; }

} // namespace

Documents::Documents(std::pmr::memory_resource *memory)
    : documents_(memory), matches_(memory), is_there_(memory) {}

Tenant Documents::collect(Relation index, Key key, const SearchTerms &terms) {
    documents_.clear();
    matches_.clear();
    is_there_.assign(terms.size(), false);
    fragmented_ = false;
    const Tenant tenant =
        visit_records(index, key, [&](const codec::Record &record) { add(record, terms); });
    std::stable_sort(documents_.begin(), documents_.end(), by_tid);
    if (fragmented_)
        join_fragments(0);
    return tenant;
}

void Documents::add(const codec::Record &record, const SearchTerms &terms) {
    if (record.dead)
        return;
    fragmented_ |= record.continued;
    const std::size_t before = matches_.size();
    matches_.resize(before + std::min<std::size_t>(terms.terms().targets().size(), record.terms));
    const std::size_t found =
        codec::match(record, terms.terms(), std::span(matches_).subspan(before));
    matches_.resize(before + found);
    if (!terms.openings().empty()) {
        codec::RecordTerms all(record);
        while (const auto term = all.next())
            if (term->term.front() != text::weak_mark)
                terms.each_opening_of(term->term, [this](std::uint32_t number) {
                    matches_.push_back({number, 1});
                });
    }
    documents_.push_back({record.document, Seen::yes, static_cast<std::uint32_t>(before),
                          static_cast<std::uint32_t>(matches_.size() - before)});
}

void Documents::add(std::span<const codec::Bytes> records, const SearchTerms &terms) {
    const std::size_t before = documents_.size();
    for (const codec::Bytes record : records)
        add(read_record(record), terms);
    join_fragments(before);
}

// The records of one document, which are neighbours now, become one.
void Documents::join_fragments(std::size_t from) {
    auto kept = documents_.begin() + static_cast<std::ptrdiff_t>(from);
    for (auto first = kept; first != documents_.end();) {
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

void Documents::hide(std::span<const codec::Tid> tids) {
    for (const codec::Tid &tid : tids) {
        const auto found = std::lower_bound(documents_.begin(), documents_.end(), tid,
                                            [](const Document &document, const codec::Tid &it) {
                                                return document.stored.tid < it;
                                            });
        if (found != documents_.end() && found->stored.tid == tid)
            found->seen = Seen::no;
    }
}

void Documents::keep_matches(std::span<const std::uint32_t> numbers) {
    std::pmr::vector<codec::Match> matches(matches_.get_allocator());
    for (Document &document : documents_) {
        const auto first = static_cast<std::uint32_t>(matches.size());
        for (const codec::Match &match : matches_of(document)) {
            const auto at = std::lower_bound(numbers.begin(), numbers.end(), match.target);
            if (at != numbers.end() && *at == match.target)
                matches.push_back({static_cast<std::uint32_t>(at - numbers.begin()), match.count});
        }
        document.first_match = first;
        document.matches = static_cast<std::uint32_t>(matches.size()) - first;
    }
    matches_ = std::move(matches);
}

segment::Verdict Documents::verdict(const Document &document,
                                    std::span<const segment::Condition> conditions) {
    const std::span<const codec::Match> matches = matches_of(document);
    for (const codec::Match &match : matches)
        is_there_[match.target] = true;
    segment::Verdict least = segment::Verdict::yes;
    for (auto one = conditions.begin(); one != conditions.end() && least != segment::Verdict::no;
         ++one)
        least = std::min(least, verdict(document, *one));
    for (const codec::Match &match : matches)
        is_there_[match.target] = false;
    return least;
}

// Looks at the shorter of two lists: what the document has, and what is wanted.
segment::Verdict Documents::verdict(const Document &document,
                                    const segment::Condition &condition) const {
    const std::span<const codec::Match> matches = matches_of(document);
    const std::span<const std::uint32_t> wanted = condition.any_of;
    if (condition.judge != nullptr) {
        condition.judge->clear();
        for (const codec::Match &match : matches)
            condition.judge->has(match.target);
        return condition.judge->verdict();
    }
    const bool any =
        wanted.size() < matches.size()
            ? std::any_of(wanted.begin(), wanted.end(),
                          [this](std::uint32_t number) { return is_there_[number]; })
            : std::any_of(matches.begin(), matches.end(), [wanted](const codec::Match &one) {
                  return std::binary_search(wanted.begin(), wanted.end(), one.target);
              });
    return any ? segment::Verdict::yes : segment::Verdict::no;
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
                        rank::TermScores &scores) const {
    double score = 0;
    for (const codec::Match &match : matches_of(document))
        if (weights[match.target] > 0)
            score += scores(weights[match.target], match.count, document.stored.length);
    return score;
}

void Documents::read_parts(const Document &document, std::span<const double> weights,
                           rank::TermScores &scores, std::span<double> parts) const {
    for (const codec::Match &match : matches_of(document))
        if (weights[match.target] > 0)
            parts[match.target] +=
                scores(weights[match.target], match.count, document.stored.length);
}

} // namespace memory::index
