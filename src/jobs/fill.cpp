// A look is a job of one user, whose target is how far it has come: ids after which to go on. It is
// due again behind the jobs that it has queued, so that the queue stays short.
#include "jobs/fill.h"

#include "jobs/sql.h"
#include "pg/memory.h"
#include "pg/statement.h"

extern "C" {
#include "utils/timestamp.h"
}

namespace memory::jobs {

namespace {

using pg::SnapshotOf;

constexpr std::int64_t rows_a_time = 1000;

MEMORY_STATEMENT(queue_episodes, R"(
    INSERT INTO memory.jobs (namespace, user_id, task, thing, target)
    SELECT DISTINCT $1, t.user_id, 'embed', 'episodes', '00000000-0000-0000-0000-000000000000'::uuid
    FROM memory.episodes t WHERE t.namespace = $1
    ON CONFLICT (namespace, user_id, task, thing, target) DO NOTHING)"_sql);

MEMORY_STATEMENT(queue_facts, R"(
    INSERT INTO memory.jobs (namespace, user_id, task, thing, target)
    SELECT DISTINCT $1, t.user_id, 'embed', 'facts', '00000000-0000-0000-0000-000000000000'::uuid
    FROM memory.facts t WHERE t.namespace = $1
    ON CONFLICT (namespace, user_id, task, thing, target) DO NOTHING)"_sql);

MEMORY_STATEMENT(queue_items, R"(
    INSERT INTO memory.jobs (namespace, user_id, task, thing, target)
    SELECT DISTINCT $1, t.user_id, 'embed', 'items', '00000000-0000-0000-0000-000000000000'::uuid
    FROM memory.items t WHERE t.namespace = $1
    ON CONFLICT (namespace, user_id, task, thing, target) DO NOTHING)"_sql);

// The next rows from id $3 on, and whether each has a vector by model $4.
MEMORY_STATEMENT(find_episodes, R"(
    SELECT e.id, NOT {lives:e} OR EXISTS (
        SELECT FROM memory.embeddings v
        WHERE {tenant:v} AND v.episode_id = e.id AND v.model = $4)
    FROM memory.episodes e WHERE {tenant:e} AND e.id >= $3 ORDER BY e.id LIMIT $5)"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(find_facts, R"(
    SELECT f.id, EXISTS (
        SELECT FROM memory.fact_embeddings v
        WHERE {tenant:v} AND v.subject_key = f.subject_key AND v.predicate = f.predicate
            AND v.object_key = f.object_key AND v.model = $4)
    FROM memory.facts f WHERE {tenant:f} AND f.id >= $3 ORDER BY f.id LIMIT $5)"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(find_items, R"(
    SELECT i.id, NOT {lives:i} OR EXISTS (
        SELECT FROM memory.item_embeddings v
        WHERE {tenant:v} AND v.item = i.id AND v.model = $4)
    FROM memory.items i WHERE {tenant:i} AND i.id >= $3 ORDER BY i.id LIMIT $5)"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(queue_all, R"(
    INSERT INTO memory.jobs (namespace, user_id, task, thing, target)
    SELECT $1, $2, 'embed', $3, t FROM unnest($4::uuid[]) t
    ON CONFLICT (namespace, user_id, task, thing, target) DO NOTHING)"_sql);

struct Look {
    std::string_view things;
    std::string_view thing;
    pg::Statement &queue;
    pg::Statement &find;
};

constinit const Look looks[]{
    {"episodes", "episode", queue_episodes, find_episodes},
    {"facts", "fact", queue_facts, find_facts},
    {"items", "item", queue_items, find_items},
};

const Look *look_of(const Job &job) {
    const auto *const found =
        std::find_if(std::begin(looks), std::end(looks),
                     [&](const Look &one) { return one.things == job.thing; });
    return found == std::end(looks) ? nullptr : found;
}

struct Next {
    std::span<const pg_uuid_t> without; // a vector
    pg_uuid_t last;
    bool is_last;
};

Next next_rows(const Look &look, const Job &job, const Model &model, const pg_uuid_t &from) {
    const pg::Rows rows =
        look.find.run(SnapshotOf::now, {job.tenant, from, model.name, rows_a_time});
    auto *without = static_cast<pg_uuid_t *>(
        pg::call([] { return palloc(static_cast<Size>(rows_a_time) * sizeof(pg_uuid_t)); }));
    std::size_t count = 0;
    pg_uuid_t last = from;
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto [id, has_vector] = rows.get<pg::Uuid, pg::Bool>(row);
        last = id;
        if (!has_vector)
            without[count++] = id;
    }
    return {{without, count}, last, rows.size() < static_cast<std::uint64_t>(rows_a_time)};
}

} // namespace

void queue_fill(std::string_view name_space) {
    for (const Look &look : looks)
        look.queue.run(SnapshotOf::now, {name_space});
}

bool is_to_fill(const Job &job) { return look_of(job) != nullptr; }

bool fill(const Job &job, const Model &model) {
    const Look &look = *look_of(job);
    pg::TemporaryContext per_time("memory.next_jobs: filling");
    pg_uuid_t from = job.target;
    for (;;) {
        pg::check_for_interrupts();
        const pg::SwitchedContext switched(per_time.get());
        const Next next = next_rows(look, job, model, from);
        if (!next.without.empty() || next.is_last) {
            drop(job);
            queue_all.run(SnapshotOf::now, {job.tenant, look.thing, next.without});
            if (!next.is_last)
                queue(job.tenant, job.task, job.thing, next.last,
                      {pg::call([] { return GetCurrentTimestamp(); })});
            return !next.without.empty();
        }
        from = next.last;
        per_time.reset();
    }
}

} // namespace memory::jobs
