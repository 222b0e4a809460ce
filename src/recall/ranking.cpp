// Runs the arms that a call asks for, and chooses its rows.
#include "recall/ranking.h"

#include "pg/error.h"
#include "rank/cosine.h"
#include "rank/diversity.h"
#include "recall/texts.h"
#include "text/interruption_sql.h"

#include <cmath>

namespace memory::recall {

namespace {

// Diversity puts so many rows at a time in its order: the first hundred, the second, and so on,
// whatever k is, so that pages do not overlap.
constexpr std::size_t diverse_pool = 100;

} // namespace

Ranking::Ranking(const Request &request, const access::Tenant &tenant,
                 std::pmr::memory_resource *memory)
    : request_(request), tenant_(tenant), memory_(memory), snapshot_(GetActiveSnapshot()),
      table_(tenant), rows_(table_, tenant, snapshot_, request.fading, request.by_kind, memory),
      vector_(memory), lexical_hits_(memory) {
    const std::pmr::vector<rank::Row> expired = rows_.expired();
    const bool filtered = request.filter.any() || !table_.readable_whole();
    if (request.query) {
        find_lexical(expired);
        ask_of_rows();
    }
    if (request.embedding != nullptr)
        find_vector(expired, filtered);
    lexical_arm_.emplace(lexical_hits_, memory,
                         lexical_ ? std::span<const double>(lexical_->found().by_query)
                                  : std::span<const double>());
    if (coded_)
        vector_arm_.emplace(*coded_, memory);
    else
        vector_arm_.emplace(vector_, memory);
    query_ = hybrid_query();
    hybrid_.emplace(query_, *lexical_arm_, *vector_arm_, rows_, memory,
                    lexical_ ? &*lexical_ : nullptr);
    if (filtered)
        hybrid_->keep(rows_.passing(request.filter));
}

void Ranking::find_lexical(std::span<const rank::Row> expired) {
    std::pmr::vector<codec::Tid> hidden(memory_);
    for (const rank::Row &row : expired)
        hidden.push_back(codec::tid_of(row.place));
    const std::array scope{tenant_.name_space, tenant_.user};
    lexical_.emplace(table_.by_text(), table_.heap(), snapshot_, scope, hidden,
                     index::Words{*request_.query, request_.fuzzy}, memory_);
    const std::span<const index::Match> matches = lexical_->found().matches;
    lexical_hits_.reserve(matches.size());
    for (const index::Match &match : matches)
        lexical_hits_.push_back({match.score, place_of(match.tid)});
}

// Rows of what the query names, and where its words stand as in the query.
void Ranking::ask_of_rows() {
    const rank::Signals signals = signals_setting();
    if (signals.dates)
        rows_.prefer(dates_of_query(*request_.query, request_.filter.until, memory_));
    if (signals.names)
        rows_.look_for(speakers_.emplace(table_.by_text(), lexical_->found().terms, memory_));
    if (signals.order)
        rows_.look_for(
            order_.emplace(table_.by_text(), *request_.query, lexical_->found().terms, memory_));
}

// An index knows the best of all rows, not of those that pass a filter. It may be that all the
// expired ones are better than those that are wanted.
void Ranking::find_vector(std::span<const rank::Row> expired, bool filtered) {
    if (!filtered) {
        vectors_.emplace(tenant_, request_.model, snapshot_, memory_);
        coded_.emplace(
            models::VectorQuestion{tenant_, request_.model, *request_.embedding, snapshot_},
            *vectors_, expired, memory_);
        if (coded_->begin(wanted(), models::ArmUse{}))
            return;
        coded_.reset();
    }
    const auto best = filtered ? std::nullopt : std::optional(wanted() + expired.size());
    vector_ = similar(tenant_, request_.model, *request_.embedding, 0, best, Use::ranks, memory_);
    if (expired.empty())
        return;
    rank::Positions<rank::RowId> gone(memory_);
    for (const rank::Row &row : expired)
        gone.put(row.order.id, 0);
    std::erase_if(vector_, [&](const auto &hit) { return gone.find(hit.key).has_value(); });
}

// The place behind the last row that the call answers with. Rows are counted in 32 bits.
std::size_t Ranking::end() const {
    return std::min(static_cast<std::size_t>(request_.skip + request_.k), std::size_t{UINT32_MAX});
}

// How many rows the ranking is to give.
std::size_t Ranking::wanted() const {
    return request_.diversity > 0 ? (end() + diverse_pool - 1) / diverse_pool * diverse_pool
                                  : end();
}

rank::HybridQuery Ranking::hybrid_query() const {
    const bool both = request_.query && request_.embedding != nullptr;
    rank::HybridQuery query;
    query.k = wanted();
    query.fusion = request_.fusion;
    query.alpha = both ? *request_.alpha
                       : rank::single_arm_alpha(request_.fusion, request_.embedding != nullptr,
                                                *request_.alpha);
    query.rrf_k = request_.rrf_k;
    if (lexical_) {
        query.most = lexical_->found().most;
        query.documents = lexical_->found().corpus.documents;
        query.average_length = lexical_->found().corpus.average_length();
    }
    query.min_relevance = request_.min_relevance;
    query.half_life = request_.half_life;
    query.now = GetCurrentStatementStartTimestamp();
    query.context_weight = request_.context_weight;
    query.signals = signals_setting();
    return query;
}

std::pmr::vector<rank::HybridRow> Ranking::best() {
    std::pmr::vector<rank::HybridRow> ranked = hybrid_->best();
    matched_ = !ranked.empty();
    if (request_.diversity > 0)
        return diverse(ranked);
    const auto skipped = std::min(static_cast<std::size_t>(request_.skip), ranked.size());
    ranked.erase(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(skipped));
    return ranked;
}

// Of the pools that the rows answered with are in.
std::pmr::vector<rank::HybridRow> Ranking::diverse(std::span<const rank::HybridRow> ranked) {
    const auto begin = static_cast<std::size_t>(request_.skip);
    const std::size_t end = std::min(this->end(), ranked.size());
    std::pmr::vector<rank::HybridRow> rows(memory_);
    for (std::size_t from = begin - begin % diverse_pool; from < end; from += diverse_pool) {
        const auto pool = ranked.subspan(from, std::min(diverse_pool, ranked.size() - from));
        const std::size_t count = std::min(end - from, pool.size());
        const std::pmr::vector<std::size_t> order = diverse_order(pool, count);
        for (std::size_t at = std::max(begin, from) - from; at < order.size(); ++at)
            rows.push_back(pool[order[at]]);
    }
    return rows;
}

std::pmr::vector<std::size_t> Ranking::diverse_order(std::span<const rank::HybridRow> pool,
                                                     std::size_t count) {
    std::pmr::vector<rank::RowId> ids(memory_);
    std::pmr::vector<double> scores(memory_);
    for (const rank::HybridRow &row : pool) {
        ids.push_back(row.row.order.id);
        scores.push_back(row.score);
    }
    const auto chosen = [&](auto &&similarity) {
        return rank::diversified(scores, request_.diversity, count, memory_, similarity,
                                 text::server_interruption);
    };
    if (const auto vectors = embeddings_of(tenant_, request_.model, ids, memory_))
        return chosen([&](std::size_t a, std::size_t b) {
            const std::span<const float> one = (*vectors)[a]->elements();
            const std::span<const float> other = (*vectors)[b]->elements();
            return one.size() == other.size() ? rank::Cosine(one).with(other) : 0;
        });
    return chosen(Likeness(tenant_, table_.by_text(), ids, memory_));
}

std::optional<Ranking::Weights> Ranking::vector_weights() const {
    if (!coded_ || query_.fusion != rank::Fusion::blend)
        return std::nullopt;
    const codec::CosineFigures &all = coded_->surveyed();
    const auto weight = [&](double errors) {
        rank::Scale scale = hybrid_->scale();
        const double count = std::max(0.0, all.count + errors * all.count_error);
        scale.vector_height = rank::height_of(scale.vector, all.mean + errors * all.mean_error,
                                              all.deviation + errors * all.deviation_error,
                                              static_cast<std::size_t>(std::lround(count)));
        return rank::blend_weight(query_.alpha, scale);
    };
    return Weights{weight(codec::usual_certainty), weight(-codec::usual_certainty)};
}

std::optional<rank::HybridRow> Ranking::standing(const rank::RowId &id) {
    return hybrid_->standing(id);
}

} // namespace memory::recall
