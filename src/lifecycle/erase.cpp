// Deleting episodes and facts for good.
//
// A fact is asserted under its line's lock, and then takes a key share lock on each episode that it
// comes from. In the same order they are locked here: lines first, then episodes. Then no fact can
// name one of them any more, and what was asserted while the locks were waited for is found.
#include "lifecycle/erase.h"

#include "facts/forget.h"
#include "lifecycle/rows.h"
#include "lifecycle/sql.h"
#include "pg/statement.h"
#include "sessions/log.h"

namespace memory::lifecycle {

namespace {

using pg::SnapshotOf;

// $3 ids, here and below.
MEMORY_STATEMENT(lock_episodes, R"(
    SELECT FROM memory.episodes e WHERE {tenant:e} AND e.id = ANY ($3)
    ORDER BY e.id FOR UPDATE)"_sql,
                 pg::Statement::for_each_values);

MEMORY_STATEMENT(delete_episodes, R"(
    WITH gone AS (DELETE FROM memory.episodes e WHERE {tenant:e} AND e.id = ANY ($3) RETURNING e.id)
    SELECT count(*), array_agg(g.id) FROM gone g)"_sql,
                 pg::Statement::for_each_values);

MEMORY_STATEMENT(find_messages, R"(
    SELECT array_agg(DISTINCT m.id) FROM memory.messages m
    WHERE {tenant:m} AND m.id = ANY ($3))"_sql,
                 pg::Statement::for_each_values);

// Of these, those that have no message in a session but the locked ones, $4.
MEMORY_STATEMENT(without_other_sessions, R"(
    SELECT i.id FROM unnest($3::uuid[]) i (id)
    WHERE NOT EXISTS (SELECT FROM memory.messages m
                      WHERE {tenant:m} AND m.id = i.id AND m.session <> ALL ($4)))"_sql,
                 pg::Statement::for_each_values);

// What was merged into one of these comes back, by a trigger.
MEMORY_STATEMENT(delete_mergers, R"(
    DELETE FROM memory.merged_episodes m WHERE {tenant:m} AND m.kept = ANY ($3))"_sql,
                 pg::Statement::for_each_values);

MEMORY_STATEMENT(delete_summaries, R"(
    WITH dropped AS (
        SELECT m.session, min(m.seq) AS seq FROM memory.messages m
        WHERE {tenant:m} AND m.path = '' AND m.id = ANY ($3) GROUP BY m.session)
    DELETE FROM memory.summaries y USING dropped m
    WHERE {tenant:y} AND y.session = m.session AND y.upto >= m.seq)"_sql,
                 pg::Statement::for_each_values);

void drop_messages(const access::Tenant &tenant, std::span<const pg_uuid_t> ids, Receipt &receipt) {
    const pg::Rows rows = find_messages.run(SnapshotOf::now, {tenant, ids});
    const auto messages = rows.find<pg::Uuids>(0, 0);
    if (!messages)
        return;
    receipt.add_ids(*messages);
    delete_summaries.run(SnapshotOf::now, {tenant, ids});
    sessions::drop(tenant, ids);
}

} // namespace

void erase_facts(const access::Tenant &tenant, std::span<const pg_uuid_t> versions,
                 Receipt &receipt) {
    const facts::Erased erased = facts::erase(tenant, versions);
    const auto count = static_cast<std::uint64_t>(erased.facts);
    if (count != versions.size())
        pg::throw_kept_out("facts", count, versions.size());
    receipt.add("facts", erased.facts);
    receipt.add("fact_sources", erased.sources);
    receipt.add("fact_embeddings", erased.vectors);
    receipt.add("timelines", erased.lines);
    receipt.add_ids(versions);
}

void erase_episodes(const access::Tenant &tenant, std::span<const pg_uuid_t> meant,
                    std::span<const pg_uuid_t> sessions, Receipt &receipt,
                    std::pmr::memory_resource *memory) {
    if (meant.empty())
        return;
    Ids ids(memory);
    const pg::Rows found = without_other_sessions.run(SnapshotOf::now, {tenant, meant, sessions});
    for (std::uint64_t row = 0; row < found.size(); ++row)
        ids.push_back(found.get<pg::Uuid>(row));
    facts::lock_lines_from(tenant, ids);
    const std::uint64_t locked = lock_episodes.run(SnapshotOf::now, {tenant, ids}).size();
    const facts::Ids derived = facts::derived_from(tenant, ids, memory);
    facts::lock_lines_of(tenant, derived);
    erase_facts(tenant, derived, receipt);
    each_table_of_users([&](const schema::Table &table) {
        if (table.of == schema::Of::episode)
            receipt.add(table.name, delete_of_episodes(tenant, table, ids));
    });
    receipt.add("merged_episodes", static_cast<std::int64_t>(
                                       delete_mergers.run(SnapshotOf::now, {tenant, ids}).size()));
    drop_messages(tenant, ids, receipt);
    const pg::Rows rows = delete_episodes.run(SnapshotOf::now, {tenant, ids});
    const auto [count, gone] = rows.get<pg::Int8, std::optional<pg::Uuids>>(0);
    if (static_cast<std::uint64_t>(count) != locked)
        pg::throw_kept_out("episodes", static_cast<std::uint64_t>(count), locked);
    receipt.add("episodes", count);
    receipt.add_ids(gone.value_or(std::span<const pg_uuid_t>()));
}

} // namespace memory::lifecycle
