// What INSERT and COPY into memory.episodes go through: the default id, the rules that settings
// make, the vector that the database makes, and their end.
#include "access/scope.h"
#include "episodes/episode.h"
#include "episodes/settings.h"
#include "episodes/sql.h"
#include "episodes/text.h"
#include "models/tasks.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "pg/trigger.h"
#include "pg/uuid7.h"
#include "retention/rules.h"
#include "schema/as_they_were.h"

#include <string>

namespace memory::episodes {

MEMORY_FUNCTION(memory_default_id) { return pg::to_datum(pg::new_id(), CurrentMemoryContext); }

// The WHEN condition of the trigger below: it runs for every row, so it looks at sizes only.
MEMORY_FUNCTION(memory_obeys_settings) {
    const auto fits = [&arguments](int n) {
        return !arguments.has(n) || pg::text_size(arguments.datum(n)) <= max_content();
    };
    const bool anonymous = arguments.has(0) && pg::text_size(arguments.datum(0)) == 0;
    return pg::to_datum((!anonymous || access::anonymous_allowed()) && fits(1) && fits(2));
}

MEMORY_FUNCTION(memory_refuse_episode) {
    const pg::TriggerRow row(arguments, {"episodes"});
    if (row.find<pg::Text>("user_id").value_or("").empty() && !access::anonymous_allowed())
        access::refuse_anonymous();
    check_texts({{"content"}, row.find<pg::Text>("content")},
                {{"response"}, row.find<pg::Text>("response")});
    return Datum{0};
}

namespace {

MEMORY_STATEMENT(put_vector, R"(
    INSERT INTO memory.embeddings (namespace, user_id, episode_id, model, embedding)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (namespace, user_id, episode_id, model) DO UPDATE
    SET embedding = excluded.embedding)"_sql);

} // namespace

// The trigger behind embeds_here().
MEMORY_FUNCTION(memory_embed_episode) {
    const pg::TriggerRow row(arguments, {"episodes"});
    const pg::Spi spi;
    const access::Tenant tenant{row.get<pg::Text>("namespace"), row.get<pg::Text>("user_id")};
    const std::string_view model = models::embedder_here(tenant.name_space);
    if (model.empty())
        return Datum{0};
    pg::ContextResource memory(CurrentMemoryContext);
    const std::pmr::string text =
        recalled_text(row.find<pg::Text>("content").value_or(""),
                      row.find<pg::Text>("response").value_or(""), &memory);
    put_vector.write(
        {tenant, row.get<pg::Uuid>("id"), model,
         pg::as<pg::Vectors>(PointerGetDatum(models::embedded_here(tenant.name_space, text)))},
        "embeddings");
    return Datum{0};
}

namespace {

MEMORY_STATEMENT(set_end, R"(
    UPDATE memory.episodes e SET expires_at = (e.recorded_at + $4)
    WHERE {tenant:e} AND e.id = $3)"_sql);

} // namespace

// The trigger behind kind_ends(): for rows of INSERT and COPY.
MEMORY_FUNCTION(memory_set_end) {
    const pg::TriggerRow row(arguments, {"episodes"});
    if (schema::as_they_were())
        return Datum{0};
    const pg::Spi spi;
    const access::Tenant tenant{row.get<pg::Text>("namespace"), row.get<pg::Text>("user_id")};
    const auto ttl = retention::rules_of(tenant.name_space).of_kind(row.get<pg::Text>("kind")).ttl;
    if (ttl)
        set_end.write({tenant, row.get<pg::Uuid>("id"), *ttl}, "episodes");
    return Datum{0};
}

} // namespace memory::episodes
