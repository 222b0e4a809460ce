// One job, and what is done with its row. All of it is done as the owner of the tables (worker.h).
#pragma once

#include "access/scope.h"
#include "jobs/rules/claim.h"

namespace memory::jobs {

using rules::Task;

// Words of an argument `task`.
inline constexpr pg::Choice<Task> task_choices[]{
    {rules::word_of(Task::embed), Task::embed},
    {rules::word_of(Task::extract), Task::extract},
    {rules::word_of(Task::summarize), Task::summarize},
    {rules::word_of(Task::profile), Task::profile},
};

// A row of memory.jobs. Texts and lists belong to the caller's memory context.
struct Job {
    access::Tenant tenant;
    Task task;
    std::string_view thing;
    pg_uuid_t target;
    TimestampTz due;
    std::int32_t attempts;
    // Of its claim, and nothing before.
    std::optional<std::int64_t> digest;
    std::optional<std::int64_t> upto;    // the number of the last message
    std::span<const pg_uuid_t> covers{}; // episodes
};

// As $1 to $5: {job} (sql.h).
inline void bind(pg::Values &to, const Job &job) {
    to.add(job.tenant);
    to.add(rules::word_of(job.task));
    to.add(job.thing);
    to.add(job.target);
}

// Puts a job of a target into the queue, where it is claimed from `due` on. One that is there
// begins anew, and a claim of it is void.
void queue(const access::Tenant &tenant, Task task, std::string_view thing, const pg_uuid_t &target,
           pg::Instant due);

// The same of a target that has just been inserted. Of one whose id was made for it nothing can be
// in the queue.
void queue_new(const access::Tenant &tenant, Task task, std::string_view thing,
               const pg_uuid_t &target, bool has_new_id);

// Takes it out of the queue.
void drop(const Job &job);
void drop(const access::Tenant &tenant, Task task, std::string_view thing, const pg_uuid_t &target);

// It waits again, as new: what is to be done has changed. From `due` on.
void begin_anew(const Job &job, pg::Instant due);

// It has failed, and waits; for good after the last attempt.
void put_off(const Job &job, std::string_view error, pg::Instant until);

// The job of a claim; nothing where it is void. locked() locks the row, too: after what the job is
// about, which writers lock first.
std::optional<Job> claimed(const rules::Claim &claim);
bool lock(const Job &job, const rules::Claim &claim);

// The claim that an argument `id` names; an error where it is no id of one.
rules::Claim claim_named(std::string_view id);

} // namespace memory::jobs
