// memory.recall_scored() and memory.recall(): a call from its arguments to its rows.
#include "access/visible.h"
#include "pg/memory.h"
#include "pg/rows.h"
#include "recall/filter.h"
#include "recall/ranking.h"
#include "setup/schema.h"

namespace memory::recall {

namespace {

using pg::Access;
using pg::Parameter;

// The columns of recall_scored() that are the episode's own.
#define SCORED_COLUMNS                                                                             \
    "id, content, response, kind, role, session_id, agent_id, occurred_at, metadata, importance"
constexpr std::size_t numbers = 7;

#define BY_ID                                                                                      \
    " FROM memory.episodes e WHERE e.namespace OPERATOR(pg_catalog.=) $1"                          \
    " AND e.user_id OPERATOR(pg_catalog.=) $2 AND id OPERATOR(pg_catalog.=) ANY ($3)"
#define NEWEST                                                                                     \
    " FROM memory.episodes e WHERE " PASSES_FILTER " ORDER BY occurred_at DESC, id DESC LIMIT $10"

constinit pg::Statement scored_by_id("SELECT " SCORED_COLUMNS BY_ID);
constinit pg::Statement scored_newest("SELECT " SCORED_COLUMNS NEWEST,
                                      pg::Statement::Planned::for_each_values);
constinit pg::Statement episodes_by_id("SELECT " EPISODE_COLUMNS BY_ID);
constinit pg::Statement episodes_newest("SELECT " EPISODE_COLUMNS NEWEST,
                                        pg::Statement::Planned::for_each_values);

// What a set of rows is made of: the same statements for recall() and for recall_scored(), which
// has numbers behind the columns.
struct Shape {
    pg::Statement &by_id;
    pg::Statement &newest;
    bool with_numbers;
};

// The columns score … match of a row.
class Numbers {
  public:
    static Numbers recent() {
        Numbers made;
        made.set(0, Float8GetDatum(0));
        made.set(6, pg::to_datum(std::string_view("recent")));
        return made;
    }

    explicit Numbers(const rank::HybridRow &row) : Numbers() {
        const rank::Standing &lexical = row.lexical.own;
        const rank::Standing &vector = row.vector.own;
        set(0, Float8GetDatum(row.score));
        set(1, Float8GetDatum(row.relevance));
        if (lexical.ranked()) {
            set(2, Float8GetDatum(lexical.score));
            set(4, Int32GetDatum(static_cast<std::int32_t>(lexical.rank)));
        }
        if (vector.ranked()) {
            set(3, Float8GetDatum(vector.score));
            set(5, Int32GetDatum(static_cast<std::int32_t>(vector.rank)));
        }
        set(6, pg::to_datum(std::string_view(lexical.ranked() ? vector.ranked() ? "both" : "lexical"
                                             : vector.ranked() ? "vector"
                                                               : "context")));
    }

    std::span<const Datum> values() const { return values_; }
    std::span<const bool> nulls() const { return nulls_; }

  private:
    Numbers() { nulls_.fill(true); }
    void set(std::size_t n, Datum value) {
        values_[n] = value;
        nulls_[n] = false;
    }

    std::array<Datum, numbers> values_{};
    std::array<bool, numbers> nulls_;
};

void add_row(pg::ResultSet &result, const Shape &shape, const pg::Rows &rows, std::uint64_t row,
             const Numbers &its) {
    const std::size_t behind = shape.with_numbers ? numbers : 0;
    result.add_row(rows, row, its.values().first(behind), its.nulls().first(behind));
}

void add_newest(pg::ResultSet &result, const Shape &shape, const Request &request,
                const access::Tenant &tenant) {
    std::array<Parameter, 10> parameters;
    const std::array filter = filter_parameters(tenant, request.filter);
    std::copy(filter.begin(), filter.end(), parameters.begin());
    parameters[9] = Parameter::of(INT4OID, Int32GetDatum(request.k));
    const pg::Rows rows = shape.newest.run(parameters, Access::read);
    const Numbers recent = Numbers::recent();
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        add_row(result, shape, rows, row, recent);
}

void add_ranked(pg::ResultSet &result, const Shape &shape, const access::Tenant &tenant,
                std::span<const rank::HybridRow> ranked, std::pmr::memory_resource *memory) {
    std::pmr::vector<Datum> ids(memory);
    for (const rank::HybridRow &row : ranked)
        ids.push_back(PointerGetDatum(row.row.order.id.data()));
    const std::array parameters{tenant.name_space_parameter(), tenant.user_parameter(),
                                Parameter::array(UUIDOID, ids)};
    const pg::Rows rows = shape.by_id.run(parameters, Access::read);
    rank::Positions<rank::RowId> places(memory);
    for (std::uint32_t row = 0; row < rows.size(); ++row)
        places.put(row_id(rows.get<pg::Uuid>(row, 0)), row);
    for (const rank::HybridRow &row : ranked)
        if (const auto place = places.find(row.row.order.id))
            add_row(result, shape, rows, *place, Numbers(row));
}

void answer(pg::ResultSet &result, const Shape &shape, const Request &request) {
    setup::require_tables(setup::Need::to_read);
    const pg::Spi spi;
    const access::Tenant tenant = access::reading_tenant(request.user_id);
    if (access::hides_all_episodes(tenant))
        return;
    if (!request.query && request.embedding == nullptr)
        return add_newest(result, shape, request, tenant);
    pg::TemporaryContext temporary("memory.recall_scored");
    Ranking ranking(request, tenant, temporary.resource());
    const std::pmr::vector<rank::HybridRow> best = ranking.best();
    if (best.empty() && request.fallback == Fallback::recent)
        return add_newest(result, shape, request, tenant);
    add_ranked(result, shape, tenant, best, temporary.resource());
}

} // namespace

MEMORY_FUNCTION(memory_recall_scored) {
    const Request request = scored_request(arguments, 0);
    pg::ResultSet result(arguments);
    answer(result, {scored_by_id, scored_newest, true}, request);
    return Datum{0};
}

MEMORY_FUNCTION(memory_recall) {
    const Request request = plain_request(arguments);
    pg::ResultSet result(arguments);
    answer(result, {episodes_by_id, episodes_newest, false}, request);
    return Datum{0};
}

} // namespace memory::recall
