// memory.finish_job: what a model has answered, checked and written.
//
// The order of locks is that of writers: first what the job is about, then the job. What is locked
// is looked at by statements of their own afterwards, which see what the lock has waited for.
#include "access/call.h"
#include "jobs/counts.h"
#include "jobs/tables.h"
#include "jobs/work.h"
#include "jobs/worker.h"
#include "pg/memory.h"

extern "C" {
#include "utils/timestamp.h"
}

namespace memory::jobs {

namespace {

// Gives the job back, or takes it out where nothing is to be done any more.
void give_back(const Job &job, const std::optional<Payload> &payload) {
    if (payload)
        begin_anew(job, {pg::call([] { return GetCurrentTimestamp(); })});
    else
        drop(job);
}

// False where the job is void.
bool finish(const rules::Claim &claim, const Answer &answer) {
    const std::optional<Job> job = claimed(claim);
    if (!job)
        return false;
    const Work &work = work_of(job->task);
    work.lock(*job);
    if (!lock(*job, claim))
        return false;
    const std::optional<Model> model = model_of(*job);
    const std::optional<Payload> payload =
        model ? work.payload(*job, *model) : std::optional<Payload>();
    if (!payload || digest_of(*payload, *model) != job->digest) {
        give_back(*job, payload);
        return false;
    }
    drop(*job); // what is taken may make another one necessary
    const Dropped dropped = work.take(*job, *model, *payload, answer);
    count_done(job->tenant.name_space, job->task, dropped);
    return true;
}

} // namespace

MEMORY_CALL(memory_finish_job, "id text, result jsonb, embedding vector") {
    const rules::Claim claim = claim_named(call.text("id").required());
    const Answer answer{call.json("result"), call.vector("embedding").or_else(nullptr)};
    schema::require_all(schema::Need::to_write);
    const access::Connection writing(schema::Need::to_write, call, room);
    const AsWorker worker;
    return call.result(finish(claim, answer));
}

} // namespace memory::jobs
