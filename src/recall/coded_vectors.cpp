// Reads rows by their codes, and others by the primary key; all are compared where that is cheaper.
#include "recall/coded_vectors.h"

#include <cmath>

namespace memory::recall {

namespace {

// Fewer are compared at once.
constexpr std::size_t least_codes = 2000;

// The best rows that the ranking reads in any case.
constexpr std::size_t least_wanted = 64;

// Of the rows that are wanted, of those that have expired, and of codes whose rows are gone, how
// many times as many codes there must be.
constexpr std::size_t codes_a_wanted = 16;
constexpr std::size_t codes_a_gone = 20;

// One row by its id takes as long as so many in the order of the table, about.
constexpr std::size_t rows_an_id = 6;

} // namespace

CodedVectors::CodedVectors(const access::Tenant &tenant, std::string_view model,
                           const pg::Vector &embedding, Snapshot snapshot,
                           std::span<const rank::Row> expired, std::pmr::memory_resource *memory)
    : tenant_(tenant), model_(model), embedding_(embedding), snapshot_(snapshot), memory_(memory),
      scan_(tenant, model, snapshot, memory), gone_(memory), nearest_(memory), above_(memory) {
    for (const rank::Row &row : expired)
        gone_.put(row.order.id, 0);
}

bool CodedVectors::begin(std::size_t wanted) {
    const Relation index = scan_.allowed() ? scan_.codes() : nullptr;
    if (index == nullptr)
        return false;
    comparison_.emplace(model_, embedding_);
    const std::array scope{tenant_.name_space, tenant_.user, model_};
    codes_.emplace(index, snapshot_, scope, embedding_.elements(), 0, 0, memory_);
    const std::size_t codes = codes_->codes();
    return codes >= least_codes && wanted <= codes / codes_a_wanted &&
           gone_.size() <= codes / codes_a_gone && survey() &&
           read_nearest(std::max(wanted, least_wanted));
}

// False where too many codes are of rows that are not seen.
bool CodedVectors::survey() {
    codec::CodeSurvey survey(codes_->estimates(), memory_);
    std::size_t asked = survey.sample().size();
    std::size_t seen = 0;
    const pg::SwitchedContext switched(comparison_->brought());
    const auto each = [&](std::span<const codec::Tid> places, auto &&keep) {
        scan_.each_at(places, codes_->codes(), [&](const VectorScan::Stored &stored) {
            ++seen;
            if (const auto found = hit(stored))
                keep(found->score);
        });
    };
    each(survey.sample(), [&](double cosine) { survey.keep_sampled(cosine); });
    while (const auto place = survey.next_low()) {
        ++asked;
        each(std::span(&*place, 1), [&](double cosine) { survey.keep_low(cosine); });
    }
    const codec::CosineFigures all = survey.figures();
    figures_ = {static_cast<std::size_t>(std::lround(all.count)), all.lowest, all.mean,
                all.deviation};
    return (asked - std::min(asked, seen)) * codes_a_gone <= asked;
}

rank::ArmFigures CodedVectors::figures() { return figures_; }

// Nothing for a row that does not match.
std::optional<CodedVectors::Hit> CodedVectors::hit(const VectorScan::Stored &stored) {
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
    std::array<codec::Tid, VectorScan::at_once> places;
    while (const std::size_t count = codes_->next(places)) {
        pg::check_for_interrupts();
        if (!codes_->spare())
            return false;
        scan_.each_at(std::span(places).first(count), codes_->codes(),
                      [this](const VectorScan::Stored &stored) {
                          if (const auto found = hit(stored)) {
                              codes_->keep(found->score);
                              nearest_.push_back(*found);
                          }
                      });
    }
    return true;
}

// All rows, by their ids.
std::span<const CodedVectors::Hit> CodedVectors::all() {
    if (!all_) {
        all_.emplace(memory_);
        scan_.find();
        const pg::SwitchedContext switched(comparison_->brought());
        scan_.each([this](const VectorScan::Stored &stored) {
            if (const auto found = hit(stored))
                all_->push_back(*found);
        });
        std::ranges::sort(*all_, {}, &Hit::key);
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
    rank::put_in_order(nearest_);
    std::size_t end = std::min(count, nearest_.size());
    while (end > 0 && end < nearest_.size() && nearest_[end].score == nearest_[end - 1].score)
        ++end;
    const auto last = nearest_.begin() + static_cast<std::ptrdiff_t>(end);
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
    scan_.each_of(ids, [&](const VectorScan::Stored &stored) {
        const auto place = std::lower_bound(ids.begin(), ids.end(), stored.id);
        if (const auto found = hit(stored); found && place != ids.end() && *place == stored.id)
            scores[static_cast<std::size_t>(place - ids.begin())] = found->score;
    });
}

std::size_t CodedVectors::above(double score) {
    const auto read = static_cast<std::size_t>(std::count_if(
        nearest_.begin(), nearest_.end(), [score](const Hit &one) { return one.score > score; }));
    if (read_all_)
        return read;
    if (counted_at_ != codes_->read())
        count_estimates();
    return read + above_[std::min(static_cast<std::size_t>(score * drawers), drawers - 1)];
}

// Of each drawer, rows whose estimates are in it or above.
void CodedVectors::count_estimates() {
    counted_at_ = codes_->read();
    above_.assign(drawers, 0);
    for (const codec::EstimatedRow &one : codes_->estimates().rows)
        if (one.cosine > 0)
            ++above_[std::min(static_cast<std::size_t>(one.cosine * drawers), drawers - 1)];
    for (std::size_t drawer = drawers - 1; drawer > 0; --drawer)
        above_[drawer - 1] += above_[drawer];
}

} // namespace memory::recall
