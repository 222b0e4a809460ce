// Embeddings on their way into a table: their direction, and that those of one user and model are
// equally long.
//
// Two conditions stand before a row of vectors. fits_others() is the WHEN condition of an AFTER
// trigger: it runs for every row and asks once a statement and user. What it doubts the trigger's
// function decides, when the statement's rows are all there.
#include "access/scope.h"
#include "access/sql.h"
#include "models/comparison.h"
#include "models/models.h"
#include "pg/error.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "pg/trigger.h"

#include <unordered_map>

namespace memory::models {

namespace {

using access::operator""_sql;

// Of episodes, facts and items: what one model makes is of one length.
MEMORY_STATEMENT(find_vectors, R"(
    SELECT v.embedding FROM memory.embeddings v WHERE {tenant:v} AND v.model = $3
    UNION ALL
    SELECT f.embedding FROM memory.fact_embeddings f WHERE {tenant:f} AND f.model = $3
    UNION ALL
    SELECT i.embedding FROM memory.item_embeddings i WHERE {tenant:i} AND i.model = $3)"_sql);

// How long embeddings of this user and model are. Asked once a statement.
class Lengths {
  public:
    explicit Lengths(MemoryContext context) : memory_(context), known_(&memory_) {}

    // Nothing where it cannot be said from here.
    std::optional<int> of(const access::Tenant &tenant, std::string_view model, int first) {
        std::pmr::string key(&memory_);
        for (const std::string_view part : {tenant.name_space, tenant.user, model}) {
            key += part;
            key += '\0';
        }
        if (const auto found = known_.find(key); found != known_.end())
            return found->second;
        if (known_.size() >= most)
            return std::nullopt;
        return known_.emplace(std::move(key), ask(tenant, model).value_or(first)).first->second;
    }

  private:
    // A statement that writes for more users leaves those beyond to the trigger's function.
    static constexpr std::size_t most = 10000;

    static std::optional<int> ask(const access::Tenant &tenant, std::string_view model) {
        const pg::Spi spi;
        if (const auto declared = declared_dimensions(model))
            return declared;
        const pg::Rows rows = find_vectors.run(pg::SnapshotOf::caller, {tenant, model}, 1);
        return rows.empty() ? std::nullopt : std::optional(rows.get<pg::Vectors>(0).dimensions);
    }

    pg::ContextResource memory_;
    std::pmr::unordered_map<std::pmr::string, int> known_;
};

} // namespace

MEMORY_FUNCTION(memory_fits_others) {
    const pg::Vector &embedding = pg::vector_view(arguments.datum(3));
    if (!has_direction(embedding))
        return pg::to_datum(false);
    FmgrInfo *function = arguments.raw()->flinfo;
    if (function->fn_extra == nullptr)
        function->fn_extra = pg::make_in<Lengths>(function->fn_mcxt, function->fn_mcxt);
    const access::Tenant tenant{*arguments.text(0), *arguments.text(1)};
    return pg::to_datum(static_cast<Lengths *>(function->fn_extra)
                            ->of(tenant, *arguments.text(2), embedding.dimensions) ==
                        embedding.dimensions);
}

// The trigger behind fits_others(): decides for a row that it does not let pass.
MEMORY_FUNCTION(memory_refuse_embedding) {
    const pg::TriggerRow row(arguments, {"embeddings", "fact_embeddings", "item_embeddings"});
    const auto model = row.get<pg::Text>("model");
    const pg::Vector &embedding = row.get<pg::Vectors>("embedding");
    if (!has_direction(embedding))
        throw no_direction("embedding");
    const int given = embedding.dimensions;
    const pg::Quoted name(model);
    constexpr char hint[] = "Embeddings of another model go under its own name: SET "
                            "memory.embedding_model.";
    const pg::Spi spi;
    if (const auto declared = declared_dimensions(model); declared && *declared != given)
        throw pg::Error(ERRCODE_DATA_EXCEPTION,
                        "embedding has %d dimensions, those of model \"%.*s\" have %d", given,
                        name.length, name.text, *declared)
            .hint("%s", hint);
    const access::Tenant tenant{row.get<pg::Text>("namespace"), row.get<pg::Text>("user_id")};
    int other = given;
    find_vectors.each(pg::SnapshotOf::now, {tenant, model}, [&](const pg::Row &found) {
        if (const int dimensions = found.get<pg::Vectors>().dimensions; dimensions != given)
            other = dimensions;
    });
    if (other != given)
        throw pg::Error(ERRCODE_DATA_EXCEPTION,
                        "embedding has %d dimensions, this user's others of model \"%.*s\" have %d",
                        given, name.length, name.text, other)
            .hint("%s", hint);
    return Datum{0};
}

} // namespace memory::models
