// The task embed: vectors of episodes, facts and items.
#include "jobs/sql.h"
#include "jobs/work.h"

#include "models/comparison.h"
#include "pg/attempt.h"
#include "pg/error.h"
#include "pg/memory.h"
#include "pg/statement.h"

namespace memory::jobs {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(lock_episode, R"(
    SELECT 1 FROM memory.episodes e WHERE {tenant:e} AND e.id = $3 FOR SHARE)"_sql);

MEMORY_STATEMENT(find_episode, R"(
    SELECT jsonb_build_object('texts',
        ARRAY[memory_internal.episode_text(e.content, e.response)])
    FROM memory.episodes e
    WHERE {tenant:e} AND e.id = $3 AND {lives:e} AND NOT EXISTS (
        SELECT FROM memory.embeddings v
        WHERE {tenant:v} AND v.episode_id = $3 AND v.model = $4))"_sql);

MEMORY_STATEMENT(put_episode, R"(
    INSERT INTO memory.embeddings (namespace, user_id, episode_id, model, embedding)
    VALUES ($1, $2, $3, $4, $6))"_sql);

MEMORY_STATEMENT(lock_fact, R"(
    SELECT 1 FROM memory.facts f WHERE {tenant:f} AND f.id = $3 FOR SHARE)"_sql);

MEMORY_STATEMENT(find_fact, R"(
    SELECT jsonb_build_object('texts', ARRAY[f.statement])
    FROM memory.facts f
    WHERE {tenant:f} AND f.id = $3 AND NOT EXISTS (
        SELECT FROM memory.fact_embeddings v
        WHERE {tenant:v} AND v.subject_key = f.subject_key AND v.predicate = f.predicate
            AND v.object_key = f.object_key AND v.model = $4))"_sql);

// Two versions that say the same may have their jobs at once.
MEMORY_STATEMENT(put_fact, R"(
    INSERT INTO memory.fact_embeddings
        (namespace, user_id, subject_key, predicate, object_key, model, embedding)
    SELECT $1, $2, f.subject_key, f.predicate, f.object_key, $4, $6
    FROM memory.facts f WHERE {tenant:f} AND f.id = $3
    ON CONFLICT (namespace, user_id, subject_key, predicate, object_key, model)
        DO UPDATE SET embedding = excluded.embedding)"_sql);

MEMORY_STATEMENT(lock_item, R"(
    SELECT 1 FROM memory.items i WHERE {tenant:i} AND i.id = $3 FOR SHARE)"_sql);

// Of the texts that it was given, or of all strings among its values; not of blank ones.
MEMORY_STATEMENT(find_item, R"(
    SELECT jsonb_build_object('texts', s.texts)
    FROM memory.items i, LATERAL (
        SELECT array_agg(t.text ORDER BY t.n) AS texts
        FROM unnest(coalesce(i.texts, ARRAY[memory_internal.item_text(i.value, NULL)]))
            WITH ORDINALITY t (text, n)
        WHERE t.text ~ '\S') s
    WHERE {tenant:i} AND i.id = $3 AND {lives:i} AND s.texts IS NOT NULL AND NOT EXISTS (
        SELECT FROM memory.item_embeddings v
        WHERE {tenant:v} AND v.item = $3 AND v.model = $4))"_sql);

MEMORY_STATEMENT(put_item, R"(
    INSERT INTO memory.item_embeddings (namespace, user_id, item, model, n, embedding)
    VALUES ($1, $2, $3, $4, $5, $6))"_sql);

// How the vectors of a kind of thing are made. Statements have the tenant, the target, and the
// model; to put one, also its number from 1 on, and the vector.
struct Thing {
    std::string_view name;
    pg::Statement &lock;
    pg::Statement &find;
    pg::Statement &put;
    const char *table; // of the vectors
};

constinit const Thing things[]{
    {"episode", lock_episode, find_episode, put_episode, "embeddings"},
    {"fact", lock_fact, find_fact, put_fact, "fact_embeddings"},
    {"item", lock_item, find_item, put_item, "item_embeddings"},
};

const Thing &thing_of(const Job &job) {
    for (const Thing &thing : things)
        if (thing.name == job.thing)
            return thing;
    const pg::Quoted name(job.thing);
    throw pg::Error(ERRCODE_DATA_CORRUPTED, "memory.jobs has a job to embed a thing \"%.*s\"",
                    name.length, name.text);
}

std::optional<Payload> payload(const Job &job, const Model &model) {
    const pg::Rows rows =
        thing_of(job).find.run(SnapshotOf::now, {job.tenant, job.target, model.name});
    if (rows.empty())
        return std::nullopt;
    return Payload{pg::copied(pg::Document{rows.get<pg::Json>(0)})};
}

void lock(const Job &job) { thing_of(job).lock.run(SnapshotOf::now, {job.tenant, job.target}); }

std::size_t texts_in(const Payload &payload) {
    std::size_t count = 0;
    pg::JsonWalk walk(*pg::json_root(payload.document.jsonb).member("texts"));
    while (walk.next_element())
        ++count;
    return count;
}

// [0.1, 0.2] is written as pgvector writes a vector.
const pg::Vector *vector_in(const pg::JsonValue &value, std::size_t n) {
    std::array<char, 48> place{};
    std::snprintf(place.data(), place.size(), "result.embeddings[%zu]", n);
    if (!value.is_array())
        throw_shape(place.data() + std::strlen("result."), "an array", value.described());
    return pg::parsing(place.data(), [&] { return &pg::vector_from(value.to_text()); });
}

std::span<const pg::Vector *const> vectors_in(const Answer &answer, std::size_t texts) {
    auto *vectors = static_cast<const pg::Vector **>(
        pg::call([texts] { return palloc(texts * sizeof(pg::Vector *)); }));
    if (answer.embedding != nullptr) {
        vectors[0] = answer.embedding;
        return {vectors, 1};
    }
    const pg::JsonValue embeddings = member_of(answer, "embeddings");
    if (!embeddings.is_array())
        throw_shape("embeddings", "an array", embeddings.described());
    std::size_t count = 0;
    pg::JsonWalk walk(embeddings);
    while (const auto value = walk.next_element()) {
        if (count < texts)
            vectors[count] = vector_in(*value, count);
        ++count;
    }
    return {vectors, count};
}

Dropped take(const Job &job, const Model &model, const Payload &payload, const Answer &answer) {
    if (answer.result.has_value() == (answer.embedding != nullptr))
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                        "one of result and embedding is needed for the task embed");
    const std::size_t texts = texts_in(payload);
    const auto vectors = vectors_in(answer, texts);
    if (vectors.size() != texts)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%zu embeddings are given for %zu texts",
                        vectors.size(), texts);
    const Thing &thing = thing_of(job);
    std::int32_t n = 0;
    for (const pg::Vector *vector : vectors) {
        if (!models::has_direction(*vector))
            throw models::no_direction("embedding");
        thing.put.write(
            {job.tenant, job.target, model.name, ++n, pg::as<pg::Vectors>(PointerGetDatum(vector))},
            thing.table);
    }
    return 0;
}

} // namespace

constinit const Work embedding{nullptr, payload, lock, take};

} // namespace memory::jobs
