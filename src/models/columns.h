// The parts that every table of vectors has.
#pragma once

#include "schema/table.h"

namespace memory::models {

inline constexpr schema::Column model_column{
    "model",
    schema::Type::name,
    "NOT NULL",
    "The embedding model. Vectors of different models are never compared. Default: the setting "
    "memory.embedding_model.",
    schema::Holds::keys,
    "memory_internal.default_model()"};

inline constexpr schema::Column vector_column{"embedding", schema::Type::vector, "NOT NULL",
                                              "The vector.", schema::Holds::words};

inline constexpr schema::Part vector_triggers[] = {
    {"memory_dimensions_fit",
     "AFTER INSERT OR UPDATE OF namespace, user_id, model, embedding ON {table}"
     " FOR EACH ROW WHEN (NOT memory_internal.fits_others(NEW.namespace, NEW.user_id, NEW.model, "
     "NEW.embedding))"
     " EXECUTE FUNCTION memory_internal.refuse_embedding()",
     "Refuses vectors without a direction, and those whose number of dimensions is not that of "
     "their model."},
};

// The index of codes of them, whose name is the table's and _by_code (docs/codes.md).
inline constexpr char codes_of_vectors[] = "USING recall (namespace, user_id, model, embedding)";
constexpr schema::Part codes_named(const char *name) {
    return {name, codes_of_vectors, "Finds the nearest vectors of a user without reading all."};
}

// Vectors of up to about 2,000 dimensions stay in their row.
inline constexpr char inline_vectors[] = "WITH (toast_tuple_target = 8160)";

} // namespace memory::models
