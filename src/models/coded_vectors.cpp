// Reads rows by their codes, and others by the primary key; all are compared where that is cheaper.
#include "models/coded_vectors.h"

#include <cmath>
#include <limits>

namespace memory::models {

namespace {

// Fewer are compared at once: of 1,000 that takes as long, of 2,000 an eighth longer
// (docs/codes.md). So are vectors of fewer dimensions: dozens of them are on a page, and one that
// is read by itself takes some pages.
constexpr std::size_t least_codes = 2000;
constexpr std::size_t least_dimensions = 64;

// The best rows that the ranking reads in any case.
constexpr std::size_t least_wanted = 64;

// Of the rows that are wanted, of those that have expired, and of codes whose rows are gone, how
// many times as many codes there must be.
constexpr std::size_t codes_a_wanted = 16;
constexpr std::size_t codes_a_gone = 20;

// One row by its id takes as long as so many in the order of the table, about.
constexpr std::size_t rows_an_id = 6;

// So many rows say which part of all may be answered with. Where it is less than this, all of the
// part are compared.
constexpr std::size_t share_sample = 128;
constexpr double least_share = 1.0 / 8;

constexpr double given_already = std::numeric_limits<double>::infinity();

} // namespace

CodedVectors::CodedVectors(const VectorQuestion &question, StoredVectors &vectors,
                           std::span<const rank::Row> expired, std::pmr::memory_resource *memory)
    : question_(question), vectors_(vectors), memory_(memory), gone_(memory), nearest_(memory),
      of_(memory), best_(memory), above_(memory) {
    for (const rank::Row &row : expired)
        gone_.put(row.order.id, 0);
}

bool CodedVectors::begin(std::size_t wanted, const ArmUse &use) {
    const Relation index =
        question_.embedding.elements().size() < least_dimensions ? nullptr : vectors_.codes();
    if (index == nullptr)
        return false;
    comparison_.emplace(question_.model, question_.embedding);
    const std::array scope{question_.tenant.name_space, question_.tenant.user, question_.model};
    codes_.emplace(index, question_.snapshot, scope, question_.embedding.elements(), 0, 0, memory_);
    const std::size_t codes = codes_->codes();
    return codes >= least_codes && wanted <= codes / codes_a_wanted &&
           gone_.size() <= codes / codes_a_gone && (!vectors_.is_filtered() || many_may_come()) &&
           (!use.by_scores || survey(use)) && read_nearest(std::max(wanted, least_wanted));
}

// Whether enough of the rows may be answered with; notes which part. Rows come evenly from all.
bool CodedVectors::many_may_come() {
    const std::span<const codec::EstimatedRow> rows = codes_->estimates().rows;
    std::pmr::vector<codec::Tid> sample(memory_);
    for (std::size_t at = 0; at < share_sample; ++at)
        sample.push_back(rows[at * rows.size() / share_sample].row);
    std::size_t come = 0;
    const pg::SwitchedContext switched(comparison_->brought());
    vectors_.each_at(sample, codes_->codes(), [&](const StoredVectors::Stored &) { ++come; });
    share_ = std::min(1.0, static_cast<double>(come) / share_sample);
    return share_ >= least_share;
}

// False where too many codes are of rows that do not come. Without words that matters little: of
// the figures the lowest cosine counts alone, and only in what the scores are.
bool CodedVectors::survey(const ArmUse &use) {
    codec::CodeSurvey survey(codes_->estimates(), memory_);
    std::size_t asked = survey.sample().size();
    std::size_t seen = 0;
    const pg::SwitchedContext switched(comparison_->brought());
    const auto each = [&](std::span<const codec::Tid> places, auto &&keep) {
        vectors_.each_at(places, codes_->codes(), [&](const StoredVectors::Stored &stored) {
            ++seen;
            const auto found = hit(stored);
            keep(found ? found->score : 0);
        });
    };
    each(survey.sample(), [&](double cosine) { survey.keep_sampled(cosine); });
    while (const auto place = survey.next_low()) {
        ++asked;
        each(std::span(&*place, 1), [&](double cosine) { survey.keep_low(cosine); });
    }
    surveyed_ = survey.figures();
    return !use.beside_words || (asked - std::min(asked, seen)) * codes_a_gone <= asked;
}

rank::ArmFigures CodedVectors::figures() {
    return {static_cast<std::size_t>(std::lround(share_ * surveyed_.count)), surveyed_.lowest,
            surveyed_.mean, surveyed_.deviation};
}

// Nothing for a row that does not match.
std::optional<CodedVectors::Hit> CodedVectors::hit(const StoredVectors::Stored &stored) {
    const auto cosine = comparison_->cosine(*stored.vector);
    if (!cosine || !(*cosine > 0) || gone_.find(stored.id))
        return std::nullopt;
    return Hit{*cosine, stored.id};
}

// Reads what may be among so many of the best, given or not. False where comparing all is cheaper.
bool CodedVectors::read_nearest(std::size_t wanted) {
    if (wanted > wanted_)
        codes_->want(wanted - std::exchange(wanted_, wanted));
    const pg::SwitchedContext switched(comparison_->brought());
    std::pmr::vector<codec::Tid> places(vectors_.at_once(), memory_);
    while (const std::size_t count = codes_->next(places)) {
        pg::check_for_interrupts();
        if (!codes_->spare())
            return false;
        vectors_.each_at(std::span(places).first(count), codes_->codes(),
                         [this](const StoredVectors::Stored &stored) {
                             if (const auto found = hit(stored))
                                 add_nearest(*found);
                         });
    }
    return true;
}

// What has several vectors counts for the rule by the first of them that was read, though another
// may have a larger cosine: so the rule reads on a little further.
void CodedVectors::add_nearest(const Hit &found) {
    const auto known = of_.find(found.key);
    if (!known) {
        of_.put(found.key, static_cast<std::uint32_t>(best_.size()));
        best_.push_back(found.score);
        codes_->keep(found.score);
    } else if (found.score > best_[*known]) {
        best_[*known] = found.score;
    } else {
        return;
    }
    nearest_.push_back(found);
}

// What has a better cosine stands by that alone.
void CodedVectors::put_nearest_in_order() {
    if (!read_all_)
        std::erase_if(nearest_,
                      [this](const Hit &one) { return one.score < best_[*of_.find(one.key)]; });
    rank::put_in_order(nearest_);
}

// All rows, by their ids.
std::span<const CodedVectors::Hit> CodedVectors::all() {
    if (!all_) {
        all_.emplace(memory_);
        const pg::SwitchedContext switched(comparison_->brought());
        vectors_.each_of_all([this](const StoredVectors::Stored &stored) {
            if (const auto found = hit(stored))
                all_->push_back(*found);
        });
        std::ranges::sort(*all_, [](const Hit &a, const Hit &b) {
            return a.key != b.key ? a.key < b.key : a.score > b.score;
        });
        all_->erase(std::unique(all_->begin(), all_->end(),
                                [](const Hit &a, const Hit &b) { return a.key == b.key; }),
                    all_->end());
    }
    return *all_;
}

// All that have not been given.
void CodedVectors::read_all(std::span<const Hit> given) {
    read_all_ = true;
    rank::Positions<rank::RowId> known(memory_);
    for (const Hit &one : given)
        known.put(one.key, 0);
    nearest_.clear();
    for (const Hit &one : all())
        if (!known.find(one.key))
            nearest_.push_back(one);
}

void CodedVectors::more(std::size_t count, std::pmr::vector<Hit> &hits) {
    if (!read_all_ && !read_nearest(hits.size() + count))
        read_all(hits);
    put_nearest_in_order();
    std::size_t end = std::min(count, nearest_.size());
    while (end > 0 && end < nearest_.size() && nearest_[end].score == nearest_[end - 1].score)
        ++end;
    const auto last = nearest_.begin() + static_cast<std::ptrdiff_t>(end);
    if (!read_all_)
        std::for_each(nearest_.begin(), last,
                      [this](const Hit &one) { best_[*of_.find(one.key)] = given_already; });
    hits.insert(hits.end(), nearest_.begin(), last);
    nearest_.erase(nearest_.begin(), last);
}

void CodedVectors::read(std::span<const rank::RowId> ids, std::span<double> scores) {
    asked_ += ids.size();
    if (all_ || asked_ * rows_an_id > codes_->codes()) {
        for (std::size_t at = 0; at < ids.size(); ++at) {
            const auto found = std::ranges::lower_bound(all(), ids[at], {}, &Hit::key);
            scores[at] = found != all().end() && found->key == ids[at] ? found->score : 0;
        }
        return;
    }
    std::fill(scores.begin(), scores.end(), 0.0);
    const pg::SwitchedContext switched(comparison_->brought());
    vectors_.each_of(ids, [&](const StoredVectors::Stored &stored) {
        const auto place = std::lower_bound(ids.begin(), ids.end(), stored.id);
        if (const auto found = hit(stored); found && place != ids.end() && *place == stored.id) {
            double &score = scores[static_cast<std::size_t>(place - ids.begin())];
            score = std::max(score, found->score);
        }
    });
}

std::size_t CodedVectors::above(double score) {
    const auto read = static_cast<std::size_t>(std::count_if(
        nearest_.begin(), nearest_.end(), [score](const Hit &one) { return one.score > score; }));
    if (read_all_)
        return read;
    if (counted_at_ != codes_->read())
        count_estimates();
    const auto drawer = std::min(static_cast<std::size_t>(score * drawers), drawers - 1);
    return read + static_cast<std::size_t>(share_ * static_cast<double>(above_[drawer]));
}

// Of each drawer, rows whose estimates are in it or above.
void CodedVectors::count_estimates() {
    counted_at_ = codes_->read();
    above_.assign(drawers, 0);
    const codec::Estimates estimates = codes_->estimates();
    for (const auto &rows : {estimates.rows, estimates.passed})
        for (const codec::EstimatedRow &one : rows)
            if (one.cosine > 0)
                ++above_[std::min(static_cast<std::size_t>(one.cosine * float{drawers}),
                                  drawers - 1)];
    for (std::size_t drawer = drawers - 1; drawer > 0; --drawer)
        above_[drawer - 1] += above_[drawer];
}

std::pmr::vector<rank::HybridRow>
best_with_vectors(rank::Gathered &found, const rank::HybridQuery &query,
                  const VectorQuestion &question, StoredVectors &vectors, std::size_t wanted,
                  const ArmUse &use, std::pmr::memory_resource *memory) {
    CodedVectors coded(question, vectors, {}, memory);
    if (coded.begin(wanted, use))
        return found.best(query, coded);
    Comparison comparison(question.model, question.embedding);
    {
        const pg::SwitchedContext switched(comparison.brought());
        vectors.each_of_all([&](const StoredVectors::Stored &stored) {
            if (const auto cosine = comparison.cosine(*stored.vector); cosine && *cosine > 0)
                found.add_vector(stored.id, *cosine);
        });
    }
    comparison.check();
    return found.best(query);
}

} // namespace memory::models
