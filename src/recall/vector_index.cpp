// Makes the index, finds it, and asks it with a literal of the type that its expression has.
#include "recall/vector_index.h"
#include "episodes/tables.h"

#include "access/call.h"
#include "access/owned_tables.h"
#include "episodes/episode.h"
#include "models/models.h"
#include "models/tasks.h"
#include "pg/error.h"
#include "pg/function_call.h"
#include "pg/local_settings.h"
#include "pg/statement.h"
#include "recall/sql.h"
#include "schema/make.h"
#include "schema/partitions.h"
#include "schema/relations.h"
#include "schema/statistics.h"

extern "C" {
#include "common/hashfn.h"
}

namespace memory::recall {

namespace {

// As vector up to here, above at half the precision.
constexpr int most_whole_dimensions = 2000;

// What hnsw.ef_search can be.
constexpr std::size_t most_candidates = 1000;

const char *formatted(const char *format, auto... values) {
    return pg::call([=] { return psprintf(format, values...); });
}

const char *index_name(std::string_view model) {
    const std::uint32_t hash = hash_bytes(reinterpret_cast<const unsigned char *>(model.data()),
                                          static_cast<int>(model.size()));
    return formatted("embeddings_nearest_%08x", hash);
}

// InvalidOid when there is none.
Oid index_id(std::string_view model) {
    return schema::index_named(index_name(model), "embeddings");
}

// The vector as the index holds it: its type with its dimensions.
const char *indexed_type(int dimensions) {
    return formatted("%s.%s(%d)", schema::vector_schema(),
                     dimensions > most_whole_dimensions ? "halfvec" : "vector", dimensions);
}

const char *literal(std::string_view text) {
    return pg::call([=] { return quote_literal_cstr(pnstrdup(text.data(), text.size())); });
}

bool is_valid(Oid index) {
    return pg::call([index] {
        HeapTuple row = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(index));
        if (!HeapTupleIsValid(row))
            return false;
        const bool valid = reinterpret_cast<Form_pg_index>(GETSTRUCT(row))->indisvalid;
        ReleaseSysCache(row);
        return valid;
    });
}

MEMORY_STATEMENT(find_models, "SELECT m.model, m.dimensions FROM memory.models m"_sql);

// Of all users: the index is one for all.
MEMORY_STATEMENT(find_any_vector, R"(
    SELECT v.embedding FROM memory.embeddings v WHERE v.model = $1 LIMIT 1)"_sql);

// The dimensions of the vectors of `model` where they have not been declared; 0: there are none.
int stored_dimensions(std::string_view model) {
    const pg::Rows rows = find_any_vector.run(pg::SnapshotOf::caller, {model});
    return rows.empty() ? 0 : rows.get<pg::Vectors>(0).dimensions;
}

// Its dimensions, as declared or as stored.
int known_dimensions(std::string_view model) {
    const std::optional<int> declared = models::declared_dimensions(model);
    const int known = declared ? *declared : stored_dimensions(model);
    if (known == 0)
        throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                        "the model has no declared dimensions and no stored embedding")
            .hint("Pass them: memory.create_vector_index(dimensions => ...).");
    return known;
}

// "@vector" stands for pgvector's schema, "@vector"."@type" for the type that is indexed: so it is
// planned when it is run.
MEMORY_STATEMENT(find_nearest, R"(
    SELECT v.episode_id, v.embedding FROM memory.embeddings v
    WHERE {of_model:v} AND "@vector".vector_dims(v.embedding) = $5
    ORDER BY v.embedding::"@vector"."@type" OPERATOR("@vector".<=>) $4::"@vector"."@type" LIMIT $6)"_sql);

// `text` with `value` in the place of every `mark`.
const char *with(const char *text, const char *mark, const char *value) {
    std::string_view rest(text);
    return pg::call([&] {
        StringInfo filled = makeStringInfo();
        for (std::size_t at; (at = rest.find(mark)) != rest.npos;) {
            appendBinaryStringInfo(filled, rest.data(), static_cast<int>(at));
            appendStringInfoString(filled, value);
            rest.remove_prefix(at + std::strlen(mark));
        }
        appendBinaryStringInfo(filled, rest.data(), static_cast<int>(rest.size()));
        return filled->data;
    });
}

} // namespace

namespace {

// Building takes long from about here on, and writes of embeddings wait.
constexpr double many_vectors = 50000;

// An index that a CREATE INDEX CONCURRENTLY has left invalid is in the way of a new one.
IndexStatements statements_for(std::string_view model, int dimensions, bool concurrently,
                               bool replaces) {
    const char *name = index_name(model);
    const char *schema = schema::vector_schema();
    const char *how = concurrently ? " CONCURRENTLY" : "";
    // Vectors of other dimensions are not the index's business: a trigger refuses them, and says
    // why.
    return {
        replaces ? formatted("DROP INDEX%s memory.%s", how, name) : nullptr,
        formatted("CREATE INDEX%s %s ON memory.embeddings USING hnsw ((embedding::%s) %s.%s)"
                  " WHERE model OPERATOR(pg_catalog.=) %s"
                  " AND %s.vector_dims(embedding) OPERATOR(pg_catalog.=) %d",
                  how, name, indexed_type(dimensions), schema,
                  dimensions > most_whole_dimensions ? "halfvec_cosine_ops" : "vector_cosine_ops",
                  literal(model), schema, dimensions),
        formatted("ALTER INDEX memory.%s ALTER COLUMN 1 SET STATISTICS 0", name),
        formatted("COMMENT ON INDEX memory.%s IS 'The vectors of one model by direction: finds "
                  "the nearest among very many, nearly.'",
                  name)};
}

void tell_that_writes_wait() {
    const Oid table = schema::table_named("embeddings");
    double vectors = 0;
    schema::each_part(table, [&vectors](Oid part) {
        vectors += pg::OpenRelation(part, AccessShareLock).get()->rd_rel->reltuples;
    });
    if (vectors < many_vectors)
        return;
    pg::call([] {
        ereport(NOTICE, (errmsg("writes of embeddings wait while their index is built"),
                         errhint("memory.create_vector_index(concurrently => true) gives the "
                                 "statements that build it beside them (\\gexec in psql).")));
    });
}

[[noreturn]] void refuse_concurrently() {
    throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED,
                    "PostgreSQL builds no index of a partitioned table concurrently")
        .hint("CREATE INDEX … ON ONLY memory.embeddings, CREATE INDEX CONCURRENTLY on each of its "
              "partitions, and ALTER INDEX … ATTACH PARTITION make one in steps.");
}

} // namespace

IndexStatements make_vector_index(std::string_view model, int dimensions, Build build) {
    const pg::Spi spi;
    schema::lock_tables(); // concurrent calls must not make it, too
    const Oid there = index_id(model);
    if (OidIsValid(there) && is_valid(there))
        return {};
    if (dimensions > most_indexed_dimensions) {
        pg::call([dimensions] {
            ereport(NOTICE,
                    (errmsg("vectors of %d dimensions cannot be indexed", dimensions),
                     errdetail("An index holds at most %d. A recall compares all of a user's.",
                               most_indexed_dimensions)));
        });
        return {};
    }
    const pg::SwitchedContext of_caller(spi.caller());
    const bool spread = schema::is_spread(schema::require_table("embeddings"));
    if (spread && build == Build::concurrently)
        refuse_concurrently();
    const IndexStatements statements =
        statements_for(model, dimensions, build == Build::concurrently, OidIsValid(there));
    if (build == Build::concurrently)
        return statements;
    tell_that_writes_wait();
    pg::LocalSettings settings;
    settings.set("search_path", "pg_catalog, pg_temp");
    const access::InOwnersPlace owner(access::ownership());
    for (const char *one : statements)
        if (one != nullptr)
            pg::run_utility(one);
    if (spread) // what the statements say of statistics is about the whole, and not its parts
        schema::remove_statistics();
    return statements;
}

void make_vector_indexes() {
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<std::pair<std::string_view, int>> models(&memory);
    const pg::Rows rows = find_models.run(pg::SnapshotOf::now, {});
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto [model, dimensions] = rows.get<pg::Text, pg::Int4>(row);
        models.emplace_back(pg::copied_text(model), dimensions);
    }
    for (const auto &[model, dimensions] : models)
        make_vector_index(model, dimensions);
}

bool has_vector_index(std::string_view model) {
    const Oid index = index_id(model);
    return OidIsValid(index) && is_valid(index);
}

pg::Rows nearest(const access::Tenant &tenant, std::string_view model, const pg::Vector &embedding,
                 std::size_t count, std::size_t at_once) {
    // pgvector defines its settings when it is loaded.
    pg::call([] { load_external_function("$libdir/vector", "vector_in", false, nullptr); });
    pg::LocalSettings settings;
    for (const char *other : {"enable_seqscan", "enable_bitmapscan", "enable_sort"})
        settings.set(other, "off");
    // Before pgvector 0.8 what is found at once is all.
    const bool goes_on = settings.set_if_known("hnsw.iterative_scan", "relaxed_order");
    settings.set_if_known("hnsw.max_scan_tuples", formatted("%d", INT_MAX));
    settings.set_if_known("hnsw.ef_search",
                          formatted("%zu", std::min(goes_on ? at_once : count, most_candidates)));
    const char *sql =
        with(find_nearest.sql(), R"("@vector"."@type")", indexed_type(embedding.dimensions));
    return pg::run_once(with(sql, R"("@vector")", schema::vector_schema()), pg::SnapshotOf::caller,
                        {tenant, model, pg::as<pg::Vectors>(PointerGetDatum(&embedding)),
                         std::int32_t{embedding.dimensions}, static_cast<std::int64_t>(count)});
}

MEMORY_CALL(memory_create_vector_index, "dimensions bigint, concurrently boolean") {
    const std::optional<int> given =
        call.bigint("dimensions").within(1, pg::Vector::most_dimensions);
    const bool concurrently = call.boolean("concurrently").or_else(false);
    access::Connection connection(schema::Need::to_read, call, episodes::room);
    // Before any lock: a role without the right must not hold up others.
    access::check_may_write_shared("models", "Vector indexes are made");
    const std::string_view model = models::in_use(access::namespace_setting(), std::nullopt).name;
    const int dimensions = given ? *given : known_dimensions(model);
    models::declare_dimensions(model, dimensions);
    for (const char *one :
         make_vector_index(model, dimensions, concurrently ? Build::concurrently : Build::now))
        if (one != nullptr)
            connection.rows().add({std::string_view(one)});
    return call.nothing();
}

} // namespace memory::recall
