// memory.sweep(): what has expired is deleted, of all users, up to so many rows a call.
//
// The users are found that have something to delete, and then user by user, in their order, it is
// deleted as memory.forget() does: under a queue of the user's, which forget() enters, too, so that
// several sweepers follow one another and none deletes what another has counted, and under the
// locks that writers take. It is looked for again once they are had.
#include "access/call.h"
#include "access/owned_tables.h"
#include "access/queue.h"
#include "checkpoints/prune.h"
#include "items/erase.h"
#include "lifecycle/erase.h"
#include "lifecycle/locked_sessions.h"
#include "lifecycle/past_row_security.h"
#include "lifecycle/sql.h"
#include "lifecycle/tables.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "pg/uuid.h"
#include "retention/rules.h"

#include <set>

namespace memory::lifecycle {

namespace {

using pg::SnapshotOf;
using retention::Thing;

MEMORY_STATEMENT(find_namespaces, R"(
    SELECT DISTINCT r.namespace FROM memory.retention r
    WHERE r.keep IS NOT NULL OR (r.ttl IS NOT NULL AND r.thing <> ALL ('{episode,item}'))
    ORDER BY r.namespace)"_sql);

// Users with something to delete, of any namespace or of $1. Merged episodes have expired before
// all time, and stay (consolidate.cpp).
MEMORY_STATEMENT(with_expired_episodes, R"(
    SELECT e.namespace, e.user_id FROM memory.episodes e
    WHERE e.expires_at <= statement_timestamp() AND e.expires_at > '-infinity'
    GROUP BY e.namespace, e.user_id ORDER BY e.namespace, e.user_id)"_sql);
MEMORY_STATEMENT(with_expired_items, R"(
    SELECT i.namespace, i.user_id FROM memory.items i
    WHERE i.expires_at <= statement_timestamp()
    GROUP BY i.namespace, i.user_id ORDER BY i.namespace, i.user_id)"_sql);
// $2 kinds, $3 whether they are meant, or all others; $4 how many are kept.
MEMORY_STATEMENT(with_many_episodes, R"(
    SELECT e.namespace, e.user_id FROM memory.episodes e
    WHERE e.namespace = $1 AND (e.kind = ANY ($2)) = $3
    GROUP BY e.namespace, e.user_id HAVING count(*) > $4 ORDER BY e.user_id)"_sql);
MEMORY_STATEMENT(with_many_items, R"(
    SELECT i.namespace, i.user_id FROM memory.items i WHERE i.namespace = $1
    GROUP BY i.namespace, i.user_id HAVING count(*) > $2 ORDER BY i.user_id)"_sql);
// $2 a time.
MEMORY_STATEMENT(with_old_sessions, R"(
    SELECT s.namespace, s.user_id FROM memory.sessions s
    WHERE s.namespace = $1 AND s.updated_at <= $2
    GROUP BY s.namespace, s.user_id ORDER BY s.user_id)"_sql);
MEMORY_STATEMENT(with_old_runs, R"(
    SELECT r.namespace, r.user_id FROM memory.runs r
    WHERE r.namespace = $1 AND r.updated_at <= $2
    GROUP BY r.namespace, r.user_id ORDER BY r.user_id)"_sql);
MEMORY_STATEMENT(with_old_checkpoints, R"(
    SELECT c.namespace, c.user_id FROM memory.checkpoints c
    WHERE c.namespace = $1 AND c.created_at <= $2
    GROUP BY c.namespace, c.user_id ORDER BY c.user_id)"_sql);
MEMORY_STATEMENT(with_many_checkpoints, R"(
    SELECT DISTINCT m.namespace, m.user_id
    FROM (SELECT c.namespace, c.user_id FROM memory.checkpoints c WHERE c.namespace = $1
          GROUP BY c.namespace, c.user_id, c.session, c.path HAVING count(*) > $2) m
    ORDER BY m.user_id)"_sql);
MEMORY_STATEMENT(with_old_versions, R"(
    SELECT v.namespace, v.user_id FROM memory.block_versions v
    WHERE v.namespace = $1 AND v.updated_at <= $2
    GROUP BY v.namespace, v.user_id ORDER BY v.user_id)"_sql);
MEMORY_STATEMENT(with_many_versions, R"(
    SELECT DISTINCT m.namespace, m.user_id
    FROM (SELECT v.namespace, v.user_id FROM memory.block_versions v WHERE v.namespace = $1
          GROUP BY v.namespace, v.user_id, v.block HAVING count(*) > $2) m
    ORDER BY m.user_id)"_sql);

// Of one user, at most $3.
MEMORY_STATEMENT(expired_episodes, R"(
    SELECT e.id FROM memory.episodes e
    WHERE {tenant:e} AND e.expires_at <= statement_timestamp() AND e.expires_at > '-infinity'
    ORDER BY e.expires_at, e.id LIMIT $3)"_sql);
MEMORY_STATEMENT(older_episodes, R"(
    SELECT e.id FROM memory.episodes e WHERE {tenant:e} AND (e.kind = ANY ($4)) = $5
    ORDER BY e.occurred_at DESC, e.id DESC OFFSET $6 LIMIT $3)"_sql);
// The sessions that something goes of: at most $3 that have expired by $4, at most as many runs of
// which have by $5, and those with messages of the ids $6.
MEMORY_STATEMENT(sessions_of, R"(
    (SELECT s.session_id FROM memory.sessions s WHERE {tenant:s} AND s.updated_at <= $4
     ORDER BY s.session_id LIMIT $3)
    UNION
    SELECT s.session_id FROM memory.sessions s
    WHERE {tenant:s} AND s.key = ANY (ARRAY(
        SELECT r.session FROM memory.runs r WHERE {tenant:r} AND r.updated_at <= $5 LIMIT $3))
    UNION
    SELECT s.session_id FROM memory.sessions s
    WHERE {tenant:s} AND s.key = ANY (ARRAY(
        SELECT m.session FROM memory.messages m WHERE {tenant:m} AND m.id = ANY ($6))))"_sql,
                 pg::Statement::for_each_values);
// $3 keys of sessions that are locked, $4 a time.
MEMORY_STATEMENT(old_among, R"(
    SELECT s.key, s.session_id FROM memory.sessions s
    WHERE {tenant:s} AND s.key = ANY ($3) AND s.updated_at <= $4)"_sql);
MEMORY_STATEMENT(of_sessions, R"(
    SELECT e.id FROM memory.episodes e WHERE {tenant:e} AND e.session_id = ANY ($3)
    UNION
    SELECT m.id FROM memory.messages m WHERE {tenant:m} AND m.session = ANY ($4))"_sql);
MEMORY_STATEMENT(delete_sessions, R"(
    DELETE FROM memory.sessions s WHERE {tenant:s} AND s.key = ANY ($3))"_sql);
MEMORY_STATEMENT(delete_runs, R"(
    DELETE FROM memory.runs r
    WHERE {tenant:r} AND r.session = ANY ($3) AND r.updated_at <= $4)"_sql);
// Versions behind the newest, of which $4 stay, or those that are younger than $5; with what the
// oldest that stays says of the one before it.
MEMORY_STATEMENT(delete_versions, R"(
    WITH place AS (
            SELECT v.block, v.version, v.updated_at,
                row_number() OVER (PARTITION BY v.block ORDER BY v.version DESC) AS newest
            FROM memory.block_versions v WHERE {tenant:v}),
        goes AS (
            SELECT p.block, p.version FROM place p
            WHERE p.newest > 1 AND (p.newest > $4 OR p.updated_at <= $5)
            ORDER BY p.version LIMIT $3),
        gone AS (
            DELETE FROM memory.block_versions v USING goes g
            WHERE {tenant:v} AND v.block = g.block AND v.version = g.version
            RETURNING v.block, v.version),
        ends AS (SELECT g.block, max(g.version) AS version FROM gone g GROUP BY g.block),
        first AS (
            UPDATE memory.block_versions v SET kept_before = 0, taken = '', kept_behind = 0
            FROM ends e
            WHERE {tenant:v} AND v.block = e.block AND v.version = (
                SELECT min(p.version) FROM place p
                WHERE p.block = e.block AND p.version > e.version))
    SELECT count(*) FROM gone g)"_sql);

// What the rules of a namespace say of all its users.
struct Limits {
    struct Kept {
        std::pmr::vector<std::string_view> kinds;
        bool those; // or all others
        std::int64_t count;
    };

    Limits(std::string_view name_space, std::pmr::memory_resource *memory);

    std::optional<pg::Instant> sessions; // what was written last at this time or before has expired
    std::optional<pg::Instant> runs;
    std::optional<pg::Instant> checkpoints;
    std::optional<pg::Instant> versions;
    std::optional<std::int64_t> kept_checkpoints;
    std::optional<std::int64_t> kept_items;
    std::optional<std::int64_t> kept_versions;
    std::pmr::vector<Kept> kept_episodes;
};

Limits::Limits(std::string_view name_space, std::pmr::memory_resource *memory)
    : kept_episodes(memory) {
    const retention::Rules &rules = retention::rules_of(name_space);
    const auto horizon = [&rules](Thing thing) {
        const auto time = retention::expired_at(rules.of(thing));
        return time ? std::optional(pg::Instant{*time}) : std::nullopt;
    };
    sessions = horizon(Thing::session);
    runs = horizon(Thing::run);
    checkpoints = horizon(Thing::checkpoint);
    versions = horizon(Thing::block_version);
    kept_checkpoints = rules.of(Thing::checkpoint).keep;
    kept_items = rules.of(Thing::item).keep;
    kept_versions = rules.of(Thing::block_version).keep;
    // The newest of each kind with a rule of its own, and of all others together.
    std::pmr::vector<std::string_view> own(memory);
    for (const retention::KindRule &one : rules.kinds()) {
        own.push_back(pg::copied_text(one.kind));
        if (one.rule.keep)
            kept_episodes.push_back({{{own.back()}, memory}, true, *one.rule.keep});
    }
    if (const auto others = rules.of(Thing::episode).keep)
        kept_episodes.push_back({{own, memory}, false, *others});
}

// The users with something to delete, of all namespaces, each once and in order: sweepers go
// through them the same way, and none waits for one that waits for it.
class Users {
  public:
    explicit Users(std::pmr::memory_resource *memory) : memory_(memory), users_(memory) {
        add(with_expired_episodes.run(SnapshotOf::now, {}));
        add(with_expired_items.run(SnapshotOf::now, {}));
        const pg::Rows rows = find_namespaces.run(SnapshotOf::now, {});
        std::pmr::vector<std::string_view> namespaces(memory);
        for (std::uint64_t row = 0; row < rows.size(); ++row)
            namespaces.push_back(pg::copied_text(rows.get<pg::Text>(row)));
        for (const std::string_view one : namespaces)
            find(one, Limits(one, memory));
    }

    auto begin() const { return users_.begin(); }
    auto end() const { return users_.end(); }

  private:
    using Name = std::pair<std::pmr::string, std::pmr::string>;

    void add(const pg::Rows &rows) {
        for (std::uint64_t row = 0; row < rows.size(); ++row) {
            const auto [name_space, user] = rows.get<pg::Text, pg::Text>(row);
            users_.emplace(std::pmr::string(name_space, memory_), std::pmr::string(user, memory_));
        }
    }
    void find(std::string_view of, const Limits &limits) {
        const auto old = [&](pg::Statement &statement, const std::optional<pg::Instant> &time) {
            if (time)
                add(statement.run(SnapshotOf::now, {of, *time}));
        };
        const auto many = [&](pg::Statement &statement, const std::optional<std::int64_t> &keep) {
            if (keep)
                add(statement.run(SnapshotOf::now, {of, *keep}));
        };
        old(with_old_sessions, limits.sessions);
        old(with_old_runs, limits.runs);
        old(with_old_checkpoints, limits.checkpoints);
        old(with_old_versions, limits.versions);
        many(with_many_checkpoints, limits.kept_checkpoints);
        many(with_many_items, limits.kept_items);
        many(with_many_versions, limits.kept_versions);
        for (const Limits::Kept &one : limits.kept_episodes)
            add(with_many_episodes.run(SnapshotOf::now, {of, one.kinds, one.those, one.count}));
    }

    std::pmr::memory_resource *memory_;
    std::pmr::set<Name> users_;
};

// What goes of one user. All that is locked is locked in the order of other calls: sessions, items,
// lines of facts, episodes.
class Sweeping {
  public:
    Sweeping(const access::Tenant &tenant, const Limits &limits, std::int64_t most,
             Receipt &receipt, std::pmr::memory_resource *memory)
        : tenant_(tenant), limits_(limits), most_(most), receipt_(receipt), memory_(memory) {}

    // How many rows have been deleted, `most` or about so many.
    std::int64_t run();

  private:
    Ids expired() const;
    std::pmr::vector<sessions::Locked> lock(std::span<const pg_uuid_t> episodes) const;
    void erase_items();
    void erase_versions();
    void erase_checkpoints(std::span<const sessions::Locked> locked);
    void erase_runs(const LockedSessions &sessions);
    Ids still_old(const LockedSessions &sessions, Ids &episodes) const;

    const access::Tenant &tenant_;
    const Limits &limits_;
    std::int64_t most_;
    std::int64_t gone_ = 0;
    Receipt &receipt_;
    std::pmr::memory_resource *memory_;
};

void add_ids(const pg::Rows &rows, Ids &to) {
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        to.push_back(rows.get<pg::Uuid>(row));
}

// Episodes that go by themselves, each once.
Ids Sweeping::expired() const {
    Ids ids(memory_);
    add_ids(expired_episodes.run(SnapshotOf::now, {tenant_, most_}), ids);
    for (const Limits::Kept &one : limits_.kept_episodes)
        add_ids(
            older_episodes.run(SnapshotOf::now, {tenant_, most_, one.kinds, one.those, one.count}),
            ids);
    const std::span<const pg_uuid_t> once = pg::unique_ids(ids);
    return {once.begin(), once.end(), memory_};
}

// All sessions that something is deleted of, in one go.
std::pmr::vector<sessions::Locked> Sweeping::lock(std::span<const pg_uuid_t> episodes) const {
    if (limits_.checkpoints || limits_.kept_checkpoints)
        return sessions::lock_to_delete(tenant_, std::nullopt, memory_);
    std::pmr::vector<std::string_view> names(memory_);
    const pg::Rows rows = sessions_of.run(
        SnapshotOf::now, {tenant_, most_, limits_.sessions, limits_.runs, episodes});
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        names.push_back(pg::copied_text(rows.get<pg::Text>(row)));
    return sessions::lock_to_delete(tenant_, std::span<const std::string_view>(names), memory_);
}

void Sweeping::erase_items() {
    const auto note = [this](const items::Erased &erased) {
        receipt_.add("items", erased.items);
        receipt_.add("item_embeddings", erased.vectors);
        gone_ += erased.items;
    };
    note(items::erase_expired(tenant_, most_));
    if (limits_.kept_items)
        note(items::erase_older(tenant_, *limits_.kept_items, most_));
}

void Sweeping::erase_versions() {
    if (!limits_.versions && !limits_.kept_versions)
        return;
    const auto gone =
        delete_versions
            .run(SnapshotOf::now, {tenant_, most_, limits_.kept_versions, limits_.versions})
            .get<pg::Int8>(0);
    receipt_.add("block_versions", gone);
    gone_ += gone;
}

void Sweeping::erase_checkpoints(std::span<const sessions::Locked> locked) {
    if (limits_.checkpoints)
        checkpoints::prune_before(tenant_, locked, *limits_.checkpoints, memory_);
    if (limits_.kept_checkpoints)
        checkpoints::prune_to(tenant_, locked, *limits_.kept_checkpoints, memory_);
}

// Counted with what else the sessions lose.
void Sweeping::erase_runs(const LockedSessions &sessions) {
    if (limits_.runs)
        delete_runs.run(SnapshotOf::now, {tenant_, sessions.keys(), *limits_.runs});
}

// Of the locked sessions those that have expired, with the ids of what was written into them.
Ids Sweeping::still_old(const LockedSessions &sessions, Ids &episodes) const {
    Ids keys(memory_);
    if (!limits_.sessions)
        return keys;
    std::pmr::vector<std::string_view> names(memory_);
    const pg::Rows old =
        old_among.run(SnapshotOf::now, {tenant_, sessions.keys(), *limits_.sessions});
    for (std::uint64_t row = 0; row < old.size(); ++row) {
        const auto [key, name] = old.get<pg::Uuid, pg::Text>(row);
        keys.push_back(key);
        names.push_back(pg::copied_text(name));
    }
    add_ids(of_sessions.run(SnapshotOf::now, {tenant_, names, keys}), episodes);
    return keys;
}

std::int64_t Sweeping::run() {
    const std::pmr::vector<sessions::Locked> locked = lock(expired());
    const LockedSessions sessions(tenant_, locked, memory_);
    erase_items();
    erase_versions();
    erase_checkpoints(locked);
    erase_runs(sessions);
    // Looked for again: what was written until the locks were had may stay.
    Ids ids = expired();
    const Ids old = still_old(sessions, ids);
    erase_episodes(tenant_, pg::unique_ids(ids), sessions.keys(), receipt_, memory_);
    delete_sessions.write({tenant_, old}, "sessions", old.size());
    receipt_.add("sessions", static_cast<std::int64_t>(old.size()));
    gone_ += static_cast<std::int64_t>(ids.size() + old.size());
    return gone_ + sessions.count_lost(receipt_);
}

void sweep(std::int64_t batch, Receipt &receipt, std::pmr::memory_resource *memory) {
    std::optional<std::pair<std::string_view, Limits>> limits;
    for (const auto &[name_space, user] : Users(memory)) {
        pg::check_for_interrupts();
        const access::Tenant tenant{name_space, user};
        if (!limits || limits->first != tenant.name_space)
            limits.emplace(tenant.name_space, Limits(tenant.name_space, memory));
        access::queue(tenant, "retention");
        batch -= Sweeping(tenant, limits->second, batch, receipt, memory).run();
        if (batch <= 0)
            return;
    }
}

} // namespace

MEMORY_CALL(memory_sweep, "batch bigint") {
    const std::int64_t batch = call.bigint("batch").between(1, access::most_rows).or_else(10'000);
    schema::require_all(schema::Need::to_write);
    const access::Connection connection(schema::Need::to_write, call, room);
    const PastRowSecurity acting("memory.sweep");
    pg::ContextResource memory(CurrentMemoryContext);
    Receipt receipt(&memory);
    sweep(batch, receipt, &memory);
    return call.result(pg::Document{receipt.as_json()});
}

} // namespace memory::lifecycle
