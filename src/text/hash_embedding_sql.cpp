// memory.hash_embedding: the SQL face of hash_embedding.h.
#include "pg/encoding.h"
#include "pg/function.h"
#include "pg/given.h"
#include "pg/memory.h"
#include "pg/vector.h"
#include "text/hash_embedding.h"
#include "text/interruption_sql.h"

namespace memory::text {

static_assert(max_embedding_dimensions == pg::Vector::most_dimensions);

MEMORY_FUNCTION(memory_hash_embedding) {
    const int dimensions =
        pg::Given<std::int64_t>({"dimensions"}, DatumGetInt64(arguments.datum(1)))
            .within(1, pg::Vector::most_dimensions)
            .required();
    const std::string_view text = pg::to_utf8(*arguments.text(0));
    pg::ContextResource memory(CurrentMemoryContext);
    pg::Vector *vector = pg::make_vector(dimensions);
    hash_embedding(text, {vector->values, static_cast<std::size_t>(dimensions)}, &memory,
                   server_interruption);
    return PointerGetDatum(vector);
}

} // namespace memory::text
