// memory.use_model(), memory.drop_model() and memory.used_models(): the table of tasks.
#include "access/call.h"
#include "access/owned_tables.h"
#include "access/sql.h"
#include "models/models.h"
#include "models/settings.h"
#include "models/tables.h"
#include "pg/attempt.h"
#include "pg/json.h"
#include "pg/statement.h"

namespace memory::models {

namespace {

using access::operator""_sql;
using pg::SnapshotOf;

enum class Task { embed, extract, summarize, profile };

constexpr pg::Choice<Task> tasks[]{
    {"embed", Task::embed},
    {"extract", Task::extract},
    {"summarize", Task::summarize},
    {"profile", Task::profile},
};

MEMORY_STATEMENT(store, R"(
    INSERT INTO memory.model_tasks (namespace, task, model, url, options)
    VALUES ($1, $2, $3, $4, coalesce($5, '{}'::jsonb))
    ON CONFLICT (namespace, task) DO UPDATE
    SET model = excluded.model, url = excluded.url, options = excluded.options)"_sql);

MEMORY_STATEMENT(drop, R"(
    DELETE FROM memory.model_tasks t WHERE t.namespace = $1 AND t.task = $2)"_sql);

// Nothing waits yet: what asks models, and what has been asked, comes with jobs.
MEMORY_STATEMENT(find_used, R"(
    SELECT t.namespace, t.task, t.model, t.url, t.options, 0::int8, 0::int8, 0::int8
    FROM memory.model_tasks t ORDER BY t.namespace, t.task)"_sql);

std::string_view word_of(Task task) { return tasks[static_cast<std::size_t>(task)].word; }

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

// The dimensions among the options of the task "embed", which are checked; those of other tasks are
// for the program that asks the model.
std::optional<int> checked_options(const pg::Document &given) {
    std::optional<int> dimensions;
    pg::JsonWalk walk(pg::json_root(given.jsonb));
    while (const auto member = walk.next_member()) {
        if (member->key == "dimensions") {
            dimensions = dimensions_in(member->value);
        } else if (member->key == "alpha") {
            constexpr const char *name = "options.alpha";
            pg::Given<double>({name}, number_in(name, member->value)).between(0, 1);
        } else {
            const pg::Quoted unknown(member->key);
            throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "options has an unknown key \"%.*s\"",
                            unknown.length, unknown.text)
                .hint("Those of the task embed are dimensions and alpha.");
        }
    }
    return dimensions;
}

} // namespace

MEMORY_CALL(memory_use_model, "task text, model text, url text, options jsonb") {
    const Task task = call.text("task").one_of(tasks).required();
    const std::string_view model = call.text("model").not_empty().at_most(longest_name).required();
    const auto url = call.text("url");
    check_url(url, model == hash_model);
    const auto given = call.json("options");
    given.object();
    if (model == hash_model && task != Task::embed)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "model \"hash\" only does the task embed");
    std::optional<int> dimensions;
    if (task == Task::embed && given)
        dimensions = checked_options(given.required());
    const access::Connection writing(schema::Need::to_write, call, room);
    access::check_may_write_shared("model_tasks", "Models are chosen");
    if (!dimensions && model == hash_model && !declared_dimensions(model))
        dimensions = hash_dimensions;
    if (dimensions)
        declare_dimensions(model, *dimensions);
    store.write(
        {access::namespace_setting(), word_of(task), model, url.optional(), given.optional()},
        "model_tasks");
    return call.nothing();
}

MEMORY_CALL(memory_drop_model, "task text") {
    const Task task = call.text("task").one_of(tasks).required();
    const access::Connection writing(schema::Need::to_write, call, room);
    access::check_may_write_shared("model_tasks", "Models are chosen");
    drop.run(SnapshotOf::now, {access::namespace_setting(), word_of(task)});
    return call.nothing();
}

MEMORY_CALL(memory_used_models, "") {
    access::Connection reading(schema::Need::to_read, call, room);
    reading.rows().add_from(find_used, SnapshotOf::caller, {});
    return call.nothing();
}

} // namespace memory::models
