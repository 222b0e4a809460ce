// Runs the arms that a call asks for, and chooses its rows.
#include "recall/ranking.h"

#include "pg/error.h"
#include "rank/cosine.h"
#include "rank/diversity.h"
#include "recall/texts.h"
#include "text/interruption_sql.h"

namespace memory::recall {

namespace {

// Diversity chooses among so many of the best.
constexpr std::size_t pool_per_row = 4;
constexpr std::size_t least_pool = 50;

} // namespace

Ranking::Ranking(const Request &request, const access::Tenant &tenant,
                 std::pmr::memory_resource *memory)
    : request_(request), tenant_(tenant), memory_(memory), snapshot_(GetActiveSnapshot()),
      table_(tenant), rows_(table_, tenant, snapshot_, memory), lexical_(memory), vector_(memory),
      lexical_hits_(memory) {
    const std::pmr::vector<rank::Row> expired = rows_.expired();
    const bool filtered = request.filter.any() || !table_.readable_whole();
    if (request.query)
        find_lexical(expired);
    if (request.embedding != nullptr)
        find_vector(expired, filtered);
    lexical_arm_.emplace(lexical_hits_, memory);
    vector_arm_.emplace(vector_, memory);
    query_ = hybrid_query();
    hybrid_.emplace(query_, *lexical_arm_, *vector_arm_, rows_, memory);
    if (filtered)
        hybrid_->keep(rows_.passing(request.filter));
}

void Ranking::find_lexical(std::span<const rank::Row> expired) {
    std::pmr::vector<codec::Tid> hidden(memory_);
    for (const rank::Row &row : expired)
        hidden.push_back(tid_of(row.place));
    const std::array scope{tenant_.name_space, tenant_.user};
    lexical_ = index::retrieve(table_.by_text(), table_.heap(), snapshot_, scope, hidden,
                               *request_.query, memory_);
    lexical_hits_.reserve(lexical_.matches.size());
    for (const index::Match &match : lexical_.matches)
        lexical_hits_.push_back({match.score, place_of(match.tid)});
}

// An index knows the best of all rows, not of those that pass a filter. It may be that all the
// expired ones are better than those that are wanted.
void Ranking::find_vector(std::span<const rank::Row> expired, bool filtered) {
    const auto best = filtered ? std::nullopt : std::optional(wanted() + expired.size());
    vector_ = similar(tenant_, *request_.embedding, 0, best, memory_);
    if (expired.empty())
        return;
    rank::Positions<rank::RowId> gone(memory_);
    for (const rank::Row &row : expired)
        gone.put(row.order.id, 0);
    std::erase_if(vector_, [&](const auto &hit) { return gone.find(hit.key).has_value(); });
}

// How many rows the ranking is to give.
std::size_t Ranking::wanted() const {
    const auto k = static_cast<std::size_t>(request_.k);
    return request_.diversity > 0 ? std::max(least_pool, pool_per_row * k) : k;
}

rank::HybridQuery Ranking::hybrid_query() const {
    const bool both = request_.query && request_.embedding != nullptr;
    rank::HybridQuery query;
    query.k = wanted();
    query.fusion = request_.fusion;
    query.alpha = both ? request_.alpha
                       : rank::single_arm_alpha(request_.fusion, request_.embedding != nullptr,
                                                request_.alpha);
    query.most = lexical_.most;
    query.min_relevance = request_.min_relevance;
    query.half_life = request_.half_life;
    query.now = GetCurrentStatementStartTimestamp();
    query.context_weight = request_.context_weight;
    return query;
}

std::pmr::vector<rank::HybridRow> Ranking::best() {
    std::pmr::vector<rank::HybridRow> best = hybrid_->best();
    return request_.diversity > 0 ? diverse(std::move(best)) : best;
}

std::pmr::vector<rank::HybridRow> Ranking::diverse(std::pmr::vector<rank::HybridRow> pool) {
    std::pmr::vector<rank::RowId> ids(memory_);
    std::pmr::vector<double> scores(memory_);
    for (const rank::HybridRow &row : pool) {
        ids.push_back(row.row.order.id);
        scores.push_back(row.score);
    }
    const auto chosen = [&](auto &&similarity) {
        return rank::diversified(scores, request_.diversity, static_cast<std::size_t>(request_.k),
                                 memory_, similarity, text::server_interruption);
    };
    std::pmr::vector<std::size_t> order(memory_);
    if (const auto vectors = embeddings_of(tenant_, ids, memory_)) {
        order = chosen([&](std::size_t a, std::size_t b) {
            const std::span<const float> one = (*vectors)[a]->elements();
            const std::span<const float> other = (*vectors)[b]->elements();
            return one.size() == other.size() ? rank::Cosine(one).with(other) : 0;
        });
    } else {
        const std::pmr::vector<index::TextTerms> terms =
            terms_of_episodes(tenant_, table_.by_text(), ids, memory_);
        order = chosen([&](std::size_t a, std::size_t b) { return likeness(terms[a], terms[b]); });
    }
    std::pmr::vector<rank::HybridRow> best(memory_);
    for (const std::size_t place : order)
        best.push_back(pool[place]);
    return best;
}

std::optional<rank::HybridRow> Ranking::standing(const rank::RowId &id) {
    return hybrid_->standing(id);
}

} // namespace memory::recall
