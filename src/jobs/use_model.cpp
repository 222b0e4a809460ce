// memory.use_model(), memory.drop_model() and memory.used_models(): which model does which task,
// and what that means for jobs.
#include "access/call.h"
#include "access/owned_tables.h"
#include "jobs/fill.h"
#include "jobs/sql.h"
#include "jobs/tables.h"
#include "models/models.h"
#include "models/settings.h"
#include "models/tables.h"
#include "pg/attempt.h"
#include "pg/handles.h"
#include "pg/json.h"
#include "pg/statement.h"

#include <cmath>

namespace memory::jobs {

namespace {

using models::hash_model;
using pg::SnapshotOf;

MEMORY_STATEMENT(store, R"(
    INSERT INTO memory.model_tasks (namespace, task, model, url, options)
    VALUES ($1, $2, $3, $4, coalesce($5, '{}'::jsonb))
    ON CONFLICT (namespace, task) DO UPDATE
    SET model = excluded.model, url = excluded.url, options = excluded.options)"_sql);

MEMORY_STATEMENT(drop_model, R"(
    DELETE FROM memory.model_tasks t WHERE t.namespace = $1 AND t.task = $2)"_sql);

// Of all users, as the caller may see them.
MEMORY_STATEMENT(find_used, R"(
    SELECT t.namespace, t.task, t.model, t.url, t.options,
        (SELECT count(*) FROM memory.jobs j
         WHERE j.namespace = t.namespace AND j.task = t.task AND j.due_at < 'infinity'),
        (SELECT count(*) FROM memory.jobs j
         WHERE j.namespace = t.namespace AND j.task = t.task AND j.due_at = 'infinity'
             AND j.attempts > 0),
        (SELECT coalesce(sum(c.done), 0)::int8 FROM memory.job_counts c
         WHERE c.namespace = t.namespace AND c.task = t.task)
    FROM memory.model_tasks t ORDER BY t.namespace, t.task)"_sql);

// Of all users of the namespace.
MEMORY_STATEMENT(drop_jobs, R"(
    DELETE FROM memory.jobs j WHERE j.namespace = $1 AND j.task = $2)"_sql);

void check_url(const pg::Given<std::string_view> &url, bool is_here) {
    constexpr std::size_t longest_url = 2048;
    url.not_empty().at_most(longest_url);
    if (!url)
        return;
    if (is_here)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                        "url must be null for model \"hash\", which the database has itself");
    const std::string_view address = url.required();
    if (!address.starts_with("http://") && !address.starts_with("https://"))
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "url must begin with http:// or https://");
}

double number_in(const char *name, const pg::JsonValue &value) {
    if (!value.is_number())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must be a number, not %s", name,
                        value.described());
    return pg::naming(name, [&] { return value.to_double(); });
}

int dimensions_in(const pg::JsonValue &value) {
    constexpr const char *name = "options.dimensions";
    const double number = number_in(name, value);
    pg::Given<double>({name}, number).between(1, pg::Vector::most_dimensions);
    const int dimensions = static_cast<int>(number);
    if (dimensions != number)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must be a whole number", name);
    return dimensions;
}

void check_alpha(const pg::JsonValue &value) {
    constexpr const char *name = "options.alpha";
    pg::Given<double>({name}, number_in(name, value)).between(0, 1);
}

void check_truth(const char *name, const pg::JsonValue &value) {
    if (value.raw().type != jbvBool)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must be true or false, not %s", name,
                        value.described());
}

// The dimensions among the options of the task "embed".
std::optional<int> embed_options(const pg::Document &given) {
    std::optional<int> dimensions;
    pg::JsonWalk walk(pg::json_root(given.jsonb));
    while (const auto member = walk.next_member()) {
        if (member->key == "dimensions") {
            dimensions = dimensions_in(member->value);
        } else if (member->key == "alpha") {
            check_alpha(member->value);
        } else if (member->key == "jobs") {
            check_truth("options.jobs", member->value);
        } else {
            const pg::Quoted unknown(member->key);
            throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "options has an unknown key \"%.*s\"",
                            unknown.length, unknown.text)
                .hint("Those of the task embed are dimensions, alpha and jobs.");
        }
    }
    return dimensions;
}

// How much is to be new, among those of the tasks "summarize" and "profile". The others are for
// the program that asks the model.
void check_every(const pg::Document &given) {
    const auto every = pg::json_root(given.jsonb).member("every");
    if (!every)
        return;
    constexpr const char *name = "options.every";
    const double number = number_in(name, *every);
    pg::Given<double>({name}, number).between(1, 1'000'000);
    if (number != std::floor(number))
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must be a whole number", name);
}

std::optional<int> checked_options(Task task, const pg::Given<pg::Document> &given) {
    given.object();
    if (!given)
        return std::nullopt;
    if (task == Task::embed)
        return embed_options(given.required());
    if (task != Task::extract)
        check_every(given.required());
    return std::nullopt;
}

// Whether a worker is to do it; else the application does.
bool has_jobs(const pg::Given<pg::Document> &options) {
    if (!options)
        return true;
    const auto jobs = pg::json_root(options.required().jsonb).member("jobs");
    return !jobs || jobs->is_true();
}

// Waits for transactions that are writing what is embedded: what they have written is found by
// those who look for it, and what is written later queues its jobs.
void lock_writers_out() {
    pg::run_utility("LOCK TABLE memory.episodes, memory.facts, memory.items IN SHARE MODE");
}

// All users' jobs are the owner's to change.
class AsOwner {
  private:
    pg::ActingAs owner_{access::tables_owner(),
                        SECURITY_LOCAL_USERID_CHANGE | SECURITY_NOFORCE_RLS};
};

} // namespace

MEMORY_CALL(memory_use_model, "task text, model text, url text, options jsonb") {
    const Task task = call.text("task").one_of(task_choices).required();
    const std::string_view model =
        call.text("model").not_empty().at_most(models::longest_name).required();
    const bool is_here = model == hash_model;
    const auto url = call.text("url");
    check_url(url, is_here);
    const auto given = call.json("options");
    if (is_here && task != Task::embed)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "model \"hash\" only does the task embed");
    std::optional<int> dimensions = checked_options(task, given);
    schema::require_all(schema::Need::to_write);
    const access::Connection writing(schema::Need::to_write, call, room);
    access::check_may_write_shared("model_tasks", "Models are chosen");
    const std::string_view name_space = access::namespace_setting();
    if (task == Task::embed)
        lock_writers_out();
    if (!dimensions && is_here && !models::declared_dimensions(model))
        dimensions = models::hash_dimensions;
    if (dimensions)
        models::declare_dimensions(model, *dimensions);
    store.write({name_space, rules::word_of(task), model, url.optional(), given.optional()},
                "model_tasks");
    const AsOwner owner;
    if (is_here || !has_jobs(given))
        drop_jobs.run(SnapshotOf::now, {name_space, rules::word_of(task)});
    else if (task == Task::embed)
        queue_fill(name_space);
    return call.nothing();
}

MEMORY_CALL(memory_drop_model, "task text") {
    const Task task = call.text("task").one_of(task_choices).required();
    schema::require(schema::Need::to_write, models::room);
    const access::Connection writing(schema::Need::to_write, call, room);
    access::check_may_write_shared("model_tasks", "Models are chosen");
    const std::string_view name_space = access::namespace_setting();
    drop_model.run(SnapshotOf::now, {name_space, rules::word_of(task)});
    const AsOwner owner;
    drop_jobs.run(SnapshotOf::now, {name_space, rules::word_of(task)});
    return call.nothing();
}

MEMORY_CALL(memory_used_models, "") {
    schema::require(schema::Need::to_read, models::room);
    access::Connection reading(schema::Need::to_read, call, room);
    reading.rows().add_from(find_used, SnapshotOf::caller, {});
    return call.nothing();
}

} // namespace memory::jobs
