// One arm of a hybrid ranking: rows with their scores, put in order as far as is asked for.
#pragma once

#include "rank/fusion.h"
#include "rank/lending.h"
#include "rank/order.h"
#include "rank/positions.h"
#include "rank/top_k.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <type_traits>

namespace memory::rank {

using RowId = std::array<std::uint8_t, 16>;

// A row, as far as ranking must know it. The lexical arm knows it by its place, the vector arm by
// its id.
struct Row {
    std::uint64_t place = 0;
    NewerThenId order{};
    double importance = 1;
    std::uint32_t session = 0; // 0: none
    bool fades = true;         // where there is a half-life
    Voice voice = Voice::none;
};

// The name by which an arm knows a row.
template <class Name>
const Name &name_of(const Row &row) {
    if constexpr (std::is_same_v<Name, RowId>)
        return row.order.id;
    else
        return row.place;
}

// The rows that are known, by both of their names.
class KnownRows {
  public:
    explicit KnownRows(std::pmr::memory_resource *memory)
        : rows_(memory), by_place_(memory), by_id_(memory) {}

    std::size_t size() const { return rows_.size(); }
    const Row &operator[](std::uint32_t number) const { return rows_[number]; }

    // The number of a row, which is new or known already.
    std::uint32_t add(const Row &row) {
        if (const auto known = by_id_.find(row.order.id))
            return *known;
        const auto number = static_cast<std::uint32_t>(rows_.size());
        rows_.push_back(row);
        by_place_.put(row.place, number);
        by_id_.put(row.order.id, number);
        return number;
    }

    std::optional<std::uint32_t> find(const std::uint64_t &place) const {
        return by_place_.find(place);
    }
    std::optional<std::uint32_t> find(const RowId &id) const { return by_id_.find(id); }

  private:
    std::pmr::vector<Row> rows_;
    Positions<std::uint64_t> by_place_;
    Positions<RowId> by_id_;
};

// Where rows that are not known yet come from. A name that no row has brings none.
class RowSource {
  public:
    virtual ~RowSource() = default;
    // Called every now and then in long work; may throw to end it.
    virtual void pause() {}
    virtual void fetch(std::span<const std::uint64_t> places, KnownRows &rows) = 0;
    virtual void fetch(std::span<const RowId> ids, KnownRows &rows) = 0;
};

// What all scores of an arm are like.
struct ArmFigures {
    std::size_t count = 0;
    double lowest = 0;
    double mean = 0;
    double deviation = 0;
};

// The rows of an arm of which not all have been looked at.
template <class Name>
class ArmRest {
  public:
    virtual ~ArmRest() = default;
    // Of all rows, hits or not.
    virtual ArmFigures figures() = 0;
    // Adds the best of those that are no hits yet, best first: at least `count`, and all of the
    // last one's score; fewer when there are no more.
    virtual void more(std::size_t count, std::pmr::vector<Scored<Name>> &hits) = 0;
    // The scores of these rows; 0 where there is none.
    virtual void read(std::span<const Name> names, std::span<double> scores) = 0;
    // About how many that are no hits have a score above this.
    virtual std::size_t above(double score) = 0;
};

// Hits are in the order of their scores from the beginning; those of one score are put in the
// order of NewerThenId when a rank among them is asked for, since only then their rows must be
// fetched.
//
// Where not all rows have been looked at, hits are the best of them: more come when they are taken.
// Of another row the score is read when it is asked for, and its rank is an estimate.
template <class Name>
class Arm {
  public:
    using Hit = Scored<Name>;

    // Scores are above 0, names distinct. `plain` has for each hit the part of its score that the
    // query alone gives, or is empty where that is all of it. All of them must outlive it.
    Arm(std::span<const Hit> hits, std::pmr::memory_resource *memory,
        std::span<const double> plain = {})
        : memory_(memory), hits_(hits), plain_(plain), by_name_(memory),
          ranking_(hits.begin(), hits.end(), memory), settled_(memory), come_(memory),
          asked_(memory), asked_scores_(memory) {
        put_in_order(ranking_);
        settled_.resize(ranking_.size());
        for (const Hit &hit : ranking_)
            sum_of_scores_ += hit.score;
    }

    // `rest` must outlive it.
    Arm(ArmRest<Name> &rest, std::pmr::memory_resource *memory)
        : Arm(std::span<const Hit>(), memory) {
        rest_ = &rest;
        figures_ = rest.figures();
        come(lead_sample);
    }

    // Only these rows are ranked from now on; the others still have their scores. Before anything
    // was taken, and where there is no rest.
    void keep(const KnownRows &rows) {
        assert(rest_ == nullptr);
        std::erase_if(ranking_, [&](const Hit &hit) { return !rows.find(hit.key); });
        settled_.resize(ranking_.size());
    }

    // How many are ranked, and how many of these, the best, have been taken.
    std::size_t size() const { return ranking_.size(); }
    std::size_t taken() const { return taken_; }
    // Whether there are rows that are no hits.
    bool has_rest() const { return rest_ != nullptr; }
    double best() const { return ranking_.empty() ? 0 : ranking_.front().score; }
    double worst() const {
        return has_rest() ? figures_.lowest : ranking_.empty() ? 0 : ranking_.back().score;
    }
    // How many there are to rank: size(), or about so many.
    std::size_t count() const { return has_rest() ? figures_.count : size(); }

    // How far the best stands out; nothing where there are too few to tell.
    std::optional<double> lead() const {
        std::array<double, lead_sample> best{};
        const std::size_t count = std::min(size(), best.size());
        for (std::size_t at = 0; at < count; ++at)
            best[at] = ranking_[at].score;
        return lead_of(std::span(best).first(count));
    }

    // How high the best stands over all; nothing where that says nothing.
    std::optional<double> height() const {
        if (has_rest())
            return height_of(best(), figures_.mean, figures_.deviation, figures_.count);
        const auto count = static_cast<double>(size());
        double sum = 0;
        for (const Hit &hit : ranking_)
            sum += hit.score;
        double squares = 0;
        for (const Hit &hit : ranking_)
            squares += (hit.score - sum / count) * (hit.score - sum / count);
        return height_of(best(), sum / count, std::sqrt(squares / count), size());
    }

    // What the best of those not taken has, at most; unranked when all are taken.
    Standing next() const {
        if (taken_ < size())
            return {rank_at(taken_), ranking_[taken_].score};
        return beyond();
    }

    // Takes at least `count` more, if there are so many, up to the end of those of one score.
    // Their numbers among `rows` are added to `numbers`.
    void take(std::size_t count, KnownRows &rows, RowSource &source,
              std::pmr::vector<std::uint32_t> &numbers) {
        come(taken_ + count);
        const std::size_t wanted = std::min(taken_ + count, size());
        while (taken_ < wanted) {
            const std::size_t from = taken_;
            taken_ = std::max(wanted, from + 1);
            while (taken_ < size() && ranking_[taken_].score == ranking_[taken_ - 1].score)
                ++taken_;
            taken_ = settle(from, taken_, rows, source);
            for (std::size_t at = from; at < taken_; ++at)
                numbers.push_back(*rows.find(ranking_[at].key));
        }
    }

    // Which of the hits a row is; nothing if the arm does not know it.
    std::optional<std::uint32_t> hit(const Name &name) {
        const auto name_at = [this](std::uint32_t at) -> const Name & { return hits_[at].key; };
        if (by_name_.empty())
            by_name_.fill(static_cast<std::uint32_t>(hits_.size()), name_at);
        return by_name_.find(name, name_at);
    }

    // 0 if the arm does not know the row.
    double score(const Name &name) {
        if (const auto at = hit(name))
            return hits_[*at].score;
        if (!has_rest())
            return 0;
        if (!asked_.find(name))
            bring(std::span(&name, 1));
        return asked_scores_[*asked_.find(name)];
    }

    // Reads scores that will be asked for: together that takes less time.
    void bring(std::span<const Name> names) {
        std::pmr::vector<Name> missing(memory_);
        if (has_rest())
            std::copy_if(names.begin(), names.end(), std::back_inserter(missing),
                         [this](const Name &name) { return !hit(name) && !asked_.find(name); });
        if (missing.empty())
            return;
        make_distinct(missing);
        const std::size_t before = asked_scores_.size();
        asked_scores_.resize(before + missing.size());
        rest_->read(missing, std::span(asked_scores_).subspan(before));
        for (std::size_t at = 0; at < missing.size(); ++at)
            asked_.put(missing[at], static_cast<std::uint32_t>(before + at));
    }

    // What the query alone gives a row of this score.
    double plain_score(const Name &name, double score) {
        const auto at = plain_.empty() || score == 0 ? std::nullopt : hit(name);
        return at ? plain_[*at] : score;
    }

    // Of all hits, those not kept too. Their order does not show.
    double sum_of_scores() const { return sum_of_scores_; }

    // The best that standing() can say of a row, without fetching those of the same score and
    // without reading it.
    Standing at_best(const Row &row) {
        const Name &name = name_of<Name>(row);
        const auto at = hit(name);
        if (!at && has_rest())
            return without_hit(name);
        const double its = at ? hits_[*at].score : 0;
        const auto [from, to] = range_of(its);
        return from < to ? Standing{rank_at(from), its} : Standing{};
    }

    // The same where only scores count, of a row that is ranked if the arm knows it.
    Standing without_rank(const Row &row) {
        const Name &name = name_of<Name>(row);
        const auto at = hit(name);
        const double its = at ? hits_[*at].score : has_rest() ? without_hit(name).score : 0;
        return its > 0 ? Standing{1, its} : Standing{};
    }

    // Where a row that is ranked, if the arm knows it at all, stands.
    Standing standing(const Row &row, KnownRows &rows, RowSource &source) {
        const Name &name = name_of<Name>(row);
        const double its = score(name);
        if (has_rest() && !hit(name))
            return its > 0 ? Standing{rank_at(size() + rest_->above(its)), its} : Standing{};
        auto [from, to] = range_of(its);
        if (to - from > 1 && !settled_[from])
            to = settle(from, to, rows, source);
        if (to - from > 1) {
            const auto at =
                std::lower_bound(ranking_.begin() + static_cast<std::ptrdiff_t>(from),
                                 ranking_.begin() + static_cast<std::ptrdiff_t>(to), row.order,
                                 [&](const Hit &hit, const NewerThenId &order) {
                                     return rows[*rows.find(hit.key)].order < order;
                                 });
            from = static_cast<std::size_t>(at - ranking_.begin());
        }
        return from < to && ranking_[from].key == name ? Standing{rank_at(from), its} : Standing{};
    }

  private:
    static std::uint32_t rank_at(std::size_t position) {
        return static_cast<std::uint32_t>(position + 1);
    }

    // Ranks so many, if there are so many.
    void come(std::size_t wanted) {
        if (!has_rest() || all_came_ || wanted <= size())
            return;
        const std::size_t before = come_.size();
        const std::size_t missing = wanted - size();
        rest_->more(missing, come_);
        all_came_ = come_.size() - before < missing;
        hits_ = come_;
        by_name_.fill(static_cast<std::uint32_t>(hits_.size()),
                      [this](std::uint32_t at) -> const Name & { return hits_[at].key; });
        ranking_.insert(ranking_.end(), come_.begin() + static_cast<std::ptrdiff_t>(before),
                        come_.end());
        settled_.resize(ranking_.size());
    }

    // No row that is no hit has more.
    Standing beyond() const {
        if (!has_rest() || all_came_ || come_.empty())
            return {};
        return {rank_at(size()), come_.back().score};
    }

    // The same of one of them.
    Standing without_hit(const Name &name) const {
        const auto asked = asked_.find(name);
        if (!asked)
            return beyond();
        const double its = asked_scores_[*asked];
        return its > 0 ? Standing{rank_at(size()), its} : Standing{};
    }

    // The places of those of one score; none of score 0.
    std::pair<std::size_t, std::size_t> range_of(double score) const {
        const auto [first, last] =
            std::equal_range(ranking_.begin(), ranking_.end(), Hit{score, {}},
                             [](const Hit &a, const Hit &b) { return a.score > b.score; });
        return {first - ranking_.begin(), last - ranking_.begin()};
    }

    // Puts whole groups of one score in their order. Hits whose rows do not come have no place:
    // they leave the ranking. Returns where the range ends now.
    std::size_t settle(std::size_t from, std::size_t to, KnownRows &rows, RowSource &source) {
        fetch_missing(from, to, rows, source);
        const auto at = [this](std::size_t position) {
            return ranking_.begin() + static_cast<std::ptrdiff_t>(position);
        };
        const auto end =
            std::remove_if(at(from), at(to), [&](const Hit &hit) { return !rows.find(hit.key); });
        const auto kept = static_cast<std::size_t>(end - ranking_.begin());
        ranking_.erase(end, at(to));
        settled_.erase(settled_.begin() + static_cast<std::ptrdiff_t>(kept),
                       settled_.begin() + static_cast<std::ptrdiff_t>(to));
        std::sort(at(from), at(kept), [&](const Hit &a, const Hit &b) {
            return a.score != b.score
                       ? a.score > b.score
                       : rows[*rows.find(a.key)].order < rows[*rows.find(b.key)].order;
        });
        std::fill(settled_.begin() + static_cast<std::ptrdiff_t>(from),
                  settled_.begin() + static_cast<std::ptrdiff_t>(kept), true);
        return kept;
    }

    void fetch_missing(std::size_t from, std::size_t to, KnownRows &rows, RowSource &source) {
        std::pmr::vector<Name> missing(memory_);
        for (std::size_t position = from; position < to; ++position)
            if (!rows.find(ranking_[position].key))
                missing.push_back(ranking_[position].key);
        if (!missing.empty())
            source.fetch(std::span<const Name>(missing), rows);
    }

    std::pmr::memory_resource *memory_;
    std::span<const Hit> hits_;
    std::span<const double> plain_;
    PositionsInArray by_name_; // in hits_
    std::pmr::vector<Hit> ranking_;
    std::pmr::vector<bool> settled_;
    double sum_of_scores_ = 0;
    std::size_t taken_ = 0;
    ArmRest<Name> *rest_ = nullptr;
    ArmFigures figures_;
    std::pmr::vector<Hit> come_; // the hits, where there is a rest
    bool all_came_ = false;
    Positions<Name> asked_; // in asked_scores_: rows that are no hits, or were none
    std::pmr::vector<double> asked_scores_;
};

} // namespace memory::rank
