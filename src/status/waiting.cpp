// What has expired, and jobs that wait or have failed, of all users and namespaces.
#include "status/waiting.h"

#include "access/sql.h"
#include "jobs/rules/task.h"
#include "pg/statement.h"
#include "retention/rules.h"

namespace memory::status {

namespace {

using access::operator""_sql;
using pg::SnapshotOf;
using retention::Thing;

// Merged episodes have expired before all time, and stay (lifecycle/consolidate.cpp).
MEMORY_STATEMENT(expired_episodes, R"(
    SELECT count(*), min(e.expires_at) FROM memory.episodes e
    WHERE e.expires_at <= statement_timestamp() AND e.expires_at > '-infinity')"_sql);
MEMORY_STATEMENT(expired_items, R"(
    SELECT count(*), min(i.expires_at) FROM memory.items i
    WHERE i.expires_at <= statement_timestamp())"_sql);

// Of the other things the rules of their namespaces say since when ($2) they have expired.
MEMORY_STATEMENT(find_namespaces, R"(
    SELECT DISTINCT r.namespace FROM memory.retention r
    WHERE r.ttl IS NOT NULL AND r.thing <> ALL ('{episode,item}') ORDER BY r.namespace)"_sql);
MEMORY_STATEMENT(old_sessions, R"(
    SELECT count(*), min(s.updated_at) FROM memory.sessions s
    WHERE s.namespace = $1 AND s.updated_at <= $2)"_sql);
MEMORY_STATEMENT(old_runs, R"(
    SELECT count(*), min(r.updated_at) FROM memory.runs r
    WHERE r.namespace = $1 AND r.updated_at <= $2)"_sql);
MEMORY_STATEMENT(old_checkpoints, R"(
    SELECT count(*), min(c.created_at) FROM memory.checkpoints c
    WHERE c.namespace = $1 AND c.created_at <= $2)"_sql);
// The newest of a block stays.
MEMORY_STATEMENT(old_versions, R"(
    SELECT count(*), min(v.updated_at) FROM memory.block_versions v
    WHERE v.namespace = $1 AND v.updated_at <= $2 AND EXISTS (
        SELECT FROM memory.block_versions n
        WHERE n.namespace = $1 AND n.user_id = v.user_id AND n.block = v.block
            AND n.version > v.version))"_sql);

MEMORY_STATEMENT(count_jobs, R"(
    SELECT count(*) FILTER (WHERE j.due_at < 'infinity'), min(j.due_at) FILTER (WHERE j.due_at < 'infinity'),
        count(*) FILTER (WHERE j.due_at = 'infinity' AND j.attempts > 0)
    FROM memory.jobs j WHERE j.task = $1)"_sql);

struct ByRule {
    Thing thing;
    std::string_view name;
    pg::Statement &find;
};
constexpr ByRule by_rule[] = {
    {Thing::session, "session", old_sessions},
    {Thing::run, "run", old_runs},
    {Thing::checkpoint, "checkpoint", old_checkpoints},
    {Thing::block_version, "block_version", old_versions},
};

// How many, and since when.
struct Counted {
    std::int64_t count = 0;
    std::optional<pg::Instant> since;

    void add(std::int64_t more, std::optional<TimestampTz> first) {
        count += more;
        if (first && (!since || *first < since->time))
            since = pg::Instant{*first};
    }
};

using Namespaces = std::pmr::vector<std::string_view>;

Namespaces namespaces_with_rules(std::pmr::memory_resource *memory) {
    const pg::Rows rows = find_namespaces.run(SnapshotOf::caller, {});
    Namespaces found(memory);
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        found.push_back(pg::copied_text(rows.get<pg::Text>(row)));
    return found;
}

Counted expired_by(pg::Statement &find) {
    const pg::Rows rows = find.run(SnapshotOf::caller, {});
    const auto [count, first] = rows.get<pg::Int8, std::optional<pg::Time>>(0);
    Counted expired;
    expired.add(count, first);
    return expired;
}

Counted expired_by(const ByRule &rule, const Namespaces &namespaces) {
    Counted expired;
    for (const std::string_view name_space : namespaces) {
        const retention::Rule &said = retention::rules_of(name_space).of(rule.thing);
        const auto horizon = retention::expired_at(said);
        if (!horizon)
            continue;
        const Interval ttl = *said.ttl;
        const pg::Rows rows =
            rule.find.run(SnapshotOf::caller, {name_space, pg::Instant{*horizon}});
        const auto [count, first] = rows.get<pg::Int8, std::optional<pg::Time>>(0);
        expired.add(count, first ? std::optional(retention::after(*first, ttl)) : std::nullopt);
    }
    return expired;
}

void add_line(pg::ResultSet &rows, std::string_view thing, std::string_view name,
              const Counted &counted) {
    add(rows, {.thing = thing,
               .name = name,
               .rows = counted.count,
               .exact = true,
               .since = counted.since});
}

} // namespace

void add_expired(pg::ResultSet &rows) {
    pg::ContextResource memory(CurrentMemoryContext);
    add_line(rows, "expired", "episode", expired_by(expired_episodes));
    add_line(rows, "expired", "item", expired_by(expired_items));
    const Namespaces namespaces = namespaces_with_rules(&memory);
    for (const ByRule &rule : by_rule)
        add_line(rows, "expired", rule.name, expired_by(rule, namespaces));
}

void add_jobs(pg::ResultSet &rows) {
    for (const std::string_view task : jobs::rules::task_words) {
        const pg::Rows found = count_jobs.run(SnapshotOf::caller, {task});
        const auto [waiting, first, failed] =
            found.get<pg::Int8, std::optional<pg::Time>, pg::Int8>(0);
        Counted due;
        due.add(waiting, first);
        add_line(rows, "waiting", task, due);
        add_line(rows, "failed", task, {failed, std::nullopt});
    }
}

} // namespace memory::status
