// The tasks, and what they share.
#include "jobs/work.h"

#include "jobs/sql.h"
#include "models/settings.h"
#include "pg/error.h"
#include "pg/statement.h"

extern "C" {
#include "common/hashfn.h"
}

namespace memory::jobs {

namespace {

MEMORY_STATEMENT(find_model, R"(
    SELECT t.model, t.url, t.options, m.dimensions
    FROM memory.model_tasks t LEFT JOIN memory.models m ON m.model = t.model AND t.task = 'embed'
    WHERE t.namespace = $1 AND t.task = $2
        AND coalesce((t.options -> 'jobs') <> 'false'::jsonb, true))"_sql);

std::uint64_t hashed(std::string_view bytes, std::uint64_t seed) noexcept {
    return hash_bytes_extended(reinterpret_cast<const unsigned char *>(bytes.data()),
                               static_cast<int>(bytes.size()), seed);
}

} // namespace

const Work &work_of(Task task) {
    switch (task) {
    case Task::embed:
        return embedding;
    case Task::extract:
        return extraction;
    case Task::summarize:
        return summarizing;
    case Task::profile:
        return profiling;
    }
    pg_unreachable();
}

void refuse_embedding(const Answer &answer) {
    if (answer.embedding != nullptr)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                        "embedding must be null for this task, which has a result");
}

std::optional<Model> model_of(const Job &job) {
    const pg::Rows rows =
        find_model.run(pg::SnapshotOf::now, {job.tenant.name_space, rules::word_of(job.task)});
    if (rows.empty())
        return std::nullopt;
    const auto [name, url, options, dimensions] =
        rows.get<pg::Text, std::optional<pg::Text>, pg::Json, std::optional<pg::Int4>>(0);
    if (name == models::hash_model)
        return std::nullopt;
    return Model{pg::copied_text(name), url ? std::optional(pg::copied_text(*url)) : std::nullopt,
                 pg::copied(pg::Document{options}), dimensions};
}

pg::JsonValue member_of(const Answer &answer, const char *name) {
    if (!answer.result)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "result must not be null for this task");
    const pg::JsonValue result = pg::json_root(answer.result->jsonb);
    if (!result.is_object())
        throw_shape("", "an object", result.described());
    const std::optional<pg::JsonValue> member = result.member(name);
    if (!member)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "result.%s is missing", name);
    return *member;
}

void throw_shape(const char *name, const char *wanted, const char *found) {
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "result%s%s must be %s, not %s",
                    *name == '\0' ? "" : ".", name, wanted, found);
}

std::int64_t digest_of(const Payload &payload, const Model &model) {
    const std::uint64_t digest =
        hashed(pg::text_view(payload.document.jsonb), hashed(model.name, 0));
    return static_cast<std::int64_t>(digest);
}

} // namespace memory::jobs
