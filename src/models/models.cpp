// Embedding models: what memory.models says, and the check that embeddings keep to it.
#include "models/models.h"

#include "access/owned_tables.h"
#include "access/scope.h"
#include "access/sql.h"
#include "models/tasks.h"
#include "pg/error.h"
#include "pg/function.h"
#include "pg/statement.h"
#include "pg/vector.h"

namespace memory::models {

namespace {

using access::operator""_sql;

// Of any user, whatever row security shows the caller: the declaration is for all.
MEMORY_STATEMENT(find_unfit, R"(
    SELECT 1 FROM (SELECT v.model, v.embedding FROM memory.embeddings v
                   UNION ALL SELECT v.model, v.embedding FROM memory.fact_embeddings v
                   UNION ALL SELECT v.model, v.embedding FROM memory.item_embeddings v) v
    WHERE v.model = $1 AND NOT memory_internal.fits_model(v.model, v.embedding) LIMIT 1)"_sql);

bool some_do_not_fit(std::string_view model) {
    const pg::ActingAs all_users(access::tables_owner(),
                                 SECURITY_LOCAL_USERID_CHANGE | SECURITY_NOFORCE_RLS);
    return !find_unfit.run(pg::SnapshotOf::now, {model}).empty();
}

MEMORY_STATEMENT(find_dimensions, R"(
    SELECT m.dimensions FROM memory.models m WHERE m.model = $1)"_sql);

MEMORY_STATEMENT(declare, R"(
    INSERT INTO memory.models (model, dimensions) VALUES ($1, $2)
    ON CONFLICT (model) DO UPDATE SET dimensions = excluded.dimensions)"_sql);

} // namespace

std::optional<int> declared_dimensions(std::string_view model) {
    const pg::Rows rows = find_dimensions.run(pg::SnapshotOf::caller, {model});
    return rows.empty() ? std::nullopt : std::optional(rows.get<pg::Int4>(0));
}

void declare_dimensions(std::string_view model, int dimensions) {
    if (declared_dimensions(model) == dimensions)
        return;
    access::check_may_write_shared("models", "Dimensions are declared");
    // Waits for transactions that are writing embeddings; later ones see the declaration.
    pg::run_utility("LOCK TABLE memory.embeddings, memory.fact_embeddings, memory.item_embeddings"
                    " IN SHARE MODE");
    declare.write({model, dimensions}, "models");
    if (!some_do_not_fit(model))
        return;
    const pg::Quoted name(model);
    throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                    "embeddings of model \"%.*s\" with other dimensions than %d are stored already",
                    name.length, name.text, dimensions)
        .hint("Set memory.embedding_model to another name for embeddings of %d dimensions, or "
              "delete those of this one first.",
              dimensions);
}

MEMORY_FUNCTION(memory_default_model) {
    const pg::Spi spi;
    const pg::SwitchedContext switched(spi.caller());
    return pg::to_datum(in_use(access::namespace_setting(), std::nullopt).name);
}

MEMORY_FUNCTION(memory_fits_model) {
    const pg::Spi spi;
    const std::optional<int> declared = declared_dimensions(*arguments.text(0));
    return pg::to_datum(!declared || *declared == pg::vector_view(arguments.datum(1)).dimensions);
}

} // namespace memory::models
