// The vectors that the database makes of items, whatever writes them.
#include "items/sql.h"
#include "items/text.h"

#include "access/scope.h"
#include "models/comparison.h"
#include "models/tasks.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "pg/trigger.h"
#include "text/settings_sql.h"

namespace memory::items {

namespace {

MEMORY_STATEMENT(drop_made, R"(
    DELETE FROM memory.item_embeddings v WHERE {tenant:v} AND v.item = $3 AND v.model = $4)"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(put_made, R"(
    INSERT INTO memory.item_embeddings (namespace, user_id, item, model, n, embedding)
    VALUES ($1, $2, $3, $4, $5, $6))"_sql);

} // namespace

// The trigger behind embeds_here(): a vector of each text that the item was given, or one of all
// strings among its values. Blank ones have none.
MEMORY_FUNCTION(memory_embed_item) {
    const pg::TriggerRow row(arguments, {"items"});
    const pg::Spi spi;
    const access::Tenant tenant{row.get<pg::Text>("namespace"), row.get<pg::Text>("user_id")};
    const std::string_view model = models::embedder_here(tenant.name_space);
    if (model.empty())
        return Datum{0};
    const auto id = row.get<pg::Uuid>("id");
    drop_made.run(pg::SnapshotOf::now, {tenant, id, model});
    std::int32_t n = 0;
    const auto add = [&](std::string_view text) {
        if (!text::unless_blank(text))
            return;
        const pg::Vector *vector = models::embedded_here(tenant.name_space, text);
        if (models::has_direction(*vector))
            put_made.write({tenant, id, model, ++n, pg::as<pg::Vectors>(PointerGetDatum(vector))},
                           "item_embeddings");
    };
    if (const auto texts = row.find<Texts>("texts")) {
        for (const std::optional<std::string_view> &text : *texts)
            if (text)
                add(*text);
    } else {
        add(strings_of({row.get<pg::Json>("value")}));
    }
    return Datum{0};
}

} // namespace memory::items
