// MaxScore over windows: terms in the order of their bounds, of which the essential ones name the
// candidates; the others are looked up only for candidates that can still win.
#include "index/segment/best.h"

#include "index/segment/bounded_list.h"
#include "index/segment/candidates.h"

#include <algorithm>
#include <utility>

namespace memory::segment {

namespace {

// Postings that are gone through in the time of looking up one.
constexpr std::uint32_t postings_a_lookup = 6;

constexpr std::size_t steps_a_list = 64; // for a pause: of a window

// A window has at least window_documents, and as many more as it takes to have so many postings: to
// begin a window costs what a hundred of them do.
constexpr std::uint64_t postings_a_window = 512;

std::uint32_t window_for(const Segment &segment, const Search &search) {
    std::uint64_t postings = 0;
    for (std::size_t term = 0; term < search.lists.size(); ++term)
        postings += search.weights[term] > 0 ? search.lists[term].size() : 0;
    std::uint32_t window = window_documents;
    while (window < Candidates::most_places && window < segment.documents() &&
           postings * window < postings_a_window * segment.documents())
        window *= 2;
    return window;
}

class BestFinder {
  public:
    BestFinder(Segment &segment, const Search &search, std::uint32_t source, Best &best,
               std::pmr::memory_resource *memory)
        : segment_(segment), scores_(*search.scores), source_(source), best_(best), lists_(memory),
          to_beat_(best.to_beat()), by_bound_(memory), below_(memory), excluded_(search.excluded),
          window_(window_for(segment, search)), candidates_(window_, memory),
          pause_(*search.interruption) {
        lists_.reserve(search.lists.size());
        for (std::uint32_t term = 0; term < search.lists.size(); ++term) {
            PostingList &list = search.lists[term];
            if (list.size() > 0 && search.weights[term] > 0) {
                list.rewind();
                lists_.emplace_back(list, search.weights[term], scores_, memory);
            }
        }
        for (BoundedList &list : lists_)
            by_bound_.push_back(&list);
        below_.resize(lists_.size() + 1);
    }

    void run() {
        for (begin_ = 0; begin_ < segment_.documents(); begin_ = end_) {
            end_ = begin_ + std::min(window_, segment_.documents() - begin_);
            if (!enter())
                continue;
            if (is_alone())
                score_one_term();
            else
                score_several_terms();
        }
    }

  private:
    // False if the window has no document to offer.
    bool enter() {
        for (BoundedList &list : lists_) {
            pause_.step(steps_a_list);
            list.enter(begin_, end_);
        }
        std::sort(by_bound_.begin(), by_bound_.end(),
                  [](const auto *a, const auto *b) { return a->bound() < b->bound(); });
        for (std::size_t i = 0; i < by_bound_.size(); ++i)
            below_[i + 1] = below_[i] + by_bound_[i]->bound();
        essential_ = 0;
        while (essential_ < by_bound_.size() && below_[essential_ + 1] <= to_beat_)
            ++essential_;
        return essential_ < by_bound_.size() && below_.back() > 0;
    }

    // Whether there is one essential term, which is worth looking up the others for.
    bool is_alone() const {
        return essential_ + 1 == by_bound_.size() &&
               (essential_ == 0 || by_bound_.back()->postings() * postings_a_lookup <=
                                       by_bound_[essential_ - 1]->postings());
    }

    // Whether a document with at most `score`, and at most `rest` to come, can be among the best.
    bool can_win(double score, double rest) const { return score + rest > to_beat_; }

    // The only essential term: its documents one by one.
    void score_one_term() {
        BoundedList &list = *by_bound_.back();
        const double rest = below_[essential_];
        list.each([&](double bound) { return !can_win(bound, rest); },
                  [&](std::uint32_t ordinal, std::uint32_t count, double most) {
                      consider(ordinal, most, noted(by_bound_.size() - 1, count));
                  });
    }

    // Several essential terms: what they add together at most, for the window's documents.
    void score_several_terms() {
        for (std::size_t i = essential_; i < by_bound_.size(); ++i) {
            BoundedList &list = *by_bound_[i];
            pause_.step(list.postings());
            const double rest = below_.back() - list.bound();
            list.each([&](double bound) { return !can_win(bound, rest); },
                      [&](std::uint32_t ordinal, std::uint32_t count, double most) {
                          add(i, candidates_.add(ordinal - begin_), count, most);
                      });
        }
        // A list that is not much longer than there are candidates is gone through for them, rather
        // than looked into for each.
        while (essential_ > 0 &&
               keep_winners() * postings_a_lookup > by_bound_[essential_ - 1]->postings()) {
            --essential_;
            by_bound_[essential_]->each(
                [](double) { return false; },
                [&](std::uint32_t ordinal, std::uint32_t count, double most) {
                    if (Gathered *candidate = candidates_.find(ordinal - begin_))
                        add(essential_, *candidate, count, most);
                });
        }
        candidates_.each([this](std::uint32_t place, const Gathered &gathered) {
            consider(begin_ + place, gathered.most, gathered.counts);
        });
        candidates_.clear();
    }

    // A posting of the i-th list, of a candidate.
    void add(std::size_t i, Gathered &candidate, std::uint32_t count, double most) {
        candidate.most += most;
        candidate.counts |= noted(i, count);
    }

    // How often a candidate has the terms of the essential lists: a byte for each of the last
    // eight. A document that a skipped block has is no candidate by that list, and cannot win.
    static constexpr std::uint32_t uncounted = 255; // or more
    static constexpr std::size_t noted_lists = 8;
    std::size_t slot_of(std::size_t i) const { return by_bound_.size() - 1 - i; }
    std::uint64_t noted(std::size_t i, std::uint32_t count) const {
        return slot_of(i) < noted_lists
                   ? std::uint64_t{std::min(count, uncounted)} << (8 * slot_of(i))
                   : 0;
    }
    std::uint32_t count_of(std::size_t i, std::uint64_t counts, std::uint32_t ordinal) {
        const auto count = static_cast<std::uint32_t>(
            slot_of(i) < noted_lists ? counts >> (8 * slot_of(i)) & uncounted : uncounted);
        return count < uncounted ? count : looked_up(*by_bound_[i], ordinal);
    }
    static std::uint32_t looked_up(BoundedList &list, std::uint32_t ordinal) {
        return list.seek(ordinal) ? list.count(ordinal) : 0;
    }

    // Drops the candidates that cannot win any more, and counts the others.
    std::uint32_t keep_winners() {
        return candidates_.keep([this](const Gathered &candidate) {
            return can_win(candidate.most, below_[essential_]);
        });
    }

    // A document to which the essential terms, which it has so often, add at most `most`. If it can
    // win, its length is read, and what they add is known; then, as long as it can win with what
    // the others add at most, they are looked up. Parts add up exactly in any order (docs/rank.md).
    void consider(std::uint32_t ordinal, double most, std::uint64_t counts) {
        if (!can_win(most, below_[essential_]))
            return;
        pause_.step(by_bound_.size());
        const std::uint32_t length = segment_.kept_length(ordinal);
        double score = 0;
        for (std::size_t i = essential_; i < by_bound_.size(); ++i)
            if (const std::uint32_t count = count_of(i, counts, ordinal); count > 0)
                score += scores_(by_bound_[i]->weight(), count, length);
        for (std::size_t i = essential_; i-- > 0;) {
            if (!can_win(score, below_[i + 1]))
                return;
            BoundedList &list = *by_bound_[i];
            if (!list.seek(ordinal))
                continue;
            if (!can_win(score, list.block_bound() + below_[i]))
                return;
            if (const std::uint32_t count = list.count(ordinal); count > 0)
                score += scores_(list.weight(), count, length);
        }
        if (can_win(score, 0) && !is_excluded(ordinal)) {
            best_.offer({score, {source_, ordinal}});
            to_beat_ = best_.to_beat();
        }
    }

    bool is_excluded(std::uint32_t ordinal) const {
        return std::binary_search(excluded_.begin(), excluded_.end(), ordinal);
    }

    Segment &segment_;
    rank::TermScores &scores_;
    const std::uint32_t source_;
    Best &best_;
    std::pmr::vector<BoundedList> lists_;
    double to_beat_;                           // by best_, kept at hand
    std::pmr::vector<BoundedList *> by_bound_; // in the window, ascending
    std::pmr::vector<double> below_;           // by place in by_bound_: the bounds before it, added
    std::size_t essential_ = 0;                // in by_bound_: the first one
    std::span<const std::uint32_t> excluded_;
    const std::uint32_t window_; // in documents
    std::uint32_t begin_ = 0;    // of the window
    std::uint32_t end_ = 0;
    Candidates candidates_;
    text::Pause pause_;
};

// Whether each number with a weight is one that the condition is met by. Both ascend.
bool covers(const Condition &condition, std::span<const double> weights) {
    auto next = condition.any_of.begin();
    for (std::uint32_t number = 0; number < weights.size(); ++number) {
        if (weights[number] <= 0)
            continue;
        while (next != condition.any_of.end() && *next < number)
            ++next;
        if (next == condition.any_of.end() || *next != number)
            return false;
    }
    return true;
}

} // namespace

bool wants_all_scored(const Search &search) {
    if (search.scored && search.scored->judge != nullptr)
        return false;
    return std::all_of(search.conditions.begin(), search.conditions.end(),
                       [&](const Condition &condition) {
                           return condition.judge == nullptr && covers(condition, search.weights);
                       });
}

void find_best(Segment &segment, const Search &search, std::uint32_t source, Best &best,
               std::pmr::memory_resource *memory) {
    BestFinder(segment, search, source, best, memory).run();
}

} // namespace memory::segment
