// Looks through the terms of a tenant: the log's records, then each segment's dictionaries, at
// first the parts that begin as a word does: mostly these have what is meant, and no more is to be
// read than what could be less far. No postings are read.
#include "index/corrections.h"

#include "index/segment_pages.h"
#include "text/interruption_sql.h"
#include "text/terms.h"

namespace memory::index {

namespace {

// Of more such words none is looked for: what takes so long must not grow with a pasted text.
constexpr std::size_t most_words = 16;

// Of a tenant with more documents the only terms with another first letter are those that are one
// edit away: with two edits nearly every part of the dictionaries could have some.
constexpr std::uint64_t most_documents = 1'000;

} // namespace

Corrections::Corrections(const SearchTerms &searched, std::pmr::memory_resource *memory)
    : searched_(searched.queries()), memory_(memory), words_(memory), open_(memory), walks_(memory),
      found_(memory) {}

void Corrections::add_unknown(std::span<const std::uint64_t> frequencies, std::uint64_t documents) {
    if (documents > most_documents)
        most_of_others_ = 1;
    const std::span<const std::uint32_t> numbers = searched_[0].terms;
    for (std::uint32_t place = 0; place < numbers.size(); ++place) {
        if (frequencies[numbers[place]] > 0)
            continue;
        if (const auto spelling = text::Spelling::of(pattern().terms()[place].term)) {
            if (words_.size() == most_words) {
                words_.clear();
                return;
            }
            words_.emplace_back(place, *spelling, memory_);
        }
    }
}

void Corrections::add_near() {
    for (const grammar::Near &near : pattern().openings().nears)
        if (is_scored(near.word))
            words_.emplace_back(*pattern().find(near.word, false), near.spelling, memory_);
}

bool Corrections::is_scored(std::string_view term) const {
    const std::optional<std::uint32_t> place = pattern().find(term, false);
    return place && pattern().terms()[*place].multiplicity > 0;
}

void Corrections::add_queries(SearchTerms &terms) const {
    for (const SearchQuery &query : searched_)
        terms.add(*query.pattern, query.kind);
}

// Of terms that begin so, those that are farther are not looked for.
std::uint32_t Corrections::most_edits(const Word &word, segment::Beginning beginning) const {
    if (beginning == segment::Beginning::other)
        return word.farness == 0 ? 0 : std::min((word.farness - 1) / 2, most_of_others_);
    return word.farness / 2;
}

void Corrections::consider(Word &word, std::string_view term, std::uint32_t edits) {
    const bool begins_alike = term.starts_with(word.spelling.first_letter());
    const std::uint32_t farness = 2 * edits + (begins_alike ? 0 : 1);
    if (farness < word.least || farness > word.farness)
        return;
    if (farness < word.farness)
        word.near.clear();
    word.farness = farness;
    if (word.near.find(term) == word.near.end())
        word.near.emplace(term);
}

void Corrections::consider(std::string_view term) {
    if (term.front() == text::weak_mark)
        return;
    for (Word *word : open_) {
        const std::optional<std::uint32_t> edits = word->spelling.distance(term);
        if (edits && (*edits <= most_of_others_ || term.starts_with(word->spelling.first_letter())))
            consider(*word, term, *edits);
    }
}

void Corrections::walk(Relation index, BlockNumber root, const Run &run) {
    SegmentPages pages(index, root);
    text::Pause pause(text::server_interruption);
    reading(index, pages, [&] {
        segment::Segment segment(pages, root_of_segment(run), memory_);
        segment.expect(run.documents);
        segment::TermWalk terms(segment, memory_);
        segment::each_near(terms, walks_, text::above_weak, pause, [&](std::size_t n, auto edits) {
            consider(*open_[n], terms.term(), edits);
            walks_[n].limit(most_edits(*open_[n], walks_[n].beginning()));
        });
    });
}

void Corrections::walk(Relation index, const Tenant &tenant, segment::Beginning beginning) {
    for (std::size_t n = 0; n < walks_.size(); ++n) {
        walks_[n].look_for(beginning);
        walks_[n].limit(most_edits(*open_[n], beginning));
    }
    for (const Run &run : tenant.runs.span())
        if (run.state == RunState::live)
            walk(index, tenant.root, run);
}

bool Corrections::gather(Relation index, Key key) {
    open_.clear();
    walks_.clear();
    for (Word &word : words_)
        if (word.is_open) {
            open_.push_back(&word);
            walks_.emplace_back(word.spelling, memory_);
        }
    const Tenant tenant = visit_records(index, key, [this](const codec::Record &record) {
        codec::RecordTerms terms(record);
        while (const auto term = record.dead ? std::nullopt : terms.next())
            consider(term->term);
    });
    walk(index, tenant, segment::Beginning::same);
    walk(index, tenant, segment::Beginning::other);
    number_candidates();
    return std::any_of(words_.begin(), words_.end(),
                       [](const Word &word) { return !word.near.empty(); });
}

void Corrections::number_candidates() {
    candidates_.emplace(memory_);
    add_queries(*candidates_);
    for (const Word &word : words_)
        for (const std::pmr::string &term : word.near)
            candidates_->add(term);
    candidates_->number();
}

bool Corrections::settle(std::span<const std::uint64_t> frequencies) {
    bool is_settled = true;
    for (Word &word : words_) {
        word.is_open = !word.near.empty() && nearest(word, frequencies).empty();
        if (!word.is_open)
            continue;
        is_settled = false;
        word.near.clear();
        word.least = word.farness + 1;
        word.farness = farthest + 1;
    }
    return is_settled;
}

// The term that most documents have, of these the first; empty if no document has any.
std::string_view Corrections::nearest(const Word &word,
                                      std::span<const std::uint64_t> frequencies) const {
    std::string_view best;
    std::uint64_t most = 0;
    for (const std::pmr::string &term : word.near) {
        const std::uint64_t documents = frequencies[candidates_->number_of(term)];
        if (documents <= most)
            continue;
        best = term;
        most = documents;
    }
    return best;
}

std::pmr::vector<std::uint32_t> Corrections::choose(std::span<const std::uint64_t> frequencies) {
    terms_.emplace(memory_);
    add_queries(*terms_);
    std::pmr::vector<std::uint32_t> kept(memory_);
    for (const SearchQuery &query : candidates_->queries()) {
        std::copy_if(query.terms.begin(), query.terms.end(), std::back_inserter(kept),
                     [](std::uint32_t number) { return number != not_looked_up; });
        kept.insert(kept.end(), query.openings.begin(), query.openings.end());
    }
    std::pmr::vector<std::pair<std::uint32_t, std::string_view>> chosen(memory_);
    for (const Word &word : words_) {
        const std::string_view term = nearest(word, frequencies);
        if (term.empty() || is_scored(term))
            continue;
        terms_->add(term);
        kept.push_back(candidates_->number_of(term));
        chosen.emplace_back(word.place, term);
    }
    terms_->number();
    for (const auto &[word, term] : chosen)
        found_.push_back({word, terms_->number_of(term)});
    std::sort(kept.begin(), kept.end());
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    return kept;
}

} // namespace memory::index
