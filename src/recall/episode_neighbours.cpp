// Finds the rows beside others in their sessions: in the index on sessions where the caller may
// read the whole table, by a statement otherwise.
#include "pg/place_fetch.h"
#include "pg/statement.h"
#include "recall/episode_rows.h"
#include "recall/session_window.h"
#include "recall/sql.h"

namespace memory::recall {

namespace {

// Of each row given, the two before it in its session and the two behind it.
static_assert(rank::lending_steps == 2);
MEMORY_STATEMENT(find_neighbours, R"(
    SELECT g.number, b.*
    FROM ROWS FROM (unnest($3::int4[]), unnest($4::text[]), unnest($5::timestamptz[]),
            unnest($6::uuid[])) AS g (number, session, at, id)
        CROSS JOIN LATERAL (
            (SELECT {row:e} FROM memory.episodes e
             WHERE {tenant:e} AND {not_expired:e} AND e.session_id = g.session
                 AND e.tableoid = $7 AND ROW(e.occurred_at, e.id) < ROW(g.at, g.id)
             ORDER BY e.occurred_at DESC, e.id DESC LIMIT 2)
            UNION ALL
            (SELECT {row:e} FROM memory.episodes e
             WHERE {tenant:e} AND {not_expired:e} AND e.session_id = g.session
                 AND e.tableoid = $7 AND ROW(e.occurred_at, e.id) > ROW(g.at, g.id)
             ORDER BY e.occurred_at, e.id LIMIT 2)) b)"_sql);

// The rows to one side of a row in its session, however far.
class SessionScan {
  public:
    SessionScan(Relation table, Relation by_session, const access::Tenant &tenant,
                Snapshot snapshot)
        : table_(table), by_session_(by_session),
          snapshot_(snapshot), keys_{pg::equals_text(1, pg::to_datum(tenant.name_space)),
                                     pg::equals_text(2, pg::to_datum(tenant.user)), ScanKeyData{},
                                     ScanKeyData{}} {}

    void begin(std::string_view session, const rank::NewerThenId &row, pg::Side side) {
        id_ = row.id;
        beyond_.emplace(AttrNumber{4}, side, row.time, id_.data());
        keys_[2] = pg::equals_text(3, pg::to_datum(session));
        keys_[3] = beyond_->key();
        side_ = side;
        if (scan_)
            scan_->rewind(keys_);
        else
            scan_.emplace(table_, by_session_, snapshot_, keys_);
    }

    std::optional<std::uint64_t> next(TupleTableSlot *slot) { return scan_->next(slot, side_); }

  private:
    Relation table_;
    Relation by_session_;
    Snapshot snapshot_;
    std::array<ScanKeyData, 4> keys_;
    std::optional<pg::Beyond> beyond_; // what the last key points to
    rank::RowId id_{};
    pg::Side side_ = pg::Side::behind;
    std::optional<pg::KeyScan> scan_;
};

} // namespace

// The rows up to lending_steps to each side of a row.
class EpisodeRows::Neighbourhood {
  public:
    Neighbourhood(EpisodeRows &episodes, Relation by_session, rank::KnownRows &rows,
                  std::pmr::vector<rank::Neighbours> &pairs)
        : episodes_(episodes), rows_(rows), pairs_(pairs),
          window_(episodes.table_.heap(), by_session, episodes.tenant_, episodes.snapshot_),
          farther_(episodes.table_.heap(), by_session, episodes.tenant_, episodes.snapshot_),
          fetch_(episodes.table_.heap(), by_session, episodes.snapshot_), first_(episodes.memory_),
          last_(episodes.memory_) {}

    void add_of(std::uint32_t number) {
        const rank::Row row = rows_[number];
        const auto [before, behind] = window_.around(session_of(row), row.order);
        walk({number, pg::Side::before, number}, before);
        walk({number, pg::Side::behind, number}, behind);
    }

  private:
    struct Walk {
        std::uint32_t row;
        pg::Side side;
        std::uint32_t reached;
        std::int8_t steps = 0;

        bool is_done() const { return steps == rank::lending_steps; }
    };
    // The first or the last row of a session, where a look beyond it has found none.
    using Ends = std::pmr::map<std::uint32_t, std::uint32_t>;

    std::string_view session_of(const rank::Row &row) const {
        return episodes_.sessions_[row.session - 1];
    }

    void walk(Walk walk, std::span<const pg::TimedEntry> window) {
        for (auto entry = window.begin(); entry != window.end() && !walk.is_done(); ++entry)
            if (const auto beside = row_at(entry->place))
                step(walk, *beside);
        if (!walk.is_done())
            go_farther(walk);
        if (walk.steps > 0)
            window_.learn(std::abs(rows_[walk.reached].order.time - rows_[walk.row].order.time));
    }

    void step(Walk &walk, std::uint32_t beside) {
        ++walk.steps;
        const int steps = walk.side == pg::Side::before ? -walk.steps : walk.steps;
        pairs_.push_back({walk.row, beside, static_cast<std::int8_t>(steps)});
        walk.reached = beside;
    }

    void go_farther(Walk &walk) {
        Ends &ends = walk.side == pg::Side::before ? first_ : last_;
        const rank::Row from = rows_[walk.reached];
        if (const auto end = ends.find(from.session);
            end != ends.end() && end->second == walk.reached)
            return;
        farther_.begin(session_of(from), from.order, walk.side);
        TupleTableSlot *const slot = episodes_.slot_.get();
        while (!walk.is_done()) {
            const auto place = farther_.next(slot);
            if (!place) {
                ends[from.session] = walk.reached;
                return;
            }
            if (rank::Row beside; episodes_.read(slot, *place, beside))
                step(walk, rows_.add(beside));
        }
    }

    // Nothing of a row that is not seen or has expired.
    std::optional<std::uint32_t> row_at(std::uint64_t place) {
        if (const auto known = rows_.find(place))
            return known;
        TupleTableSlot *const slot = episodes_.slot_.get();
        rank::Row row;
        if (!fetch_.read(place, slot) || !episodes_.read(slot, place, row))
            return std::nullopt;
        return rows_.add(row);
    }

    EpisodeRows &episodes_;
    rank::KnownRows &rows_;
    std::pmr::vector<rank::Neighbours> &pairs_;
    SessionWindow window_;
    SessionScan farther_;
    pg::PlaceFetch fetch_;
    Ends first_;
    Ends last_;
};

void EpisodeRows::neighbours(std::span<const std::uint32_t> of, rank::KnownRows &rows,
                             std::pmr::vector<rank::Neighbours> &pairs) {
    if (!table_.readable_whole())
        return ask_for_neighbours(of, rows, pairs);
    const schema::OpenIndex by_session(table_.table(), "episodes_by_session", session_key);
    Neighbourhood neighbourhood(*this, by_session.get(), rows, pairs);
    for (const std::uint32_t number : of) {
        pg::check_for_interrupts();
        neighbourhood.add_of(number);
    }
}

// The same by a statement, to which policies apply.
void EpisodeRows::ask_for_neighbours(std::span<const std::uint32_t> of, rank::KnownRows &rows,
                                     std::pmr::vector<rank::Neighbours> &pairs) {
    std::pmr::vector<std::int32_t> numbers(memory_);
    std::pmr::vector<std::string_view> sessions(memory_);
    std::pmr::vector<pg::Instant> times(memory_);
    std::pmr::vector<rank::RowId> ids(memory_);
    for (const std::uint32_t number : of) {
        const rank::Row &row = rows[number];
        numbers.push_back(static_cast<std::int32_t>(number));
        sessions.push_back(sessions_[row.session - 1]);
        times.push_back({row.order.time});
        ids.push_back(row.order.id);
    }
    std::pmr::vector<std::pair<std::uint32_t, rank::Row>> found(memory_);
    find_neighbours.each(
        pg::SnapshotOf::caller,
        {tenant_, numbers, sessions, times, uuids(ids), table_.table().id()},
        [&](const pg::Row &row) {
            const auto [number, tid, id, occurred_at, session, importance, kind, role] =
                row.get<pg::Int4, pg::Tid, pg::Uuid, pg::Time, std::optional<pg::Text>, pg::Float8,
                        pg::Text, std::optional<pg::Text>>();
            found.emplace_back(static_cast<std::uint32_t>(number),
                               made_of({tid, id, occurred_at, session, importance, kind, role}));
        });
    std::pmr::vector<rank::Row> rooted(memory_);
    for (const auto &[number, row] : found)
        rooted.push_back(row);
    find_roots(rooted);
    for (const rank::Row &row : rooted)
        rows.add(row);
    add_pairs(found, rows, pairs);
}

// Rows around others, in any order, as pairs.
void EpisodeRows::add_pairs(std::span<std::pair<std::uint32_t, rank::Row>> found,
                            const rank::KnownRows &rows,
                            std::pmr::vector<rank::Neighbours> &pairs) {
    const auto earlier = [](const rank::NewerThenId &a, const rank::NewerThenId &b) {
        return std::pair(a.time, a.id) < std::pair(b.time, b.id);
    };
    std::sort(found.begin(), found.end(), [&](const auto &a, const auto &b) {
        return a.first != b.first ? a.first < b.first : earlier(a.second.order, b.second.order);
    });
    for (auto from = found.begin(); from != found.end();) {
        const std::uint32_t number = from->first;
        const auto end =
            std::find_if(from, found.end(), [&](const auto &one) { return one.first != number; });
        const auto behind = std::find_if(from, end, [&](const auto &one) {
            return earlier(rows[number].order, one.second.order);
        });
        for (auto at = from; at != end; ++at)
            pairs.push_back({number, *rows.find(at->second.order.id),
                             static_cast<std::int8_t>(at - behind + (at < behind ? 0 : 1))});
        from = end;
    }
}

} // namespace memory::recall
