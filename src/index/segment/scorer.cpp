// Per window of ordinals: takes the postings of each term, applies the conditions, emits what is
// found with its score.
#include "index/segment/scorer.h"

#include <algorithm>
#include <bit>

namespace memory::segment {

namespace {

constexpr std::uint32_t nothing = UINT32_MAX;
constexpr std::size_t steps_a_number = 8; // for a pause: a window of bits

using Bits = std::array<std::uint64_t, window_documents / 64>;

void set(Bits &bits, std::uint32_t place) { bits[place / 64] |= std::uint64_t{1} << (place % 64); }
bool is_set(const Bits &bits, std::uint32_t place) {
    return (bits[place / 64] >> (place % 64) & 1) != 0;
}

// A judge that does not refuse a document without any of the terms must be asked about all of them.
bool may_want_anything(const Condition &condition) {
    if (condition.judge == nullptr)
        return false;
    condition.judge->clear();
    return condition.judge->verdict() != Verdict::no;
}

// Whether a document that has anything of what is looked for meets the conditions. Numbers are
// distinct.
bool wants_anything_found(const Search &search) {
    const std::size_t numbers = search.lists.size() + search.sets.size();
    return (!search.scored || search.scored->judge == nullptr) &&
           std::all_of(search.conditions.begin(), search.conditions.end(),
                       [numbers](const Condition &condition) {
                           return condition.judge == nullptr && condition.any_of.size() == numbers;
                       });
}

class Finder {
  public:
    Finder(Segment &segment, const Search &search, Stretch stretch,
           std::pmr::memory_resource *memory)
        : segment_(segment), search_(search), end_(std::min(stretch.end, segment.documents())),
          next_(search.lists.size(), 0, memory), next_in_set_(search.sets.size(), 0, memory),
          anything_(wants_anything_found(search)), has_(memory), judges_(memory), scores_(memory),
          excluded_(search.excluded.begin()),
          everything_(
              std::all_of(search.conditions.begin(), search.conditions.end(), may_want_anything)),
          next_window_(stretch.begin), pause_(*search.interruption) {
        for (const Condition &condition : search.conditions)
            if (condition.judge != nullptr)
                judges_.push_back(condition.judge);
        add_windows(anything_ ? 0 : search.lists.size() + search.sets.size());
        if (!search.weights.empty())
            scores_.resize(std::min(window_documents, segment.documents()));
        for (std::uint32_t term = 0; term < search.lists.size(); ++term)
            next_[term] = begin_of(search.lists[term], stretch.begin);
        for (std::size_t set = 0; set < search.sets.size(); ++set)
            next_in_set_[set] = below(search.sets[set], stretch.begin);
    }

    void run(std::pmr::vector<Found> &found) {
        for (std::uint32_t least = first(); least < end_; least = first()) {
            begin_ = least - least % window_documents;
            candidates_.fill(0);
            for (std::uint32_t term = 0; term < search_.lists.size(); ++term) {
                pause_.step(steps_a_number);
                take_list(term);
            }
            for (std::uint32_t set = 0; set < search_.sets.size(); ++set) {
                pause_.step(steps_a_number);
                take_set(set);
            }
            emit(found);
            next_window_ = begin_ + window_documents;
        }
    }

  private:
    // How many of `ordinals` are below one.
    static std::size_t below(std::span<const std::uint32_t> ordinals, std::uint32_t ordinal) {
        return static_cast<std::size_t>(
            std::lower_bound(ordinals.begin(), ordinals.end(), ordinal) - ordinals.begin());
    }

    // Has the list stand where the first ordinal is that is not below one: its place in that block,
    // or behind the last.
    static std::uint32_t begin_of(PostingList &list, std::uint32_t ordinal) {
        list.rewind();
        const bool found = list.seek(ordinal);
        const auto known = std::span(list.block().ordinals).first(list.block().size);
        return static_cast<std::uint32_t>(found ? below(known, ordinal) : known.size());
    }

    void add_windows(std::size_t numbers) {
        has_.reserve(numbers);
        while (has_.size() < numbers) {
            pause_.step(steps_a_number);
            has_.emplace_back();
        }
    }

    bool at_end(std::uint32_t term) const {
        return next_[term] == search_.lists[term].block().size;
    }

    // The least ordinal, not covered by a window yet, that may be found.
    std::uint32_t first() const {
        if (everything_)
            return next_window_;
        std::uint32_t least = nothing;
        for (std::uint32_t term = 0; term < search_.lists.size(); ++term)
            if (!at_end(term))
                least = std::min(least, search_.lists[term].block().ordinals[next_[term]]);
        for (std::size_t set = 0; set < search_.sets.size(); ++set)
            if (next_in_set_[set] < search_.sets[set].size())
                least = std::min(least, search_.sets[set][next_in_set_[set]]);
        return least;
    }

    // A term's postings in the window.
    void take_list(std::uint32_t term) {
        Bits &has = anything_ ? candidates_ : has_[term];
        if (!anything_)
            has.fill(0);
        const double weight = search_.weights.empty() ? 0 : search_.weights[term];
        PostingList &list = search_.lists[term];
        while (!at_end(term)) {
            const codec::PostingBuffer &block = list.block();
            std::uint32_t at = next_[term];
            for (; at < block.size && block.ordinals[at] - begin_ < window_documents; ++at) {
                const std::uint32_t place = block.ordinals[at] - begin_;
                set(has, place);
                if (weight > 0) {
                    scores_[place] += (*search_.scores)(weight, block.counts[at],
                                                        segment_.kept_length(block.ordinals[at]));
                }
            }
            pause_.step(at - next_[term]);
            next_[term] = at;
            if (at < block.size)
                break;
            if (list.next())
                next_[term] = 0;
        }
        if (!anything_)
            add_candidates(has);
    }

    void take_set(std::uint32_t number) {
        Bits &has = anything_ ? candidates_ : has_[search_.lists.size() + number];
        if (!anything_)
            has.fill(0);
        const auto &ordinals = search_.sets[number];
        std::size_t &at = next_in_set_[number];
        for (; at < ordinals.size() && ordinals[at] - begin_ < window_documents; ++at)
            set(has, ordinals[at] - begin_);
        if (!anything_)
            add_candidates(has);
    }

    void add_candidates(const Bits &has) {
        for (std::size_t word = 0; word < has.size(); ++word)
            candidates_[word] |= has[word];
    }

    bool is_excluded(std::uint32_t ordinal) {
        while (excluded_ != search_.excluded.end() && *excluded_ < ordinal)
            ++excluded_;
        return excluded_ != search_.excluded.end() && *excluded_ == ordinal;
    }

    // The documents that meet the conditions which have no judge.
    void meet() {
        met_.fill(~std::uint64_t{0});
        for (const Condition &condition : search_.conditions) {
            pause_.step(steps_a_number);
            if (condition.judge != nullptr)
                continue;
            Bits any{};
            for (const std::uint32_t number : condition.any_of) {
                pause_.step(steps_a_number);
                for (std::size_t word = 0; word < any.size(); ++word)
                    any[word] |= has_[number][word];
            }
            for (std::size_t word = 0; word < any.size(); ++word)
                met_[word] &= any[word];
        }
    }

    Verdict ask(Judge &judge, std::uint32_t place) const {
        judge.clear();
        for (std::uint32_t number = 0; number < has_.size(); ++number)
            if (is_set(has_[number], place))
                judge.has(number);
        return judge.verdict();
    }

    Verdict verdict(std::uint32_t place) const {
        Verdict least = is_set(met_, place) ? Verdict::yes : Verdict::no;
        for (auto judge = judges_.begin(); judge != judges_.end() && least != Verdict::no; ++judge)
            least = std::min(least, ask(**judge, place));
        return least;
    }

    void decide(std::uint32_t place, std::pmr::vector<Found> &found) {
        double score = 0;
        if (!scores_.empty()) {
            score = scores_[place];
            scores_[place] = 0;
        }
        if (is_excluded(begin_ + place))
            return;
        if (anything_) {
            found.push_back({score, begin_ + place, false, false});
            return;
        }
        const Verdict decided = verdict(place);
        if (decided == Verdict::no)
            return;
        // Without a judge, a document that does not meet it has no score anyway.
        const Verdict scored = search_.scored && search_.scored->judge != nullptr
                                   ? ask(*search_.scored->judge, place)
                                   : Verdict::yes;
        found.push_back({scored == Verdict::no ? 0 : score, begin_ + place,
                         decided == Verdict::maybe, scored == Verdict::maybe});
    }

    void emit(std::pmr::vector<Found> &found) {
        if (!anything_)
            meet();
        if (everything_) {
            const std::uint32_t end = std::min(window_documents, end_ - begin_);
            for (std::uint32_t place = 0; place < end; ++place)
                decide(place, found);
            return;
        }
        for (std::size_t word = 0; word < candidates_.size(); ++word) {
            for (std::uint64_t rest = candidates_[word]; rest != 0; rest &= rest - 1) {
                decide(static_cast<std::uint32_t>(word * 64) +
                           static_cast<std::uint32_t>(std::countr_zero(rest)),
                       found);
            }
        }
    }

    Segment &segment_;
    const Search &search_;
    std::uint32_t end_;                         // of the stretch
    std::pmr::vector<std::uint32_t> next_;      // by term, in its list's block
    std::pmr::vector<std::size_t> next_in_set_; // by set
    bool anything_;
    std::pmr::vector<Bits> has_;       // by number, in the window; empty if that does not matter
    std::pmr::vector<Judge *> judges_; // of the conditions
    Bits candidates_;
    Bits met_;
    std::pmr::vector<double> scores_; // zero between windows
    std::span<const std::uint32_t>::iterator excluded_;
    bool everything_;
    std::uint32_t begin_ = 0; // of the window
    std::uint32_t next_window_;
    text::Pause pause_;
};

} // namespace

void read_parts(Segment &segment, const Search &search, std::span<const std::uint32_t> ordinals,
                std::span<double> parts) {
    text::Pause pause(*search.interruption);
    for (std::size_t term = 0; term < search.lists.size(); ++term) {
        PostingList &list = search.lists[term];
        list.rewind();
        for (std::size_t at = 0; at < ordinals.size() && search.weights[term] > 0; ++at) {
            pause.step();
            if (!list.seek(ordinals[at]))
                break;
            const auto known = std::span(list.block().ordinals).first(list.block().size);
            const auto found = std::lower_bound(known.begin(), known.end(), ordinals[at]);
            if (*found != ordinals[at])
                continue;
            const std::uint32_t count =
                list.block().counts[static_cast<std::size_t>(found - known.begin())];
            parts[at * search.lists.size() + term] =
                (*search.scores)(search.weights[term], count, segment.kept_length(ordinals[at]));
        }
        list.rewind();
    }
}

void find(Segment &segment, const Search &search, Stretch stretch, std::pmr::vector<Found> &found,
          std::pmr::memory_resource *memory) {
    Finder(segment, search, stretch, memory).run(found);
}

} // namespace memory::segment
