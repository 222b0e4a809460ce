// The rows of memory.jobs.
#include "jobs/job.h"

#include "jobs/rules/backoff.h"
#include "jobs/sql.h"
#include "pg/arrays.h"
#include "pg/error.h"
#include "pg/statement.h"

namespace memory::jobs {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(put, R"(
    INSERT INTO memory.jobs (namespace, user_id, task, thing, target, due_at)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (namespace, user_id, task, thing, target) DO UPDATE
    SET due_at = excluded.due_at, {unclaimed})"_sql);

// A job that is there is of an earlier row of the same id: what its model is given is that of now,
// and a claim of it is void by its digest.
MEMORY_STATEMENT(put_new, R"(
    INSERT INTO memory.jobs (namespace, user_id, task, thing, target)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (namespace, user_id, task, thing, target) DO NOTHING)"_sql);

// Looking for one that is there would be a fifth of what it costs.
MEMORY_STATEMENT(put_made, R"(
    INSERT INTO memory.jobs (namespace, user_id, task, thing, target)
    VALUES ($1, $2, $3, $4, $5))"_sql);

MEMORY_STATEMENT(take_out, "DELETE FROM memory.jobs j WHERE {job}"_sql);

MEMORY_STATEMENT(reset, R"(
    UPDATE memory.jobs j SET due_at = $6, {unclaimed} WHERE {job})"_sql);

MEMORY_STATEMENT(note_failure, R"(
    UPDATE memory.jobs j SET due_at = $6, error = pg_catalog.left($7, 1000),
        leased_until = NULL, token = NULL, digest = NULL, upto = NULL, covers = NULL
    WHERE {job})"_sql);

MEMORY_STATEMENT(find_claimed, R"(
    SELECT j.namespace, j.user_id, j.thing, j.due_at, j.attempts, j.digest, j.upto, j.covers
    FROM memory.jobs j
    WHERE j.task = $1 AND j.due_at = $2 AND j.target = $3 AND j.token = $4)"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(lock_claimed, R"(
    SELECT 1 FROM memory.jobs j WHERE {job} AND j.due_at = $6 AND j.token = $7 FOR UPDATE)"_sql);

pg_uuid_t target_of(const rules::Claim &claim) {
    pg_uuid_t target;
    std::copy(claim.target.begin(), claim.target.end(), target.data);
    return target;
}

std::int64_t token_of(const rules::Claim &claim) { return static_cast<std::int64_t>(claim.token); }

} // namespace

void queue(const access::Tenant &tenant, Task task, std::string_view thing, const pg_uuid_t &target,
           pg::Instant due) {
    put.write({tenant, rules::word_of(task), thing, target, due}, "jobs");
}

void queue_new(const access::Tenant &tenant, Task task, std::string_view thing,
               const pg_uuid_t &target, bool has_new_id) {
    pg::Statement &put_it = has_new_id ? put_made : put_new;
    put_it.run(SnapshotOf::now, {tenant, rules::word_of(task), thing, target});
}

void drop(const Job &job) { take_out.run(SnapshotOf::now, {job}); }

void drop(const access::Tenant &tenant, Task task, std::string_view thing,
          const pg_uuid_t &target) {
    take_out.run(SnapshotOf::now, {tenant, rules::word_of(task), thing, target});
}

void begin_anew(const Job &job, pg::Instant due) { reset.run(SnapshotOf::now, {job, due}); }

void put_off(const Job &job, std::string_view error, pg::Instant until) {
    const bool is_last = job.attempts >= rules::most_attempts;
    note_failure.run(SnapshotOf::now, {job, is_last ? pg::Instant{DT_NOEND} : until, error});
}

std::optional<Job> claimed(const rules::Claim &claim) {
    const pg_uuid_t target = target_of(claim);
    const pg::Rows rows =
        find_claimed.run(SnapshotOf::now, {rules::word_of(claim.task), pg::Instant{claim.due},
                                           target, token_of(claim)});
    if (rows.empty())
        return std::nullopt;
    const auto [name_space, user, thing, due, attempts, digest, upto, covers] =
        rows.get<pg::Text, pg::Text, pg::Text, pg::Time, pg::Int4, std::optional<pg::Int8>,
                 std::optional<pg::Int8>, std::optional<pg::Uuids>>(0);
    return Job{{pg::copied_text(name_space), pg::copied_text(user)},
               claim.task,
               pg::copied_text(thing),
               target,
               due,
               attempts,
               digest,
               upto,
               covers.value_or(std::span<const pg_uuid_t>())};
}

bool lock(const Job &job, const rules::Claim &claim) {
    return !lock_claimed.run(SnapshotOf::now, {job, pg::Instant{claim.due}, token_of(claim)})
                .empty();
}

rules::Claim claim_named(std::string_view id) {
    if (const auto claim = rules::read_claim(id))
        return *claim;
    const pg::Quoted name(id);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "id: \"%.*s\" is no job's id", name.length,
                    name.text)
        .hint("An id is one that memory.next_jobs has returned.");
}

} // namespace memory::jobs
