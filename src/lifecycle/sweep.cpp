// memory.sweep(): what has expired is deleted, of all users, up to so many rows a call.
//
// For each kind of thing the users are found that have something to delete, and then user by user,
// in their order, it is deleted as memory.forget() does: under a queue of the user's, so that
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
#include "retention/rules.h"

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
MEMORY_STATEMENT(old_sessions, R"(
    SELECT s.session_id FROM memory.sessions s WHERE {tenant:s} AND s.updated_at <= $4
    ORDER BY s.session_id LIMIT $3)"_sql);
// $3 keys of sessions that are locked, $4 a time.
MEMORY_STATEMENT(still_old, R"(
    SELECT s.key, s.session_id FROM memory.sessions s
    WHERE {tenant:s} AND s.key = ANY ($3) AND s.updated_at <= $4)"_sql);
MEMORY_STATEMENT(of_sessions, R"(
    SELECT e.id FROM memory.episodes e WHERE {tenant:e} AND e.session_id = ANY ($3)
    UNION
    SELECT m.id FROM memory.messages m WHERE {tenant:m} AND m.session = ANY ($4))"_sql);
MEMORY_STATEMENT(delete_sessions, R"(
    DELETE FROM memory.sessions s WHERE {tenant:s} AND s.key = ANY ($3))"_sql);
// $3 how many, $4 a time; in the order of their sessions' names.
MEMORY_STATEMENT(sessions_of_old_runs, R"(
    SELECT s.session_id FROM memory.sessions s
    WHERE {tenant:s} AND s.key = ANY (ARRAY(
        SELECT r.session FROM memory.runs r WHERE {tenant:r} AND r.updated_at <= $4 LIMIT $3)))"_sql);
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

using Tenants = std::pmr::vector<access::Tenant>;

class Sweeping {
  public:
    Sweeping(std::int64_t batch, Receipt &receipt, std::pmr::memory_resource *memory)
        : left_(batch), receipt_(receipt), memory_(memory) {}

    void run();

  private:
    // Calls clean(tenant) for each, under its queue, while rows may still be deleted.
    template <class Clean>
    void each(const pg::Rows &rows, Clean &&clean);
    void namespace_of(std::string_view name_space);
    void kinds_of(std::string_view name_space);
    void versions_of(std::string_view name_space);
    void keep_episodes(std::string_view name_space, std::span<const std::string_view> kinds,
                       bool those, std::int64_t keep);
    void erase(const access::Tenant &tenant, const pg::Rows &rows);
    void erase_sessions(const access::Tenant &tenant, pg::Instant horizon);
    void erase_runs(const access::Tenant &tenant, pg::Instant horizon);
    template <class Prune>
    void erase_checkpoints(const access::Tenant &tenant, Prune &&prune);
    void note(const items::Erased &erased);
    std::optional<pg::Instant> horizon_of(std::string_view name_space, Thing thing) const;

    std::int64_t left_; // how many rows this call may still delete
    Receipt &receipt_;
    std::pmr::memory_resource *memory_;
};

template <class Clean>
void Sweeping::each(const pg::Rows &rows, Clean &&clean) {
    Tenants tenants(memory_);
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto [name_space, user] = rows.get<pg::Text, pg::Text>(row);
        tenants.push_back({pg::copied_text(name_space), pg::copied_text(user)});
    }
    for (const access::Tenant &tenant : tenants) {
        if (left_ <= 0)
            return;
        pg::check_for_interrupts();
        access::queue(tenant, "retention");
        clean(tenant);
    }
}

std::optional<pg::Instant> Sweeping::horizon_of(std::string_view name_space, Thing thing) const {
    const auto time = retention::expired_at(retention::rules_of(name_space).of(thing));
    return time ? std::optional(pg::Instant{*time}) : std::nullopt;
}

void Sweeping::erase(const access::Tenant &tenant, const pg::Rows &rows) {
    Ids ids(memory_);
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        ids.push_back(rows.get<pg::Uuid>(row));
    const auto locked = sessions::lock_sessions_of(tenant, ids, memory_);
    const LockedSessions sessions(tenant, locked, memory_);
    erase_episodes(tenant, ids, receipt_, memory_);
    sessions.count_lost(receipt_);
    left_ -= static_cast<std::int64_t>(ids.size());
}

void Sweeping::erase_sessions(const access::Tenant &tenant, pg::Instant horizon) {
    const pg::Rows rows = old_sessions.run(SnapshotOf::now, {tenant, left_, horizon});
    std::pmr::vector<std::string_view> names(memory_);
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        names.push_back(pg::copied_text(rows.get<pg::Text>(row)));
    const auto locked =
        sessions::lock_to_delete(tenant, std::span<const std::string_view>(names), memory_);
    const LockedSessions sessions(tenant, locked, memory_);
    Ids keys(memory_);
    names.clear();
    const pg::Rows old = still_old.run(SnapshotOf::now, {tenant, sessions.keys(), horizon});
    for (std::uint64_t row = 0; row < old.size(); ++row) {
        const auto [key, name] = old.get<pg::Uuid, pg::Text>(row);
        keys.push_back(key);
        names.push_back(pg::copied_text(name));
    }
    Ids ids(memory_);
    const pg::Rows found = of_sessions.run(SnapshotOf::now, {tenant, names, keys});
    for (std::uint64_t row = 0; row < found.size(); ++row)
        ids.push_back(found.get<pg::Uuid>(row));
    erase_episodes(tenant, ids, receipt_, memory_);
    delete_sessions.write({tenant, keys}, "sessions", keys.size());
    receipt_.add("sessions", static_cast<std::int64_t>(keys.size()));
    sessions.count_lost(receipt_);
    left_ -= static_cast<std::int64_t>(keys.size() + ids.size());
}

void Sweeping::erase_runs(const access::Tenant &tenant, pg::Instant horizon) {
    const pg::Rows rows = sessions_of_old_runs.run(SnapshotOf::now, {tenant, left_, horizon});
    std::pmr::vector<std::string_view> names(memory_);
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        names.push_back(pg::copied_text(rows.get<pg::Text>(row)));
    const auto locked =
        sessions::lock_to_delete(tenant, std::span<const std::string_view>(names), memory_);
    Ids keys(memory_);
    for (const sessions::Locked &session : locked)
        keys.push_back(session.key);
    const pg::Rows gone = delete_runs.run(SnapshotOf::now, {tenant, keys, horizon});
    receipt_.add("runs", static_cast<std::int64_t>(gone.size()));
    left_ -= static_cast<std::int64_t>(gone.size());
}

template <class Prune>
void Sweeping::erase_checkpoints(const access::Tenant &tenant, Prune &&prune) {
    const auto locked = sessions::lock_to_delete(tenant, std::nullopt, memory_);
    const LockedSessions sessions(tenant, locked, memory_);
    prune(locked);
    left_ -= sessions.count_lost(receipt_);
}

void Sweeping::note(const items::Erased &erased) {
    receipt_.add("items", erased.items);
    receipt_.add("item_embeddings", erased.vectors);
    left_ -= erased.items;
}

void Sweeping::keep_episodes(std::string_view name_space, std::span<const std::string_view> kinds,
                             bool those, std::int64_t keep) {
    each(
        with_many_episodes.run(SnapshotOf::now, {name_space, kinds, those, keep}),
        [&](const access::Tenant &tenant) {
            erase(tenant, older_episodes.run(SnapshotOf::now, {tenant, left_, kinds, those, keep}));
        });
}

// The newest of each kind with a rule of its own, and of all others together.
void Sweeping::kinds_of(std::string_view name_space) {
    struct Kept {
        std::string_view kind;
        std::optional<std::int64_t> keep;
    };
    std::pmr::vector<Kept> kept(memory_);
    std::pmr::vector<std::string_view> own(memory_);
    const retention::Rules &rules = retention::rules_of(name_space);
    for (const retention::KindRule &one : rules.kinds()) {
        own.push_back(pg::copied_text(one.kind));
        kept.push_back({own.back(), one.rule.keep});
    }
    const std::optional<std::int64_t> others = rules.of(Thing::episode).keep;
    for (const Kept &one : kept)
        if (one.keep)
            keep_episodes(name_space, std::span(&one.kind, 1), true, *one.keep);
    if (others)
        keep_episodes(name_space, own, false, *others);
}

void Sweeping::versions_of(std::string_view name_space) {
    const auto horizon = horizon_of(name_space, Thing::block_version);
    const auto keep = retention::rules_of(name_space).of(Thing::block_version).keep;
    const auto clean = [&](const access::Tenant &tenant) {
        const auto gone =
            delete_versions.run(SnapshotOf::now, {tenant, left_, keep, horizon}).get<pg::Int8>(0);
        receipt_.add("block_versions", gone);
        left_ -= gone;
    };
    if (horizon)
        each(with_old_versions.run(SnapshotOf::now, {name_space, *horizon}), clean);
    if (keep)
        each(with_many_versions.run(SnapshotOf::now, {name_space, *keep}), clean);
}

void Sweeping::namespace_of(std::string_view name_space) {
    if (const auto horizon = horizon_of(name_space, Thing::session))
        each(with_old_sessions.run(SnapshotOf::now, {name_space, *horizon}),
             [&](const access::Tenant &tenant) { erase_sessions(tenant, *horizon); });
    if (const auto horizon = horizon_of(name_space, Thing::run))
        each(with_old_runs.run(SnapshotOf::now, {name_space, *horizon}),
             [&](const access::Tenant &tenant) { erase_runs(tenant, *horizon); });
    if (const auto horizon = horizon_of(name_space, Thing::checkpoint))
        each(with_old_checkpoints.run(SnapshotOf::now, {name_space, *horizon}),
             [&](const access::Tenant &tenant) {
                 erase_checkpoints(tenant, [&](const auto &locked) {
                     checkpoints::prune_before(tenant, locked, *horizon, memory_);
                 });
             });
    if (const auto keep = retention::rules_of(name_space).of(Thing::checkpoint).keep)
        each(with_many_checkpoints.run(SnapshotOf::now, {name_space, *keep}),
             [&](const access::Tenant &tenant) {
                 erase_checkpoints(tenant, [&](const auto &locked) {
                     checkpoints::prune_to(tenant, locked, *keep, memory_);
                 });
             });
    if (const auto keep = retention::rules_of(name_space).of(Thing::item).keep)
        each(with_many_items.run(SnapshotOf::now, {name_space, *keep}),
             [&](const access::Tenant &tenant) { note(items::erase_older(tenant, *keep, left_)); });
    kinds_of(name_space);
    versions_of(name_space);
}

void Sweeping::run() {
    each(with_expired_episodes.run(SnapshotOf::now, {}), [&](const access::Tenant &tenant) {
        erase(tenant, expired_episodes.run(SnapshotOf::now, {tenant, left_}));
    });
    each(with_expired_items.run(SnapshotOf::now, {}),
         [&](const access::Tenant &tenant) { note(items::erase_expired(tenant, left_)); });
    const pg::Rows rows = find_namespaces.run(SnapshotOf::now, {});
    std::pmr::vector<std::string_view> namespaces(memory_);
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        namespaces.push_back(pg::copied_text(rows.get<pg::Text>(row)));
    for (const std::string_view name_space : namespaces)
        if (left_ > 0)
            namespace_of(name_space);
}

} // namespace

MEMORY_CALL(memory_sweep, "batch bigint") {
    const std::int64_t batch = call.bigint("batch").between(1, access::most_rows).or_else(10'000);
    schema::require_all(schema::Need::to_write);
    const access::Connection connection(schema::Need::to_write, call, room);
    const PastRowSecurity acting("memory.sweep");
    pg::ContextResource memory(CurrentMemoryContext);
    Receipt receipt(&memory);
    Sweeping(batch, receipt, &memory).run();
    return call.result(pg::Document{receipt.as_json()});
}

} // namespace memory::lifecycle
