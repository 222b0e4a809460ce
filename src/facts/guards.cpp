// The vectors that the database makes of what facts say, whatever writes them.
#include "facts/sql.h"

#include "access/scope.h"
#include "models/comparison.h"
#include "models/tasks.h"
#include "pg/statement.h"
#include "pg/trigger.h"

namespace memory::facts {

namespace {

MEMORY_STATEMENT(find_vector, R"(
    SELECT 1 FROM memory.fact_embeddings v
    WHERE {of_topic:v} AND v.object_key = $5 AND v.model = $6)"_sql);

MEMORY_STATEMENT(put_vector, R"(
    INSERT INTO memory.fact_embeddings
        (namespace, user_id, subject_key, predicate, object_key, model, embedding)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (namespace, user_id, subject_key, predicate, object_key, model) DO NOTHING)"_sql);

} // namespace

// The trigger behind embeds_here(). A vector is of what versions say, whichever of them, and one
// that came with the fact is its own.
MEMORY_FUNCTION(memory_embed_fact) {
    const pg::TriggerRow row(arguments, {"facts"});
    const pg::Spi spi;
    const access::Tenant tenant{row.get<pg::Text>("namespace"), row.get<pg::Text>("user_id")};
    const std::string_view model = models::embedder_here(tenant.name_space);
    const auto subject = row.get<pg::Text>("subject_key");
    const auto predicate = row.get<pg::Text>("predicate");
    const auto object = row.get<pg::Text>("object_key");
    const pg::Values key{tenant, subject, predicate, object, model};
    if (model.empty() || !find_vector.run(pg::SnapshotOf::now, key).empty())
        return Datum{0};
    const pg::Vector *vector =
        models::embedded_here(tenant.name_space, row.get<pg::Text>("statement"));
    if (models::has_direction(*vector))
        put_vector.run(pg::SnapshotOf::now, {tenant, subject, predicate, object, model,
                                             pg::as<pg::Vectors>(PointerGetDatum(vector))});
    return Datum{0};
}

} // namespace memory::facts
