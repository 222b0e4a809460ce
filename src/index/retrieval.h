// All that a bag of words finds among one tenant's documents, with exact scores: the index as other
// rooms of this extension use it, without the executor.
#pragma once

#include "index/answer.h"
#include "rank/term_source.h"

#include <string>

extern "C" {
#include "utils/relcache.h"
#include "utils/snapshot.h"
}

namespace memory::index {

struct Match {
    codec::Tid tid; // of a row as an index knows it: the root of its HOT chain
    double score;   // above 0
};

struct SearchedTerm {
    std::pmr::string term;
    std::uint32_t multiplicity; // in the query
    std::uint64_t documents;    // that have it
    double weight;              // the most that it can add to a score
    std::uint32_t number;       // in a Retrieval's parts
    // The word of the query that it stands in for; empty of one of the query.
    std::pmr::string instead_of;
};

struct Retrieved {
    explicit Retrieved(std::pmr::memory_resource *memory)
        : matches(memory), by_query(memory), others(memory), terms(memory) {}

    std::pmr::vector<Match> matches; // in no order
    // Where terms stand in for words of the query: what the query itself gives the matches, which
    // is 0 of those that have only such terms. Else empty.
    std::pmr::vector<double> by_query;
    std::pmr::vector<double> others; // what the other texts score, in their order
    double most = 0;                 // that the query could score
    rank::Bm25Parameters parameters;
    rank::CorpusStatistics corpus; // of the tenant, as the snapshot sees it
    std::pmr::vector<SearchedTerm> terms;
};

// Whether `index` is a recall index whose scope is so many texts, for retrieve().
bool is_searchable(Relation index, std::size_t scope);

// What is searched for: a bag of words; `fuzzy`, also what misspelt ones may mean.
struct Words {
    std::string_view text;
    bool fuzzy = false;
};

// A search for words in `index`, a recall index on `heap` whose scope columns are texts with these
// values. Documents in `hidden` count as little as those that the snapshot does not see; `others`
// are texts that count as if they were the tenant's, too, of a search that is not fuzzy. What it
// has read stays at hand for the parts of scores; hits are matches by their places.
class Retrieval final : public rank::TermSource {
  public:
    Retrieval(Relation index, Relation heap, Snapshot snapshot,
              std::span<const std::string_view> scope, std::span<const codec::Tid> hidden,
              const Words &words, std::pmr::memory_resource *memory,
              std::span<const std::string_view> others = {});

    Retrieved &found() noexcept { return found_; }
    const Retrieved &found() const noexcept { return found_; }

    std::span<const double> weights() const override { return weights_; }
    void read_parts(std::span<const std::uint32_t> hits, std::span<double> parts) override {
        answer_->read_parts(hits, parts);
    }

  private:
    struct Place {
        Relation index;
        Relation heap;
        Snapshot snapshot;
        Key key;
        std::span<const codec::Tid> hidden;
    };

    Answer &begin_answer(const Place &place);
    void read_matches();
    void correct(const Place &place);
    void read_by_query(std::span<Match> plain);
    void read_terms();
    SearchedTerm searched(const grammar::PatternTerm &word, std::uint32_t number) const;

    std::pmr::memory_resource *memory_;
    grammar::Pattern pattern_;
    SearchTerms terms_;
    std::optional<Corrections> corrections_;
    std::optional<Answer> answer_;
    Retrieved found_;
    std::pmr::vector<double> weights_;
};

// The terms of a text by the rules of `index`, with how often each occurs; and the text's length in
// tokens. For explanations.
struct TextTerms {
    explicit TextTerms(std::pmr::memory_resource *memory) : counts(memory) {}

    std::uint32_t length = 0;
    std::pmr::vector<std::pair<std::pmr::string, std::uint32_t>> counts;
};
TextTerms terms_of(Relation index, std::string_view contents, std::pmr::memory_resource *memory);

// Hands the tokens of a text by the rules of `index` to `sink`.
void read_tokens(Relation index, std::string_view contents, text::TokenSink &sink);

} // namespace memory::index
