// Walks the terms of a tenant: the log's records, and each segment's dictionaries, all of them or
// the parts that begin as a word does. No postings are read.
#include "index/corrections.h"

#include "index/segment_pages.h"
#include "text/interruption_sql.h"
#include "text/terms.h"

namespace memory::index {

namespace {

// Of more such words none is looked for: what takes so long must not grow with a pasted text.
constexpr std::size_t most_words = 16;

// Of a tenant with more documents only terms that begin as a word does are read.
constexpr std::uint64_t most_documents = 20'000;

constexpr std::size_t steps_a_term = 16; // for a pause

} // namespace

Corrections::Corrections(const SearchTerms &searched, std::pmr::memory_resource *memory)
    : searched_(searched.queries()), memory_(memory), words_(memory), found_(memory) {}

void Corrections::add_unknown(std::span<const std::uint64_t> frequencies, std::uint64_t documents) {
    any_letter_ = documents <= most_documents;
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

void Corrections::consider(std::string_view term) {
    if (term.front() == text::weak_mark)
        return;
    for (Word &word : words_) {
        const bool begins_alike = term.starts_with(word.spelling.first_letter());
        if (!begins_alike && !any_letter_)
            continue;
        const std::optional<std::uint32_t> distance = word.spelling.distance(term);
        if (distance && word.near.find(term) == word.near.end())
            word.near.emplace(term, 2 * *distance + (begins_alike ? 0 : 1));
    }
}

void Corrections::walk(segment::TermWalk &terms, std::string_view beginning, text::Pause &pause) {
    for (bool more = terms.seek(beginning); more && terms.term().starts_with(beginning);
         more = terms.next()) {
        pause.step(steps_a_term);
        consider(terms.term());
    }
}

// Words that begin alike are neighbours.
void Corrections::walk(Relation index, BlockNumber root, const Run &run) {
    SegmentPages pages(index, root);
    text::Pause pause(text::server_interruption);
    reading(index, pages, [&] {
        segment::Segment segment(pages, root_of_segment(run), memory_);
        segment.expect(run.documents);
        segment::TermWalk terms(segment, memory_);
        if (any_letter_)
            return walk(terms, {}, pause);
        std::string_view before;
        for (const Word &word : words_) {
            const std::string_view first = word.spelling.first_letter();
            if (first != before)
                walk(terms, first, pause);
            before = first;
        }
    });
}

bool Corrections::gather(Relation index, Key key) {
    const Tenant tenant = visit_records(index, key, [this](const codec::Record &record) {
        codec::RecordTerms terms(record);
        while (const auto term = record.dead ? std::nullopt : terms.next())
            consider(term->term);
    });
    for (const Run &run : tenant.runs.span())
        if (run.state == RunState::live)
            walk(index, tenant.root, run);
    candidates_.emplace(memory_);
    add_queries(*candidates_);
    bool any = false;
    for (const Word &word : words_)
        for (const auto &[term, farness] : word.near) {
            candidates_->add(term);
            any = true;
        }
    candidates_->number();
    return any;
}

// The term that is least far, of these the one that most documents have, of these the first; empty
// if no document has any.
std::string_view Corrections::nearest(const Word &word,
                                      std::span<const std::uint64_t> frequencies) const {
    std::string_view best;
    std::uint32_t least = 0;
    std::uint64_t most = 0;
    for (const auto &[term, farness] : word.near) {
        const std::uint64_t documents = frequencies[candidates_->number_of(term)];
        const bool is_better =
            best.empty() || farness < least || (farness == least && documents > most);
        if (documents == 0 || !is_better)
            continue;
        best = term;
        least = farness;
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
