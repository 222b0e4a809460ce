// memory.next_jobs: jobs that are due, for one who does them.
#include "access/call.h"
#include "jobs/counts.h"
#include "jobs/fill.h"
#include "jobs/rules/backoff.h"
#include "jobs/rules/shares.h"
#include "jobs/sql.h"
#include "jobs/tables.h"
#include "jobs/work.h"
#include "jobs/worker.h"
#include "pg/attempt.h"
#include "pg/error.h"
#include "pg/memory.h"
#include "pg/random.h"
#include "pg/statement.h"

extern "C" {
#include "utils/fmgrprotos.h"
#include "utils/timestamp.h"
}

namespace memory::jobs {

namespace {

using pg::SnapshotOf;
using Tasks = std::pmr::vector<Task>;

constexpr std::int64_t most_jobs = 1000;

MEMORY_STATEMENT(find_tasks, "SELECT DISTINCT t.task FROM memory.model_tasks t"_sql);

// Of all users. What another claims, or is about to delete, is left to it.
MEMORY_STATEMENT(find_due, R"(
    SELECT j.namespace, j.user_id, j.thing, j.target, j.due_at, j.attempts
    FROM memory.jobs j
    WHERE j.task = $1 AND j.due_at <= $2 AND (j.leased_until IS NULL OR j.leased_until <= $2)
    ORDER BY j.due_at, j.target LIMIT $3 FOR UPDATE SKIP LOCKED)"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(claim, R"(
    UPDATE memory.jobs j SET attempts = $6, leased_until = $7, token = $8, digest = $9, upto = $10,
        covers = $11
    WHERE {job})"_sql);

// The tasks that models are used for, of those that are wanted.
Tasks tasks_of(const std::optional<std::span<const std::string_view>> &wanted,
               std::pmr::memory_resource *memory) {
    Tasks tasks(memory);
    const pg::Rows rows = find_tasks.run(SnapshotOf::now, {});
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const std::string_view word = rows.get<pg::Text>(row, 0);
        const std::optional<Task> task = rules::task_named(word);
        if (task && (!wanted || std::find(wanted->begin(), wanted->end(), word) != wanted->end()))
            tasks.push_back(*task);
    }
    std::sort(tasks.begin(), tasks.end());
    return tasks;
}

void check_tasks(const pg::Given<std::span<const std::string_view>> &given) {
    for (const std::string_view word : given.or_else({}))
        pg::Given<std::string_view>(given.place(), word).one_of(task_choices);
}

TimestampTz end_of(const Interval &lease, TimestampTz now) {
    return pg::naming("lease", [&] {
        return pg::call([&] {
            return DatumGetTimestampTz(DirectFunctionCall2(
                timestamptz_pl_interval, TimestampTzGetDatum(now), IntervalPGetDatum(&lease)));
        });
    });
}

// One call.
class Claims {
  public:
    Claims(pg::ResultSet &result, TimestampTz now, TimestampTz leased_until,
           std::pmr::memory_resource *memory)
        : result_(result), now_(now), leased_until_(leased_until), memory_(memory) {}

    // Hands out jobs of a task, `most` at the most.
    rules::Taken take(Task task, std::int64_t most) {
        const std::pmr::vector<Job> due = find(task, most);
        std::int64_t handed_out = 0;
        bool has_filled = false;
        pg::TemporaryContext per_job("memory.next_jobs");
        for (const Job &job : due) {
            pg::check_for_interrupts();
            const pg::SwitchedContext switched(per_job.get());
            if (is_to_fill(job))
                has_filled |= fill(job);
            else
                handed_out += hand_out(job) ? 1 : 0;
            per_job.reset();
        }
        return {has_filled ? most : static_cast<std::int64_t>(due.size()), handed_out};
    }

  private:
    std::pmr::vector<Job> find(Task task, std::int64_t most) const {
        const pg::Rows rows =
            find_due.run(SnapshotOf::now, {rules::word_of(task), pg::Instant{now_}, most});
        std::pmr::vector<Job> due(memory_);
        due.reserve(rows.size());
        for (std::uint64_t row = 0; row < rows.size(); ++row) {
            const auto [name_space, user, thing, target, due_at, attempts] =
                rows.get<pg::Text, pg::Text, pg::Text, pg::Uuid, pg::Time, pg::Int4>(row);
            due.push_back({{pg::copied_text(name_space), pg::copied_text(user)},
                           task,
                           pg::copied_text(thing),
                           target,
                           due_at,
                           attempts,
                           {},
                           {}});
        }
        return due;
    }

    // False where it has queued nothing.
    static bool fill(const Job &job) {
        if (const std::optional<Model> model = model_of(job))
            return jobs::fill(job, *model);
        drop(job);
        return false;
    }

    // False where there is nothing to be done.
    bool hand_out(const Job &job) {
        const std::optional<Model> model = model_of(job);
        if (!model) {
            drop(job);
            return false;
        }
        if (job.attempts >= rules::most_attempts) {
            put_off(job, "the lease of the last attempt ended", {now_});
            return false;
        }
        const Work &work = work_of(job.task);
        if (work.is_ready != nullptr && !work.is_ready(job))
            return false;
        const std::optional<Payload> payload = work.payload(job, *model);
        if (!payload) {
            drop(job);
            return false;
        }
        hand_out(job, *model, *payload);
        return true;
    }

    // A profile is of a user; the job's target is one of the episodes that wait.
    static std::optional<pg_uuid_t> target_of(const Job &job) {
        return job.task == Task::profile ? std::nullopt : std::optional(job.target);
    }

    void hand_out(const Job &job, const Model &model, const Payload &payload) {
        rules::Claim claimed{job.task, job.due, {}, pg::random_bits()};
        std::copy_n(job.target.data, claimed.target.size(), claimed.target.begin());
        claim.write({job, job.attempts + 1, pg::Instant{leased_until_},
                     static_cast<std::int64_t>(claimed.token), digest_of(payload, model),
                     payload.upto, payload.covers},
                    "jobs");
        const std::pmr::string id = rules::written(claimed, memory_);
        const std::optional<std::int64_t> dimensions = model.dimensions;
        result_.add({std::string_view(id), rules::word_of(job.task), job.tenant.name_space,
                     job.tenant.user.empty() ? std::nullopt : std::optional(job.tenant.user),
                     job.task == Task::profile ? "user" : job.thing, target_of(job), model.name,
                     model.url, model.options, dimensions, payload.document,
                     std::int64_t{job.attempts} + 1, pg::Instant{leased_until_}});
    }

    pg::ResultSet &result_;
    TimestampTz now_;
    TimestampTz leased_until_;
    std::pmr::memory_resource *memory_;
};

} // namespace

MEMORY_CALL(memory_next_jobs, "k bigint, tasks text[], lease interval") {
    const std::int64_t k = call.bigint("k").between(1, access::most_rows).or_else(most_jobs);
    const auto wanted = call.list("tasks");
    check_tasks(wanted);
    Interval usual_lease{};
    usual_lease.time = 5 * USECS_PER_MINUTE;
    const Interval lease = call.interval("lease").positive().or_else(usual_lease);
    schema::require_all(schema::Need::to_write);
    access::Connection writing(schema::Need::to_write, call, room);
    const AsWorker worker;
    pg::ContextResource memory(CurrentMemoryContext);
    const Tasks tasks = tasks_of(wanted, &memory);
    const TimestampTz now = pg::call([] { return GetCurrentTimestamp(); });
    Claims claims(writing.rows(), now, end_of(lease, now), &memory);
    rules::share(tasks, std::min(k, most_jobs),
                 [&](Task task, std::int64_t most) { return claims.take(task, most); });
    return call.nothing();
}

} // namespace memory::jobs
