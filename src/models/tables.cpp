// The tables of models whose dimensions have been declared, and of tasks; no user's.
#include "models/tables.h"

#include "models/settings.h"

namespace memory::models {

namespace {

using schema::Type;

constexpr schema::Column model_columns[] = {
    {"model", Type::name, "NOT NULL CHECK (model <> '')",
     "A value of the setting memory.embedding_model."},
    {"dimensions", Type::int4, "NOT NULL CHECK (dimensions BETWEEN 1 AND 16000)",
     "The number of dimensions that every embedding of this model has."},
};

constexpr schema::Column task_columns[] = {
    {"task", Type::name, "NOT NULL CHECK (task IN ('embed', 'extract', 'summarize', 'profile'))",
     "What is to be done."},
    {"model", Type::name, "NOT NULL CHECK (model <> '' AND octet_length(model) <= 512)",
     "The model that does it; hash is the database's own."},
    {"url", Type::text, "", "Where the model is asked."},
    {"options", Type::jsonb, "NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(options) = 'object')",
     "As memory.use_model was told."},
};

constexpr schema::Part model_triggers[] = {
    {"memory_models_changed",
     "AFTER INSERT OR UPDATE OR DELETE ON {table} FOR EACH ROW"
     " EXECUTE FUNCTION memory_internal.tasks_changed()",
     "Tells all sessions that dimensions have changed."},
};

constexpr schema::Part task_triggers[] = {
    {"memory_tasks_changed",
     "AFTER INSERT OR UPDATE OR DELETE ON {table} FOR EACH ROW"
     " EXECUTE FUNCTION memory_internal.tasks_changed()",
     "Tells all sessions that models do other tasks."},
};

constexpr schema::Table tables[] = {
    {
        .name = "models",
        .rows = schema::Rows::of_all,
        .comment = "Embedding models whose number of dimensions has been declared "
                   "(memory.init(dimensions)).",
        .columns = model_columns,
        .key = "model",
        .key_comment = "One model by its name.",
        .triggers = model_triggers,
    },
    {
        .name = "model_tasks",
        .rows = schema::Rows::of_namespaces,
        .comment = "Which model does which task in a namespace (memory.use_model).",
        .columns = task_columns,
        .key = "task",
        .key_comment = "One model a task, within its namespace.",
        .triggers = task_triggers,
    },
};

} // namespace

constinit const schema::Room room{"models", tables, define_settings};

} // namespace memory::models
