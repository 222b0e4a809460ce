// The task profile: what is known of a user.
//
// Each episode that is written waits in the queue, due never, until there are enough of them; then
// one of them is due, and stands for all. A claim covers those that wait at that moment; with the
// answer they are out of the queue.
#include "jobs/sql.h"
#include "jobs/work.h"

#include "conversations/policy.h"
#include "conversations/profile.h"
#include "models/tasks.h"
#include "pg/arrays.h"
#include "pg/error.h"
#include "pg/statement.h"

namespace memory::jobs {

namespace {

using pg::SnapshotOf;

// Of one claim: what a model has room for.
constexpr std::int64_t most_episodes = 50;

MEMORY_STATEMENT(drop_all, R"(
    DELETE FROM memory.jobs j
    WHERE {tenant:j} AND j.task = 'profile' AND j.thing = 'episode')"_sql);

MEMORY_STATEMENT(drop_gone, R"(
    DELETE FROM memory.jobs j
    WHERE {tenant:j} AND j.task = 'profile' AND j.thing = 'episode' AND NOT EXISTS (
        SELECT FROM memory.episodes e WHERE {tenant:e} AND e.id = j.target AND {lives:e}))"_sql);

// How many wait, up to $4, this one among them or not; and whether another one has been claimed.
MEMORY_STATEMENT(count_waiting, R"(
    SELECT (SELECT count(*) FROM (
            SELECT FROM memory.jobs j
            WHERE {tenant:j} AND j.task = 'profile' AND j.thing = 'episode' LIMIT $4) n),
        EXISTS (SELECT FROM memory.jobs j
            WHERE {tenant:j} AND j.task = 'profile' AND j.thing = 'episode' AND j.target = $3),
        EXISTS (SELECT FROM memory.jobs j
            WHERE {tenant:j} AND j.task = 'profile' AND j.thing = 'episode' AND j.target <> $3
                AND j.leased_until > clock_timestamp()))"_sql);

MEMORY_STATEMENT(find_waiting, R"(
    SELECT j.target FROM memory.jobs j
    WHERE {tenant:j} AND j.task = 'profile' AND j.thing = 'episode'
    ORDER BY j.target LIMIT $3)"_sql);

MEMORY_STATEMENT(lock_episodes, R"(
    SELECT 1 FROM memory.episodes e WHERE {tenant:e} AND e.id = ANY ($3) ORDER BY e.id
    FOR SHARE)"_sql);

MEMORY_STATEMENT(find_episodes, R"(
    SELECT jsonb_build_object('profile', coalesce((SELECT p.traits FROM memory.profiles p
                WHERE {tenant:p} AND p.agent_id = ''), '{}'::jsonb),
            'episodes', jsonb_agg(jsonb_build_object('content', pg_catalog.left(e.content, 4000),
                'response', pg_catalog.left(e.response, 4000), 'role', e.role,
                'occurred_at', {utc:e.occurred_at}) ORDER BY e.occurred_at, e.id))
    FROM memory.episodes e WHERE {tenant:e} AND e.id = ANY ($3) AND {lives:e}
    HAVING count(*) > 0)"_sql);

MEMORY_STATEMENT(drop_covered, R"(
    DELETE FROM memory.jobs j
    WHERE {tenant:j} AND j.task = 'profile' AND j.thing = 'episode' AND j.target = ANY ($3))"_sql);

// Where as many as $3 wait and none of them is due, the first is.
MEMORY_STATEMENT(make_due, R"(
    UPDATE memory.jobs j SET due_at = now(), {unclaimed}
    WHERE {tenant:j} AND j.task = 'profile' AND j.thing = 'episode' AND j.target = (
        SELECT w.target FROM memory.jobs w
        WHERE {tenant:w} AND w.task = 'profile' AND w.thing = 'episode'
        ORDER BY w.target LIMIT 1)
        AND $3 <= (SELECT count(*) FROM (
            SELECT FROM memory.jobs n
            WHERE {tenant:n} AND n.task = 'profile' AND n.thing = 'episode' LIMIT $3) c))"_sql);

bool is_kept(const access::Tenant &tenant) {
    return conversations::policy_of(SnapshotOf::now, tenant, std::nullopt).save_profile;
}

std::int64_t episodes_a_profile(const Job &job) {
    return models::asked_for(job.tenant.name_space).episodes_a_profile;
}

bool is_ready(const Job &job) {
    if (!is_kept(job.tenant)) {
        drop_all.run(SnapshotOf::now, {job.tenant});
        return false;
    }
    drop_gone.run(SnapshotOf::now, {job.tenant});
    const std::int64_t wanted = episodes_a_profile(job);
    const pg::Rows rows = count_waiting.run(SnapshotOf::now, {job.tenant, job.target, wanted});
    const auto [waiting, is_there, is_under_way] = rows.get<pg::Int8, pg::Bool, pg::Bool>(0);
    if (is_there && !is_under_way && waiting >= wanted)
        return true;
    if (is_there)
        begin_anew(job, {DT_NOEND}); // it waits for others, as they do
    return false;
}

std::span<const pg_uuid_t> waiting(const Job &job) {
    const pg::Rows rows = find_waiting.run(SnapshotOf::now, {job.tenant, most_episodes});
    auto *ids = static_cast<pg_uuid_t *>(
        pg::call([&] { return palloc((rows.size() + 1) * sizeof(pg_uuid_t)); }));
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        ids[row] = rows.get<pg::Uuid>(row, 0);
    return {ids, rows.size()};
}

std::optional<Payload> payload(const Job &job, const Model &) {
    if (!is_kept(job.tenant))
        return std::nullopt;
    const auto covers = job.covers.empty() ? waiting(job) : job.covers;
    const pg::Rows rows = find_episodes.run(SnapshotOf::now, {job.tenant, covers});
    if (rows.empty())
        return std::nullopt;
    return Payload{pg::copied(pg::Document{rows.get<pg::Json>(0)}), std::nullopt, covers};
}

void lock(const Job &job) { lock_episodes.run(SnapshotOf::now, {job.tenant, job.covers}); }

Dropped take(const Job &job, const Model &, const Payload &payload, const Answer &answer) {
    refuse_embedding(answer);
    const pg::JsonValue traits = member_of(answer, "traits");
    if (!traits.is_object())
        throw_shape("traits", "an object", traits.described());
    conversations::update_profile(job.tenant, "", {traits.to_jsonb()});
    drop_covered.run(SnapshotOf::now, {job.tenant, payload.covers});
    make_due.run(SnapshotOf::now, {job.tenant, episodes_a_profile(job)});
    return 0;
}

} // namespace

constinit const Work profiling{is_ready, payload, lock, take};

} // namespace memory::jobs
