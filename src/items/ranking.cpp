// Finds items by text and by vectors, and ranks both arms' hits as one.
//
// The recall index knows all matches of the user with their scores; statements say which of these
// rows may be answered with, as PostgreSQL's privileges and policies have it.
#include "items/ranking.h"

#include "access/direct.h"
#include "index/codec/tid.h"
#include "index/retrieval.h"
#include "items/sql.h"
#include "items/vectors.h"
#include "models/coded_vectors.h"
#include "models/tasks.h"
#include "pg/place_fetch.h"
#include "pg/statement.h"
#include "rank/best_parts.h"
#include "rank/order.h"
#include "recall/settings.h"
#include "schema/relations.h"
#include "text/interruption_sql.h"

extern "C" {
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"
}

namespace memory::items {

namespace {

using pg::SnapshotOf;

// $12 places of row versions in one relation, $13: a table that inherits from ours is not read.
MEMORY_STATEMENT(find_rows, R"(
    SELECT w.number, r.* FROM unnest($12::tid[]) WITH ORDINALITY w (place, number)
    CROSS JOIN LATERAL (
        SELECT i.id, i.updated_at FROM memory.items i
        WHERE {chosen:i} AND {not_expired:i} AND i.tableoid = $13 AND i.ctid = w.place OFFSET 0) r)"_sql,
                 pg::Statement::for_each_values);

constexpr std::array scope{"namespace", "user_id"};
constexpr schema::KeyColumn expiry_key[] = {
    {"namespace", TEXTOID}, {"user_id", TEXTOID}, {"expires_at", TIMESTAMPTZOID}};

// The table and its index by text, open.
class ItemTable {
  public:
    explicit ItemTable(const access::Tenant &tenant)
        : table_(tenant.place("items"), AccessShareLock), by_text_(table_, "items_by_text", scope) {
        if (!index::is_searchable(by_text(), scope.size()))
            schema::refuse_index(by_text());
    }

    const schema::OpenTable &table() const noexcept { return table_; }
    Relation heap() const noexcept { return table_.get(); }
    Relation by_text() const noexcept { return by_text_.get(); }

  private:
    schema::OpenTable table_;
    schema::OpenIndex by_text_;
};

// Places of rows as the index knows them, which have expired and are still there.
std::pmr::vector<codec::Tid> expired(const ItemTable &items, const access::Tenant &tenant,
                                     Snapshot snapshot, std::pmr::memory_resource *memory) {
    const schema::OpenIndex index(items.table(), "items_by_expiry", expiry_key);
    const pg::Slot slot(RelationGetDescr(items.heap()), table_slot_callbacks(items.heap()));
    std::array keys{pg::equals_text(1, pg::to_datum(tenant.name_space)),
                    pg::equals_text(2, pg::to_datum(tenant.user)),
                    pg::at_most(3, GetCurrentStatementStartTimestamp())};
    pg::KeyScan scan(items.heap(), index.get(), snapshot, keys);
    std::pmr::vector<codec::Tid> found(memory);
    while (const auto place = scan.next(slot.get()))
        found.push_back(codec::tid_of(*place));
    return found;
}

class Ranking {
  public:
    Ranking(const Request &request, std::pmr::memory_resource *memory);

    std::pmr::vector<rank::HybridRow> best();

  private:
    // The place behind the last row that the call answers with. Rows are counted in 32 bits.
    std::size_t end() const {
        return std::min(static_cast<std::size_t>(request_.skip + request_.k),
                        std::size_t{UINT32_MAX});
    }
    void add_texts();
    std::size_t add_rows(Oid items, std::span<const index::Match> matches,
                         pg::SeenVersions &versions);
    std::pmr::vector<rank::HybridRow> ranked();
    rank::HybridQuery query() const;

    const Request &request_;
    models::Settled models_;
    std::pmr::memory_resource *memory_;
    rank::Gathered found_;
    double most_ = 0; // that the query could score
};

Ranking::Ranking(const Request &request, std::pmr::memory_resource *memory)
    : request_(request),
      models_(models::settled({request.query, request.embedding, std::nullopt, request.alpha},
                              request.tenant.name_space)),
      memory_(memory), found_(text::server_interruption, memory) {}

// Beside vectors all of them decide; alone the first so many that may be answered with, and all
// that score as the last of these, as newness decides between them.
void Ranking::add_texts() {
    const ItemTable items(request_.tenant);
    const Snapshot snapshot = GetActiveSnapshot();
    const std::array tenant{request_.tenant.name_space, request_.tenant.user};
    index::Retrieval search(items.by_text(), items.heap(), snapshot, tenant,
                            expired(items, request_.tenant, snapshot, memory_),
                            index::Words{*request_.query}, memory_);
    index::Retrieved &found = search.found();
    most_ = found.most;
    pg::SeenVersions versions(items.heap(), items.by_text(), snapshot, memory_);
    const std::size_t wanted = models_.embedding != nullptr ? found.matches.size() : end();
    rank::take_best(std::span(found.matches), wanted, [&](std::span<const index::Match> matches) {
        return add_rows(items.table().id(), matches, versions);
    });
}

// Returns how many of them may be answered with.
std::size_t Ranking::add_rows(Oid items, std::span<const index::Match> matches,
                              pg::SeenVersions &versions) {
    versions.clear();
    for (std::uint32_t number = 0; number < matches.size(); ++number) {
        pg::check_for_interrupts();
        versions.add(codec::place_of(matches[number].tid), number);
    }
    std::size_t added = 0;
    pg::Statement &find = access::reading(find_rows, request_.tenant);
    find.each(SnapshotOf::caller, {request_.tenant, request_.choice, versions.places(), items},
              [&](const pg::Row &row) {
                  const auto [number, id, updated_at] = row.get<pg::Int8, pg::Uuid, pg::Time>();
                  found_.add_text(order_of(id, updated_at), matches[versions.number(number)].score);
                  ++added;
              });
    return added;
}

std::pmr::vector<rank::HybridRow> Ranking::ranked() {
    if (models_.embedding == nullptr)
        return found_.best(query());
    ItemVectors vectors(request_, models_.model.name, found_, memory_);
    return models::best_with_vectors(
        found_, query(),
        {request_.tenant, models_.model.name, *models_.embedding, GetActiveSnapshot()}, vectors,
        end(),
        {.beside_words = request_.query.has_value(),
         .by_scores = recall::fusion_setting() == rank::Fusion::blend},
        memory_);
}

rank::HybridQuery Ranking::query() const {
    const bool has_vector = models_.embedding != nullptr;
    const double alpha = models_.alpha.value_or(0);
    rank::HybridQuery query;
    query.k = end();
    query.fusion = recall::fusion_setting();
    query.alpha = has_vector && request_.query
                      ? alpha
                      : rank::single_arm_alpha(query.fusion, has_vector, alpha);
    query.most = most_;
    query.min_relevance = request_.min_relevance;
    return query;
}

std::pmr::vector<rank::HybridRow> Ranking::best() {
    if (request_.query)
        add_texts();
    std::pmr::vector<rank::HybridRow> best = ranked();
    const auto skipped = std::min(static_cast<std::size_t>(request_.skip), best.size());
    best.erase(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(skipped));
    return best;
}

} // namespace

std::pmr::vector<rank::HybridRow> best_items(const Request &request,
                                             std::pmr::memory_resource *memory) {
    return Ranking(request, memory).best();
}

} // namespace memory::items
