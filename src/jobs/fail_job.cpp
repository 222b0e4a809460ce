// memory.fail_job and memory.retry_jobs: jobs that did not succeed.
#include "access/call.h"
#include "jobs/rules/backoff.h"
#include "jobs/sql.h"
#include "jobs/tables.h"
#include "jobs/work.h"
#include "jobs/worker.h"
#include "models/tables.h"
#include "pg/attempt.h"
#include "pg/error.h"
#include "pg/memory.h"
#include "pg/statement.h"

extern "C" {
#include "utils/fmgrprotos.h"
#include "utils/timestamp.h"
}

namespace memory::jobs {

namespace {

// Those of the namespace that have failed for good; of task $2, or of all.
MEMORY_STATEMENT(retry, R"(
    UPDATE memory.jobs j SET due_at = now(), {unclaimed}
    WHERE j.namespace = $1 AND j.task = coalesce($2, j.task) AND j.due_at = 'infinity'
        AND j.attempts > 0)"_sql);

TimestampTz next_attempt(const Job &job, const std::optional<Interval> &retry_in) {
    const TimestampTz now = pg::call([] { return GetCurrentTimestamp(); });
    if (!retry_in)
        return now + rules::seconds_after(job.attempts) * USECS_PER_SEC;
    return pg::naming("retry_in", [&] {
        return pg::call([&] {
            return DatumGetTimestampTz(DirectFunctionCall2(
                timestamptz_pl_interval, TimestampTzGetDatum(now), IntervalPGetDatum(&*retry_in)));
        });
    });
}

} // namespace

MEMORY_CALL(memory_fail_job, "id text, error text, retry_in interval") {
    const rules::Claim claim = claim_named(call.text("id").required());
    const std::string_view error = call.text("error").required();
    const std::optional<Interval> retry_in = call.interval("retry_in").positive();
    schema::require(schema::Need::to_write, models::room);
    const access::Connection writing(schema::Need::to_write, call, room);
    const AsWorker worker;
    const std::optional<Job> job = claimed(claim);
    if (job && lock(*job, claim))
        put_off(*job, error, {next_attempt(*job, retry_in)});
    return call.nothing();
}

MEMORY_CALL(memory_retry_jobs, "task text") {
    const auto task = call.text("task");
    task.one_of(task_choices);
    schema::require(schema::Need::to_write, models::room);
    const access::Connection writing(schema::Need::to_write, call, room);
    const AsWorker worker;
    const pg::Rows retried =
        retry.run(pg::SnapshotOf::now, {access::namespace_setting(), task.optional()});
    return call.result(static_cast<std::int64_t>(retried.size()));
}

} // namespace memory::jobs
