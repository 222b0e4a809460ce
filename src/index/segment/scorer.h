// Finds and scores a segment's documents, window by window.
#pragma once

#include "index/segment/reader.h"
#include "rank/term_scores.h"
#include "text/interruption.h"

namespace memory::segment {

enum class Verdict : std::uint8_t { no, maybe, yes };

// Decides about documents by what they have of what is looked for. Call order, for each document:
// clear(), has() for each, verdict().
class Judge {
  public:
    virtual void clear() = 0;
    virtual void has(std::uint32_t number) = 0;
    virtual Verdict verdict() = 0;

  protected:
    ~Judge() = default;
};

// What a document must have: one of some numbers, or what a judge says.
struct Condition {
    std::span<const std::uint32_t> any_of; // without a judge; ascending
    Judge *judge = nullptr;
};

// What is looked for, by number: first the terms, whose lists are empty if the segment does not
// have them, then sets of documents, ordinals ascending.
struct Search {
    std::span<PostingList> lists;
    std::span<const std::pmr::vector<std::uint32_t>> sets;
    // By number: what it can add to a score, 0 for what only conditions ask for. None at all:
    // nothing is scored, and `scores` is not needed.
    std::span<const double> weights;
    rank::TermScores *scores = nullptr;
    // Documents are found that meet all of them; at least one.
    std::span<const Condition> conditions;
    // Documents that do not meet it have the score 0.
    std::optional<Condition> scored;
    // Documents that are not to be found, ascending.
    std::span<const std::uint32_t> excluded;
    text::Interruption *interruption = &text::Interruption::none();
};

struct Found {
    double score;
    std::uint32_t ordinal;
    bool maybe;        // a judge of the conditions was not sure
    bool maybe_scored; // the judge of `scored` was not
};

// What each list adds to the scores of some documents, whose ordinals ascend: to `parts`, all 0
// before, a document's beside each other.
void read_parts(Segment &segment, const Search &search, std::span<const std::uint32_t> ordinals,
                std::span<double> parts);

// Documents that are gone through at once.
inline constexpr std::uint32_t window_documents = 4096;

// Some of a segment's documents, [begin, end); `begin` is a multiple of window_documents.
struct Stretch {
    std::uint32_t begin;
    std::uint32_t end;
};

// Appends the documents found in the stretch, ordinals ascending.
void find(Segment &segment, const Search &search, Stretch stretch, std::pmr::vector<Found> &found,
          std::pmr::memory_resource *memory);
inline void find(Segment &segment, const Search &search, std::pmr::vector<Found> &found,
                 std::pmr::memory_resource *memory) {
    find(segment, search, {0, segment.documents()}, found, memory);
}

} // namespace memory::segment
