// What each task is: what a model is given, and what becomes of its answer.
#pragma once

#include "jobs/job.h"
#include "pg/json.h"
#include "pg/vector.h"

namespace memory::jobs {

// What memory.use_model() has said for the task, in the namespace of a job. Belongs, as a payload
// does, to the caller's memory context.
struct Model {
    std::string_view name;
    std::optional<std::string_view> url;
    pg::Document options;
    std::optional<std::int32_t> dimensions;
};

// What a model is given. At a claim, upto and covers are what is to be kept of it; later they are
// those of the job, and the payload is the same unless something has changed.
struct Payload {
    pg::Document document;
    std::optional<std::int64_t> upto{};
    std::span<const pg_uuid_t> covers{};
};

// The answer of a model, as finish_job() was given it.
struct Answer {
    std::optional<pg::Document> result;
    const pg::Vector *embedding;
};

// Facts of an answer that were left out, and are counted.
using Dropped = std::int64_t;

struct Work {
    // At a claim, before the payload is made: whether the job is to be handed out now. Where it is
    // not, it is out of the queue or waits for something. May be null.
    bool (*is_ready)(const Job &job);
    // Nothing where there is nothing to be done. Never writes.
    std::optional<Payload> (*payload)(const Job &job, const Model &model);
    // Locks what the payload is made of, in the order in which writers lock it, so that it stays as
    // it is until the transaction ends. What others have committed meanwhile is seen by the next
    // statement.
    void (*lock)(const Job &job);
    // Writes the answer. `payload` is what the model was given. An error where the answer has
    // another shape.
    Dropped (*take)(const Job &job, const Model &model, const Payload &payload,
                    const Answer &answer);
};

extern const Work embedding;
extern const Work extraction;
extern const Work summarizing;
extern const Work profiling;

const Work &work_of(Task task);

// Nothing where no model outside of the database does the task. Needs a live Spi.
std::optional<Model> model_of(const Job &job);

// The member `name` of a result, which must be an object; an error where it has none.
pg::JsonValue member_of(const Answer &answer, const char *name);

// An error where a vector is given for a task that makes none.
void refuse_embedding(const Answer &answer);

// The error for a result of another shape: "result.facts must be an array, not a string".
[[noreturn]] void throw_shape(const char *name, const char *wanted, const char *found);

// Of payload and model: another one says that the answer is not about what is there.
std::int64_t digest_of(const Payload &payload, const Model &model);

} // namespace memory::jobs
