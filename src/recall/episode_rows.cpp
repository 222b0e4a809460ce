// See episode_rows.h.
#include "recall/episode_rows.h"

#include "index/retrieval.h"
#include "pg/error.h"
#include "pg/key_scan.h"
#include "recall/filter.h"

extern "C" {
#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/tableam.h"
#include "utils/rel.h"
#include "utils/timestamp.h"
}

namespace memory::recall {

namespace {

// The columns of a statement's result that make a rank::Row. A ctid is a place in one table: a
// table that inherits from ours is not read.
#define ROW_COLUMNS "ctid, id, occurred_at, session_id, importance"
#define OF_TENANT                                                                                  \
    "namespace OPERATOR(pg_catalog.=) $1 AND user_id OPERATOR(pg_catalog.=) $2"                    \
    " AND " NOT_EXPIRED

constinit pg::Statement find_passing("SELECT " ROW_COLUMNS
                                     " FROM ONLY memory.episodes e WHERE " PASSES_FILTER,
                                     pg::Statement::Planned::for_each_values);

// Of each row given, the one before it in its session and the one behind it.
constinit pg::Statement find_neighbours(
    "SELECT g.number, b.* FROM ROWS FROM (pg_catalog.unnest($3::pg_catalog.int4[]),"
    " pg_catalog.unnest($4::pg_catalog.text[]), pg_catalog.unnest($5::pg_catalog.timestamptz[]),"
    " pg_catalog.unnest($6::pg_catalog.uuid[])) AS g (number, session, at, id) CROSS JOIN LATERAL ("
    "(SELECT " ROW_COLUMNS " FROM ONLY memory.episodes e WHERE " OF_TENANT
    " AND session_id OPERATOR(pg_catalog.=) g.session"
    " AND ROW(e.occurred_at, e.id) OPERATOR(pg_catalog.<) ROW(g.at, g.id)"
    " ORDER BY occurred_at DESC, id DESC LIMIT 1) UNION ALL "
    "(SELECT " ROW_COLUMNS " FROM ONLY memory.episodes e WHERE " OF_TENANT
    " AND session_id OPERATOR(pg_catalog.=) g.session"
    " AND ROW(e.occurred_at, e.id) OPERATOR(pg_catalog.>) ROW(g.at, g.id)"
    " ORDER BY occurred_at, id LIMIT 1)) b");

// The indexes that are read here.
constexpr std::array scope{"namespace", "user_id"};
constexpr access::KeyColumn id_key[] = {
    {"namespace", TEXTOID}, {"user_id", TEXTOID}, {"id", UUIDOID}};
constexpr access::KeyColumn expiry_key[] = {
    {"namespace", TEXTOID}, {"user_id", TEXTOID}, {"expires_at", TIMESTAMPTZOID}};
constexpr access::KeyColumn session_key[] = {{"namespace", TEXTOID},
                                             {"user_id", TEXTOID},
                                             {"session_id", TEXTOID},
                                             {"occurred_at", TIMESTAMPTZOID},
                                             {"id", UUIDOID}};

ItemPointerData item_pointer(std::uint64_t place) {
    return {{static_cast<uint16>(place >> 32), static_cast<uint16>(place >> 16)},
            static_cast<OffsetNumber>(place)};
}

} // namespace

EpisodeTable::EpisodeTable()
    : heap_("episodes", AccessShareLock), by_text_(heap_, "episodes_by_text", scope),
      by_id_(heap_, id_key) {
    if (!index::is_searchable(by_text(), scope.size()))
        access::refuse_index(by_text());
}

bool EpisodeTable::readable_whole() const {
    return access::readable_whole(RelationGetRelid(heap()));
}

EpisodeRows::EpisodeRows(const EpisodeTable &table, const access::Tenant &tenant, Snapshot snapshot,
                         std::pmr::memory_resource *memory)
    : table_(table), tenant_(tenant), snapshot_(snapshot),
      memory_(memory), columns_{table.table().column<pg::Uuid>("id"),
                                table.table().column<pg::Time>("occurred_at"),
                                table.table().column<pg::Text>("session_id"),
                                table.table().column<pg::Float4>("importance"),
                                table.table().column<pg::Time>("expires_at")},
      slot_(RelationGetDescr(table.heap()), table_slot_callbacks(table.heap())),
      now_(GetCurrentStatementStartTimestamp()), sessions_(memory), session_numbers_(memory) {}

std::uint32_t EpisodeRows::session_number(std::string_view session) {
    if (const auto known = session_numbers_.find(session); known != session_numbers_.end())
        return known->second;
    const auto number = static_cast<std::uint32_t>(sessions_.size() + 1);
    session_numbers_.emplace(sessions_.emplace_back(session), number);
    return number;
}

// False when the row has expired.
bool EpisodeRows::read(TupleTableSlot *slot, std::uint64_t place, rank::Row &row) {
    row.importance = pg::get_in<pg::Float4>(slot, columns_.importance - 1);
    const auto session = pg::find_in<pg::Text>(slot, columns_.session_id - 1);
    const auto expires_at = pg::find_in<pg::Time>(slot, columns_.expires_at - 1);
    row.place = place;
    row.order = {pg::get_in<pg::Time>(slot, columns_.occurred_at - 1),
                 row_id(pg::get_in<pg::Uuid>(slot, columns_.id - 1))};
    row.session = session ? session_number(*session) : 0;
    return !expires_at || *expires_at > now_;
}

// A row of ROW_COLUMNS, which begin at column `first`; its place is that of this version of it.
rank::Row EpisodeRows::read_result(TupleTableSlot *result, int first) {
    const ItemPointerData tid = pg::get_in<pg::Tid>(result, first);
    rank::Row row;
    row.place = place_of({ItemPointerGetBlockNumber(&tid), ItemPointerGetOffsetNumber(&tid)});
    row.order = {pg::get_in<pg::Time>(result, first + 2),
                 row_id(pg::get_in<pg::Uuid>(result, first + 1))};
    if (const auto session = pg::find_in<pg::Text>(result, first + 3))
        row.session = session_number(*session);
    row.importance = pg::get_in<pg::Float4>(result, first + 4);
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
    find_passing.each(filter_parameters(tenant_, filter), pg::Access::read,
                      [&](TupleTableSlot *row) { rows.push_back(read_result(row, 0)); });
    find_roots(rows);
    return rows;
}

std::pmr::vector<rank::Row> EpisodeRows::expired() {
    const access::OpenIndex index(table_.table(), "episodes_by_expiry", expiry_key);
    std::array keys{pg::equals_text(1, pg::to_datum(tenant_.name_space)),
                    pg::equals_text(2, pg::to_datum(tenant_.user)), pg::at_most(3, now_)};
    pg::KeyScan scan(table_.heap(), index.get(), snapshot_, keys);
    std::pmr::vector<rank::Row> rows(memory_);
    while (const auto place = scan.next(slot_.get()))
        read(slot_.get(), *place, rows.emplace_back());
    return rows;
}

void EpisodeRows::fetch(std::span<const std::uint64_t> places, rank::KnownRows &rows) {
    std::pmr::vector<std::uint64_t> in_order(places.begin(), places.end(), memory_);
    std::sort(in_order.begin(), in_order.end());
    struct Fetch {
        IndexFetchTableData *data;
        ~Fetch() {
            pg::release([this] { table_index_fetch_end(data); });
        }
    } fetch{pg::call([this] { return table_index_fetch_begin(table_.heap()); })};
    for (const std::uint64_t place : in_order) {
        pg::check_for_interrupts();
        ItemPointerData tid = item_pointer(place);
        const bool seen = pg::call([&] {
            bool again = false;
            return table_index_fetch_tuple(fetch.data, &tid, snapshot_, slot_.get(), &again,
                                           nullptr);
        });
        if (rank::Row row; seen && read(slot_.get(), place, row))
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

void EpisodeRows::neighbours(std::span<const std::uint32_t> of, rank::KnownRows &rows,
                             std::pmr::vector<rank::Neighbours> &pairs) {
    if (!table_.readable_whole())
        return ask_for_neighbours(of, rows, pairs);
    const access::OpenIndex by_session(table_.table(), "episodes_by_session", session_key);
    std::array keys{pg::equals_text(1, pg::to_datum(tenant_.name_space)),
                    pg::equals_text(2, pg::to_datum(tenant_.user)), ScanKeyData{}, ScanKeyData{}};
    std::optional<pg::KeyScan> scan;
    for (const std::uint32_t number : of) {
        pg::check_for_interrupts();
        const rank::Row row = rows[number];
        keys[2] = pg::equals_text(3, pg::to_datum(std::string_view(sessions_[row.session - 1])));
        for (const pg::Side side : {pg::Side::before, pg::Side::behind}) {
            pg::Beyond beyond(4, side, row.order.time, row.order.id.data());
            keys[3] = beyond.key();
            if (scan)
                scan->rewind(keys);
            else
                scan.emplace(table_.heap(), by_session.get(), snapshot_, keys);
            rank::Row beside;
            while (const auto place = scan->next(slot_.get(), side)) {
                if (!read(slot_.get(), *place, beside))
                    continue; // expired
                pairs.push_back({number, rows.add(beside)});
                break;
            }
        }
    }
}

// The same by a statement, to which policies apply.
void EpisodeRows::ask_for_neighbours(std::span<const std::uint32_t> of, rank::KnownRows &rows,
                                     std::pmr::vector<rank::Neighbours> &pairs) {
    std::pmr::vector<Datum> numbers(memory_);
    std::pmr::vector<Datum> sessions(memory_);
    std::pmr::vector<Datum> times(memory_);
    std::pmr::vector<Datum> ids(memory_);
    for (const std::uint32_t number : of) {
        const rank::Row &row = rows[number];
        pg_uuid_t id;
        std::memcpy(id.data, row.order.id.data(), sizeof id.data);
        numbers.push_back(Int32GetDatum(static_cast<std::int32_t>(number)));
        sessions.push_back(pg::to_datum(std::string_view(sessions_[row.session - 1])));
        times.push_back(TimestampTzGetDatum(row.order.time));
        ids.push_back(pg::to_datum(id, CurrentMemoryContext));
    }
    const std::array parameters{tenant_.name_space_parameter(),
                                tenant_.user_parameter(),
                                pg::Parameter::array(INT4OID, numbers),
                                pg::Parameter::array(TEXTOID, sessions),
                                pg::Parameter::array(TIMESTAMPTZOID, times),
                                pg::Parameter::array(UUIDOID, ids)};
    std::pmr::vector<std::uint32_t> of_whom(memory_);
    std::pmr::vector<rank::Row> found(memory_);
    find_neighbours.each(parameters, pg::Access::read, [&](TupleTableSlot *row) {
        found.push_back(read_result(row, 1));
        of_whom.push_back(static_cast<std::uint32_t>(pg::get_in<pg::Int4>(row, 0)));
    });
    std::pmr::vector<rank::Row> rooted(found.begin(), found.end(), memory_);
    find_roots(rooted);
    for (const rank::Row &row : rooted)
        rows.add(row);
    for (std::size_t at = 0; at < found.size(); ++at)
        pairs.push_back({of_whom[at], *rows.find(found[at].order.id)});
}

} // namespace memory::recall
