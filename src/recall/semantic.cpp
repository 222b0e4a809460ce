// memory.recall_semantic(): by embedding alone, above a threshold.
#include "access/direct.h"
#include "access/visible.h"
#include "episodes/tables.h"
#include "pg/memory.h"
#include "recall/filter.h"
#include "recall/row_id.h"
#include "recall/vectors.h"
#include "schema/relations.h"

namespace memory::recall {

namespace {

MEMORY_STATEMENT(find_contents, R"(
    SELECT e.id, e.content, e.metadata, e.occurred_at FROM memory.episodes e
    WHERE {passes:e} AND e.id = ANY ($11))"_sql,
                 pg::Statement::for_each_values);

MEMORY_STATEMENT(count_expired, R"(
    SELECT (SELECT count(*) FROM memory.episodes e
            WHERE {tenant:e} AND e.expires_at <= statement_timestamp())
        + (SELECT count(*) FROM memory.episodes e
           WHERE {tenant:e} AND e.session_id = ANY (ARRAY({over}))))"_sql);

// How many of the most similar vectors bring k rows for certain; nothing when only all of them do,
// as the index knows neither filters nor policies.
std::optional<std::size_t> enough_for(const Request &request, const access::Tenant &tenant) {
    if (request.filter.any() || !access::reads_whole_users(schema::table_named("episodes")))
        return std::nullopt;
    const pg::Rows rows =
        access::reading(count_expired, tenant).run(pg::SnapshotOf::caller, {tenant});
    return static_cast<std::size_t>(request.k + rows.get<pg::Int8>(0));
}

// Adds up to `room` of these hits, a few of equal cosines whole, that pass the filter, best first.
// Returns how many.
std::size_t add(pg::ResultSet &result, std::span<const rank::Scored<rank::RowId>> hits,
                std::size_t room, const access::Tenant &tenant, const Filter &filter,
                std::pmr::memory_resource *memory) {
    std::pmr::vector<rank::RowId> ids(memory);
    rank::Positions<rank::RowId> places(memory);
    for (const auto &hit : hits) {
        places.put(hit.key, static_cast<std::uint32_t>(ids.size()));
        ids.push_back(hit.key);
    }
    const pg::Rows rows = access::reading(find_contents, tenant)
                              .run(pg::SnapshotOf::caller, {tenant, filter, uuids(ids)});
    struct Order {
        rank::NewerThenId order;
        std::uint64_t row;
        bool operator<(const Order &other) const { return order < other.order; }
    };
    std::pmr::vector<rank::Scored<Order>> found(memory);
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const rank::RowId id = row_id(rows.get<pg::Uuid>(row, 0));
        found.push_back({hits[*places.find(id)].score, {{rows.get<pg::Time>(row, 3), id}, row}});
    }
    std::sort(found.begin(), found.end(), rank::better<Order>);
    found.resize(std::min(found.size(), room));
    for (const rank::Scored<Order> &one : found) {
        const std::uint64_t row = one.key.row;
        result.add_row(rows, row, {one.score});
    }
    return found.size();
}

constexpr std::size_t least_batch = 64;
constexpr std::size_t largest_batch = 10000;

// As far down the hits as is needed for k rows that pass.
void answer(access::Reading &reading, VectorHits &hits, const Request &request,
            std::pmr::memory_resource *memory) {
    rank::put_in_order(hits);
    std::size_t room = static_cast<std::size_t>(request.k);
    // Without a filter all pass, but for those that have expired or are hidden.
    std::size_t batch = request.filter.any() ? std::clamp(2 * room, least_batch, largest_batch)
                                             : std::min(room, largest_batch);
    for (std::size_t from = 0; from < hits.size() && room > 0;
         batch = std::clamp(2 * batch, least_batch, largest_batch)) {
        std::size_t to = std::min(hits.size(), from + batch);
        while (to < hits.size() && hits[to].score == hits[to - 1].score)
            ++to;
        room -= add(reading.rows(), std::span(hits).subspan(from, to - from), room,
                    reading.tenant(), request.filter, memory);
        from = to;
    }
}

} // namespace

MEMORY_CALL(memory_recall_semantic, "embedding vector, k bigint, threshold float8, user_id text,"
                                    " agent_id text, kind text, filter jsonb, model text") {
    Request request;
    const auto embedding = call.vector("embedding");
    embedding.required();
    request.embedding = models::checked_embedding(embedding);
    request.named_model = models::named_model(call.text("model"));
    request.k = access::row_limit(call.bigint("k"));
    const double least = call.real("threshold").between(-1, 1).or_else(0.7);
    request.filter.agent_id = call.text("agent_id");
    const std::optional<std::string_view> kind = call.text("kind");
    if (kind)
        request.filter.kinds = std::span(&*kind, 1);
    request.filter.metadata = filter::conditions_of(call.json("filter"));
    access::Reading reading(call, episodes::room);
    if (access::hides_all_episodes(reading.tenant()))
        return call.nothing();
    request.model = models::in_use(reading.tenant().name_space, request.named_model).name;
    pg::TemporaryContext temporary("memory.recall_semantic");
    VectorHits found =
        similar(reading.tenant(), request.model, *request.embedding, least,
                enough_for(request, reading.tenant()), Use::nearest, temporary.resource());
    answer(reading, found, request, temporary.resource());
    return call.nothing();
}

} // namespace memory::recall
