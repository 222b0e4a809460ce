// Reads which facts have begun and ended since from an index, and counts the ones out and the
// others in.
#include "facts/held.h"

#include "facts/sql.h"
#include "index/codec/tid.h"
#include "index/retrieval.h"
#include "pg/place_fetch.h"
#include "pg/statement.h"
#include "rank/best_parts.h"
#include "schema/relations.h"

extern "C" {
#include "access/tableam.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
}

namespace memory::facts {

namespace {

// $3 valid at, $4 known at, $5 places of row versions in one relation, $6: a table that inherits
// from ours is not read.
MEMORY_STATEMENT(find_held, R"(
    SELECT w.number, h.* FROM unnest($5::tid[]) WITH ORDINALITY w (place, number)
    CROSS JOIN LATERAL (
        SELECT f.id, f.valid_from FROM memory.facts f
        WHERE {tenant:f} AND {valid_at:f,$3} AND {known_at:f,$4} AND f.tableoid = $6
            AND f.ctid = w.place OFFSET 0) h)"_sql,
                 pg::Statement::once);

constexpr std::array scope{"namespace", "user_id"};
constexpr schema::KeyColumn knowledge_key[] = {{"namespace", TEXTOID},
                                               {"user_id", TEXTOID},
                                               {"known_until", TIMESTAMPTZOID},
                                               {"known_from", TIMESTAMPTZOID}};

// The table and its indexes, open.
class FactTable {
  public:
    explicit FactTable(const access::Tenant &tenant)
        : table_(tenant.place("facts"), AccessShareLock), by_text_(table_, "facts_by_text", scope),
          by_knowledge_(table_, "facts_by_knowledge", knowledge_key) {
        if (!index::is_searchable(by_text(), scope.size()))
            schema::refuse_index(by_text());
    }

    const schema::OpenTable &table() const noexcept { return table_; }
    Relation heap() const noexcept { return table_.get(); }
    Relation by_text() const noexcept { return by_text_.get(); }
    Relation by_knowledge() const noexcept { return by_knowledge_.get(); }

  private:
    schema::OpenTable table_;
    schema::OpenIndex by_text_;
    schema::OpenIndex by_knowledge_;
};

// A fact that matches, and where an index knows it to be.
struct Candidate {
    double score;
    std::uint64_t place;
};

// Current facts that are known since a later time: their places, of rows seen or not.
void find_begun(const FactTable &facts, const access::Tenant &tenant, Snapshot snapshot,
                TimestampTz after, std::pmr::vector<codec::Tid> &begun) {
    std::array keys{pg::equals_text(1, pg::to_datum(tenant.name_space)),
                    pg::equals_text(2, pg::to_datum(tenant.user)), pg::at_least(3, DT_NOEND),
                    pg::at_least(4, after)};
    pg::KeyScan scan(facts.heap(), facts.by_knowledge(), snapshot, keys);
    std::array<std::uint64_t, 256> places;
    for (std::size_t found = places.size(); found == places.size();) {
        pg::check_for_interrupts();
        found = scan.next_places(places);
        for (const std::uint64_t place : std::span(places).first(found))
            begun.push_back(codec::tid_of(place));
    }
}

// Facts that were held then, and have ended.
struct Ended {
    explicit Ended(std::pmr::memory_resource *memory) : places(memory), texts(memory) {}

    std::pmr::vector<std::uint64_t> places;
    std::pmr::vector<std::string_view> texts;
};

void find_ended(const FactTable &facts, const access::Tenant &tenant, Snapshot snapshot,
                TimestampTz then, Ended &ended) {
    std::array keys{pg::equals_text(1, pg::to_datum(tenant.name_space)),
                    pg::equals_text(2, pg::to_datum(tenant.user)), pg::at_least(3, then + 1),
                    pg::at_most(3, DT_NOEND - 1), pg::at_most(4, then)};
    const int statement = facts.table().column<pg::Text>("statement") - 1;
    const pg::Slot slot(RelationGetDescr(facts.heap()), table_slot_callbacks(facts.heap()));
    pg::KeyScan scan(facts.heap(), facts.by_knowledge(), snapshot, keys);
    while (const auto place = scan.next(slot.get())) {
        pg::check_for_interrupts();
        ended.places.push_back(*place);
        ended.texts.push_back(pg::copied_text(pg::get_in<pg::Text>(slot.get(), statement)));
    }
}

std::pmr::vector<Candidate> matching(const FactTable &facts, const Request &request,
                                     Snapshot snapshot, std::pmr::memory_resource *memory) {
    const TimestampTz then = request.known_at->time;
    std::pmr::vector<codec::Tid> begun(memory);
    find_begun(facts, request.tenant, snapshot, then + 1, begun);
    Ended ended(memory);
    find_ended(facts, request.tenant, snapshot, then, ended);
    const std::array tenant{request.tenant.name_space, request.tenant.user};
    index::Retrieval search(facts.by_text(), facts.heap(), snapshot, tenant, begun,
                            index::Words{request.query}, memory, ended.texts);
    const index::Retrieved &found = search.found();
    std::pmr::vector<Candidate> candidates(memory);
    for (const index::Match &match : found.matches)
        candidates.push_back({match.score, codec::place_of(match.tid)});
    for (std::size_t n = 0; n < ended.places.size(); ++n)
        if (found.others[n] > 0)
            candidates.push_back({found.others[n], ended.places[n]});
    return candidates;
}

} // namespace

std::pmr::vector<FoundText> held_texts(const Request &request, std::size_t wanted,
                                       std::pmr::memory_resource *memory) {
    const FactTable facts(request.tenant);
    const Snapshot snapshot = GetActiveSnapshot();
    std::pmr::vector<Candidate> candidates = matching(facts, request, snapshot, memory);
    pg::SeenVersions versions(facts.heap(), facts.by_text(), snapshot, memory);
    std::pmr::vector<FoundText> found(memory);
    rank::take_best(std::span(candidates), wanted, [&](std::span<const Candidate> some) {
        versions.clear();
        for (std::uint32_t number = 0; number < some.size(); ++number) {
            pg::check_for_interrupts();
            versions.add(some[number].place, number);
        }
        const std::size_t before = found.size();
        find_held.each(pg::SnapshotOf::caller,
                       {request.tenant, request.valid_at, request.known_at, versions.places(),
                        facts.table().id()},
                       [&](const pg::Row &row) {
                           const auto [number, id, valid_from] =
                               row.get<pg::Int8, pg::Uuid, pg::Time>();
                           found.push_back({id, valid_from, some[versions.number(number)].score});
                       });
        return found.size() - before;
    });
    return found;
}

} // namespace memory::facts
