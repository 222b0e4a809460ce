// memory.assert_fact, and how facts are asserted.
#include "facts/assert.h"

#include "facts/spellings.h"
#include "facts/tables.h"
#include "models/settings.h"
#include "pg/error.h"
#include "pg/function.h"
#include "pg/memory.h"
#include "pg/vector.h"
#include "schema/require.h"

namespace memory::facts {

namespace {

using pg::Access;
using pg::Parameter;

// The places of assert_fact()'s arguments.
enum : int {
    subject,
    predicate,
    object,
    user_id,
    valid_from,
    valid_until,
    confidence,
    sources,
    metadata,
    embedding,
    id
};

constinit pg::Statement find_by_id(
    "SELECT subject_key OPERATOR(pg_catalog.=) $4 AND predicate OPERATOR(pg_catalog.=) $5"
    " AND object_key OPERATOR(pg_catalog.=) $6 FROM memory.facts "
    "WHERE namespace OPERATOR(pg_catalog.=) $1 AND user_id OPERATOR(pg_catalog.=) $2"
    " AND id OPERATOR(pg_catalog.=) $3");

constinit pg::Statement delete_rejection(
    "DELETE FROM memory.rejections "
    "WHERE namespace OPERATOR(pg_catalog.=) $1 AND user_id OPERATOR(pg_catalog.=) $2"
    " AND subject_key OPERATOR(pg_catalog.=) $3 AND predicate OPERATOR(pg_catalog.=) $4"
    " AND object_key OPERATOR(pg_catalog.=) $5");

constinit pg::Statement
    insert_embedding("INSERT INTO memory.fact_embeddings"
                     " (namespace, user_id, subject_key, predicate, object_key, model, embedding) "
                     "VALUES ($1, $2, $3, $4, $5, $6, $7) "
                     "ON CONFLICT (namespace, user_id, subject_key, predicate, object_key, model)"
                     " DO UPDATE SET embedding = excluded.embedding");

// Whether this very fact was asserted with this id before. An error when the id is another's.
bool is_retry(const Fact &fact) {
    if (!fact.id)
        return false;
    const std::array parameters{
        fact.tenant.name_space_parameter(), fact.tenant.user_parameter(),
        Parameter::uuid(*fact.id),          Parameter::text(fact.subject.key),
        Parameter::text(fact.predicate),    Parameter::text(fact.object.key)};
    const pg::Rows rows = find_by_id.run(parameters, Access::write);
    if (rows.empty())
        return false;
    if (!rows.get<pg::Bool>(0, 0))
        throw pg::Error(ERRCODE_UNIQUE_VIOLATION, "id is that of another fact")
            .hint("Leave it out: an id is made.");
    return true;
}

void note_rejection(const Fact &fact) {
    pg::call([&fact] {
        ereport(NOTICE,
                (errmsg("this fact was rejected and is not asserted: %.*s",
                        static_cast<int>(fact.object.shown.size()), fact.object.shown.data()),
                 errhint("Assert it with metadata {\"override\": true} to lift the "
                         "rejection.")));
    });
}

void write_embedding(const Fact &fact) {
    const std::array parameters{fact.tenant.name_space_parameter(),
                                fact.tenant.user_parameter(),
                                Parameter::text(fact.subject.key),
                                Parameter::text(fact.predicate),
                                Parameter::text(fact.object.key),
                                Parameter::text(models::embedding_model()),
                                Parameter::of(pg::vector_type(), fact.embedding)};
    insert_embedding.write(parameters, "fact_embeddings");
}

std::optional<pg_uuid_t> assert_one(Fact &fact, Line &line, Spellings &spellings) {
    if (is_retry(fact))
        return fact.id;
    if (line.keeps_out(fact.object.key)) {
        if (!overrides(fact)) {
            note_rejection(fact);
            return std::nullopt;
        }
        lift_rejection(line, fact.object.key);
    }
    spellings.settle(fact);
    if (fact.embedding)
        write_embedding(fact);
    return line.hold(fact);
}

Fact from_arguments(const pg::Arguments &given) {
    Fact fact{};
    fact.tenant = access::tenant(given.text(user_id));
    fact.subject = subject_name("subject", given.text(subject));
    fact.predicate = predicate_name("predicate", given.text(predicate));
    fact.object = object_name("object", given.text(object));
    fact.from = instant_or_now(given.optional(valid_from));
    fact.until = instant(given.optional(valid_until));
    if (given.has(confidence))
        fact.confidence = DatumGetFloat4(given.datum(confidence));
    if (given.has(sources))
        fact.sources = uuids("sources", given.datum(sources));
    fact.metadata = given.optional(metadata);
    fact.embedding = given.optional(embedding);
    if (given.has(id))
        fact.id = *DatumGetUUIDP(given.datum(id));
    return fact;
}

} // namespace

void lift_rejection(Line &line, std::string_view object_key) {
    const Topic &topic = line.topic();
    const std::array parameters{topic.tenant.name_space_parameter(), topic.tenant.user_parameter(),
                                Parameter::text(topic.subject), Parameter::text(topic.predicate),
                                Parameter::text(object_key)};
    delete_rejection.run(parameters, Access::write);
    line.let_in(object_key);
}

std::pmr::vector<std::optional<pg_uuid_t>> assert_all(std::span<Fact> facts,
                                                      std::pmr::memory_resource *memory) {
    Lines lines(memory);
    for (const Fact &fact : facts)
        lines.want(fact);
    lines.lock();
    Spellings spellings(memory);
    std::pmr::vector<std::optional<pg_uuid_t>> ids(memory);
    for (Fact &fact : facts) {
        pg::check_for_interrupts();
        ids.push_back(assert_one(fact, lines.at(topic_of(fact), fact.object.key), spellings));
    }
    lines.write();
    return ids;
}

MEMORY_FUNCTION(memory_assert_fact) {
    Fact fact = from_arguments(arguments);
    schema::require(schema::Need::to_write, room);
    const pg::Spi spi;
    check(fact);
    pg::ContextResource memory(CurrentMemoryContext);
    const std::optional<pg_uuid_t> asserted = assert_all({&fact, 1}, &memory).front();
    return asserted ? pg::to_datum(*asserted, spi.caller()) : arguments.null_result();
}

} // namespace memory::facts
