// The numbers of <@>, and which scan may be asked for one.
#include "index/scores.h"

#include "pg/datum.h"
#include "pg/error.h"

#include <cmath>
#include <limits>

namespace memory::index {

constinit Scores *Scores::youngest_ = nullptr;

namespace {

constinit std::uint64_t rows_given_out = 0;

[[noreturn]] void throw_ambiguous() {
    throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED,
                    "<@> cannot tell which search of a recall index its row comes from")
        .hint(
            "Compute it where the rows are found: SELECT …, text <@> query AS distance … ORDER BY "
            "text <@> query, as a LATERAL subquery or a MATERIALIZED common table expression.");
}

} // namespace

Scores::Scores(MemoryContext execution, MemoryContext memory)
    : execution_(execution), resource_(memory), ordering_(&resource_), tenant_(&resource_),
      scores_(&resource_), older_(youngest_) {
    if (older_ != nullptr)
        older_->younger_ = this;
    youngest_ = this;
}

Scores::~Scores() {
    if (older_ != nullptr)
        older_->younger_ = younger_;
    (younger_ != nullptr ? younger_->older_ : youngest_) = older_;
}

void Scores::begin(Datum ordering, Key tenant, Oid dictionary) {
    const QueryView query = query_view(ordering);
    if (!ordering_.empty() && (!is_about(ordering) || tenant_ != tenant))
        moved_on_ = true;
    if (ordering_.empty() || moved_on_) {
        scores_.clear();
        ordering_ = pg::text_view(ordering);
        tenant_ = tenant;
    }
    source_ = query.source;
    is_plain_ = query.kind == QueryKind::plain;
    dictionary_ = dictionary;
    last_ = {};
}

void Scores::add(const Hit &hit) {
    last_ = hit;
    given_out_ = ++rows_given_out;
    if (!hit.has_text)
        return;
    const auto [known, is_new] = scores_.emplace(hit.fingerprint, hit.score);
    if (!is_new && known->second != hit.score)
        known->second = std::numeric_limits<double>::quiet_NaN();
}

Scores::Candidates Scores::candidates(MemoryContext execution, const Source &source) {
    Candidates found;
    for (Scores *one = youngest_; one != nullptr; one = one->older_) {
        if (one->execution_ != execution || one->ordering_.empty() || !(one->source_ == source))
            continue;
        ++found.count;
        if (found.newest == nullptr || one->given_out_ > found.newest->given_out_)
            found.newest = one;
    }
    return found;
}

bool Scores::is_about(Datum query) const { return pg::text_view(query) == ordering_; }

// The executor keeps rows back where their places are for their texts to say; all others are asked
// about before the next is given out.
std::optional<double> Scores::score_at_scan(const Question &question) {
    if (is_plain_ && last_.has_text && last_.fingerprint == text_fingerprint(question.text))
        return last_.score;
    return score_among_all(question.text);
}

// Of two texts with one fingerprint and two scores the fingerprint does not say which this is.
std::optional<double> Scores::score_among_all(std::string_view text) {
    const auto found = scores_.find(text_fingerprint(text));
    if (found == scores_.end())
        return std::nullopt;
    return std::isnan(found->second) ? rate(text) : std::optional(found->second);
}

std::optional<Scores::Known> Scores::known(std::optional<double> score) const {
    return score ? std::optional(Known{*score, dictionary_}) : std::nullopt;
}

std::optional<Scores::Known> Scores::find(const Question &question) {
    if (!question.source.is_known())
        return std::nullopt;
    Candidates scans = candidates(question.execution, question.source);
    if (question.at_scan && scans.count > 0 && (scans.count == 1 || scans.newest->is_plain_))
        return scans.newest->is_about(question.query)
                   ? scans.newest->known(scans.newest->score_at_scan(question))
                   : std::nullopt;
    // EvalPlanQual() executes the plan once more for the newest version of a row, in memory of its
    // own below the query's. The scan has not seen that version; it can rate it.
    const bool is_recheck = scans.count == 0;
    if (is_recheck)
        scans = candidates(MemoryContextGetParent(question.execution), question.source);
    if (scans.count == 0)
        return std::nullopt;
    if (scans.count > 1 || scans.newest->moved_on_)
        throw_ambiguous();
    Scores &scan = *scans.newest;
    if (!scan.is_about(question.query))
        return std::nullopt;
    return scan.known(is_recheck ? scan.rate(question.text) : scan.score_among_all(question.text));
}

} // namespace memory::index
