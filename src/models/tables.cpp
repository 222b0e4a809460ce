// The table of models whose dimensions have been declared; no user's.
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

constexpr schema::Table tables[] = {
    {
        .name = "models",
        .rows = schema::Rows::of_all,
        .comment = "Embedding models whose number of dimensions has been declared "
                   "(memory.init(dimensions)).",
        .columns = model_columns,
        .key = "model",
        .key_comment = "One model by its name.",
    },
};

} // namespace

constinit const schema::Room room{"models", tables, define_settings};

} // namespace memory::models
