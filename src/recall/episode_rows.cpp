// Reads rows from the table's pages where the caller may read the whole table, by statements
// otherwise.
#include "recall/episode_rows.h"

#include "access/visible.h"
#include "index/retrieval.h"
#include "pg/error.h"
#include "pg/place_fetch.h"
#include "rank/diversity.h"
#include "recall/filter.h"
#include "retention/rules.h"

extern "C" {
#include "access/heapam.h"
#include "access/htup_details.h"
#include "utils/rel.h"
#include "utils/timestamp.h"
}

namespace memory::recall {

namespace {

// A ctid is a place in one relation, $11: a table that inherits from ours is not read.
MEMORY_STATEMENT(find_passing, R"(
    SELECT {row:e} FROM memory.episodes e WHERE {passes:e} AND e.tableoid = $11)"_sql,
                 pg::Statement::for_each_values);

MEMORY_STATEMENT(find_over_sessions, "{over}"_sql, pg::Statement::once);

// The indexes that are read here.
constexpr std::array scope{"namespace", "user_id"};
constexpr schema::KeyColumn id_key[] = {
    {"namespace", TEXTOID}, {"user_id", TEXTOID}, {"id", UUIDOID}};
constexpr schema::KeyColumn expiry_key[] = {
    {"namespace", TEXTOID}, {"user_id", TEXTOID}, {"expires_at", TIMESTAMPTZOID}};

rank::Voice voice_of(std::optional<std::string_view> role) {
    return !role ? rank::Voice::none : *role == "user" ? rank::Voice::user : rank::Voice::other;
}

} // namespace

EpisodeTable::EpisodeTable(const access::Tenant &tenant)
    : heap_(tenant.place("episodes"), AccessShareLock), by_text_(heap_, "episodes_by_text", scope),
      by_id_(heap_, id_key), readable_whole_(access::reads_whole_users(heap_.place().table())) {
    if (!index::is_searchable(by_text(), scope.size()))
        schema::refuse_index(by_text());
}

EpisodeRows::EpisodeRows(const EpisodeTable &table, const access::Tenant &tenant, Snapshot snapshot,
                         Fading fading, const std::optional<KindFading> &by_kind,
                         std::pmr::memory_resource *memory)
    : table_(table), tenant_(tenant), snapshot_(snapshot), memory_(memory), fading_(fading),
      by_kind_(by_kind), columns_{table.table().column<pg::Uuid>("id"),
                                  table.table().column<pg::Time>("occurred_at"),
                                  table.table().column<pg::Text>("session_id"),
                                  table.table().column<pg::Float8>("importance"),
                                  table.table().column<pg::Time>("expires_at"),
                                  table.table().column<pg::Text>("kind"),
                                  table.table().column<pg::Text>("role"),
                                  table.table().column<pg::Json>("metadata"),
                                  table.table().column<pg::Text>("content"),
                                  table.table().column<pg::Text>("response")},
      slot_(RelationGetDescr(table.heap()), table_slot_callbacks(table.heap())),
      now_(GetCurrentStatementStartTimestamp()), dates_(memory), over_(memory), sessions_(memory),
      session_numbers_(memory) {
    if (retention::rules_of(tenant.name_space).of(retention::Thing::session).ttl)
        find_over();
}

void EpisodeRows::find_over() {
    find_over_sessions.each(pg::SnapshotOf::caller, tenant_,
                            [this](const pg::Row &row) { over_.emplace(row.get<pg::Text>()); });
}

std::uint32_t EpisodeRows::session_number(std::string_view session) {
    if (const auto known = session_numbers_.find(session); known != session_numbers_.end())
        return known->second;
    const auto number = static_cast<std::uint32_t>(sessions_.size() + 1);
    session_numbers_.emplace(sessions_.emplace_back(session), number);
    return number;
}

double EpisodeRows::faded(double importance, std::string_view kind, TimestampTz occurred_at) const {
    const double half_life = by_kind_ ? by_kind_->half_life_of(kind) : 0;
    if (half_life == 0)
        return importance;
    return importance * rank::decay(static_cast<double>(now_ - occurred_at), half_life);
}

// False when the row has expired.
bool EpisodeRows::read(TupleTableSlot *slot, std::uint64_t place, rank::Row &row) {
    row.importance = pg::get_in<pg::Float8>(slot, columns_.importance - 1);
    const auto session = pg::find_in<pg::Text>(slot, columns_.session_id - 1);
    const auto expires_at = pg::find_in<pg::Time>(slot, columns_.expires_at - 1);
    row.place = place;
    row.order = {pg::get_in<pg::Time>(slot, columns_.occurred_at - 1),
                 row_id(pg::get_in<pg::Uuid>(slot, columns_.id - 1))};
    row.session = session ? session_number(*session) : 0;
    row.voice = voice_of(pg::find_in<pg::Text>(slot, columns_.role - 1));
    row.fades = fading_ == Fading::all || fades(pg::get_in<pg::Text>(slot, columns_.kind - 1));
    if (by_kind_)
        row.importance =
            faded(row.importance, pg::get_in<pg::Text>(slot, columns_.kind - 1), row.order.time);
    return (!expires_at || *expires_at > now_) && !is_over(session);
}

// A row of {row:e}; its place is that of this version of it.
rank::Row EpisodeRows::made_of(const Said &said) {
    rank::Row row;
    row.place = pg::place_of(said.tid);
    row.order = {said.occurred_at, row_id(said.id)};
    row.session = said.session ? session_number(*said.session) : 0;
    row.voice = voice_of(said.role);
    row.importance = faded(said.importance, said.kind, said.occurred_at);
    row.fades = fades(said.kind);
    return row;
}

// An index knows a row by the root of its chain of versions on a page; statements show the version.
// Rows are put in the order of their places.
void EpisodeRows::find_roots(std::span<rank::Row> rows) {
    std::sort(rows.begin(), rows.end(),
              [](const rank::Row &a, const rank::Row &b) { return a.place < b.place; });
    std::array<OffsetNumber, MaxHeapTuplesPerPage> roots;
    for (std::size_t from = 0; from < rows.size();) {
        const std::uint64_t block = rows[from].place >> 16;
        const pg::PinnedPage page(table_.heap(), static_cast<BlockNumber>(block),
                                  BUFFER_LOCK_SHARE);
        pg::call([&] { heap_get_root_tuples(page.page(), roots.data()); });
        for (; from < rows.size() && rows[from].place >> 16 == block; ++from) {
            const std::size_t offset = rows[from].place & 0xffff;
            if (offset >= FirstOffsetNumber && offset <= roots.size() &&
                roots[offset - 1] != InvalidOffsetNumber)
                rows[from].place = block << 16 | roots[offset - 1];
        }
        pg::check_for_interrupts();
    }
}

std::pmr::vector<rank::Row> EpisodeRows::passing(const Filter &filter) {
    std::pmr::vector<rank::Row> rows(memory_);
    find_passing.each(
        pg::SnapshotOf::caller, {tenant_, filter, table_.table().id()}, [&](const pg::Row &found) {
            const auto [tid, id, occurred_at, session, importance, kind, role] =
                found.get<pg::Tid, pg::Uuid, pg::Time, std::optional<pg::Text>, pg::Float8,
                          pg::Text, std::optional<pg::Text>>();
            rows.push_back(made_of({tid, id, occurred_at, session, importance, kind, role}));
        });
    find_roots(rows);
    return rows;
}

std::pmr::vector<rank::Row> EpisodeRows::expired() {
    const schema::OpenIndex index(table_.table(), "episodes_by_expiry", expiry_key);
    std::array keys{pg::equals_text(1, pg::to_datum(tenant_.name_space)),
                    pg::equals_text(2, pg::to_datum(tenant_.user)), pg::at_most(3, now_)};
    pg::KeyScan scan(table_.heap(), index.get(), snapshot_, keys);
    std::pmr::vector<rank::Row> rows(memory_);
    while (const auto place = scan.next(slot_.get()))
        read(slot_.get(), *place, rows.emplace_back());
    if (!over_.empty())
        add_of_over(rows);
    return rows;
}

void EpisodeRows::add_of_over(std::pmr::vector<rank::Row> &rows) {
    const schema::OpenIndex index(table_.table(), "episodes_by_session", session_key);
    std::array keys{pg::equals_text(1, pg::to_datum(tenant_.name_space)),
                    pg::equals_text(2, pg::to_datum(tenant_.user)), ScanKeyData{}};
    for (const std::pmr::string &session : over_) {
        pg::check_for_interrupts();
        keys[2] = pg::equals_text(3, pg::to_datum(session));
        pg::KeyScan scan(table_.heap(), index.get(), snapshot_, keys);
        while (const auto place = scan.next(slot_.get())) {
            const auto expires_at = pg::find_in<pg::Time>(slot_.get(), columns_.expires_at - 1);
            if (!expires_at || *expires_at > now_)
                read(slot_.get(), *place, rows.emplace_back());
        }
    }
}

void EpisodeRows::fetch(std::span<const std::uint64_t> places, rank::KnownRows &rows) {
    std::pmr::vector<std::uint64_t> in_order(places.begin(), places.end(), memory_);
    std::sort(in_order.begin(), in_order.end());
    pg::PlaceFetch fetch(table_.heap(), table_.by_text(), snapshot_);
    for (const std::uint64_t place : in_order) {
        pg::check_for_interrupts();
        if (rank::Row row; fetch.read(place, slot_.get()) && read(slot_.get(), place, row))
            rows.add(row);
    }
}

void EpisodeRows::fetch(std::span<const rank::RowId> ids, rank::KnownRows &rows) {
    std::pmr::vector<rank::RowId> in_order(ids.begin(), ids.end(), memory_);
    std::sort(in_order.begin(), in_order.end());
    std::array keys{pg::equals_text(1, pg::to_datum(tenant_.name_space)),
                    pg::equals_text(2, pg::to_datum(tenant_.user)), pg::equals_uuid(3, nullptr)};
    std::optional<pg::KeyScan> scan;
    for (rank::RowId &id : in_order) {
        pg::check_for_interrupts();
        keys[2] = pg::equals_uuid(3, id.data());
        if (scan)
            scan->rewind(keys);
        else
            scan.emplace(table_.heap(), table_.by_id(), snapshot_, keys);
        const auto place = scan->next(slot_.get());
        if (rank::Row row; place && read(slot_.get(), *place, row))
            rows.add(row);
    }
}

void EpisodeRows::lasting(std::pmr::vector<rank::Dated> &rows) {
    if (fading_ != Fading::all)
        EpisodeTimes(table_, EpisodeTimes::Which::lasting, tenant_, snapshot_).read(SIZE_MAX, rows);
}

void EpisodeRows::newest(std::size_t count, std::pmr::vector<rank::Dated> &rows) {
    if (!by_time_)
        by_time_.emplace(table_, EpisodeTimes::Which::all, tenant_, snapshot_);
    by_time_->read(count, rows);
}

} // namespace memory::recall
