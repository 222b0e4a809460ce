// memory.assert_fact, and how facts are asserted.
#include "facts/assert.h"

#include "access/direct.h"
#include "facts/sql.h"
#include "models/tasks.h"
#include "pg/memory.h"
#include "pg/statement.h"

namespace memory::facts {

namespace {

using pg::SnapshotOf;

// Whether the fact with this id is the one that is asserted.
MEMORY_STATEMENT(find_by_id, R"(
    SELECT f.subject_key = $4 AND f.predicate = $5 AND f.object_key = $6
    FROM memory.facts f WHERE {tenant:f} AND f.id = $3)"_sql);

MEMORY_STATEMENT(delete_rejection, R"(
    DELETE FROM memory.rejections r WHERE {of_topic:r} AND r.object_key = $5)"_sql);

MEMORY_STATEMENT(insert_embedding, R"(
    INSERT INTO memory.fact_embeddings
        (namespace, user_id, subject_key, predicate, object_key, model, embedding)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (namespace, user_id, subject_key, predicate, object_key, model)
        DO UPDATE SET embedding = excluded.embedding)"_sql);

// Whether this very fact was asserted with this id before. An error when the id is another's.
bool is_retry(const Fact &fact) {
    if (!fact.id)
        return false;
    const pg::Rows rows = access::reading(find_by_id, fact.tenant)
                              .run(SnapshotOf::now, {fact.tenant, *fact.id, fact.subject.key,
                                                     fact.predicate, fact.object.key});
    if (rows.empty())
        return false;
    if (!rows.get<pg::Bool>(0))
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

} // namespace

std::optional<pg_uuid_t> assert_on(Line &line, Fact &fact, Spellings &spellings) {
    if (is_retry(fact))
        return fact.id;
    if (line.is_rejected(fact.object.key)) {
        if (!overrides(fact)) {
            note_rejection(fact);
            return std::nullopt;
        }
        lift_rejection(line, fact.object.key);
    }
    spellings.settle(fact);
    if (fact.embedding != nullptr)
        access::writing(insert_embedding, fact.tenant)
            .write({fact.tenant, fact.subject.key, fact.predicate, fact.object.key,
                    models::in_use(fact.tenant.name_space, std::nullopt).name,
                    pg::as<pg::Vectors>(PointerGetDatum(fact.embedding))},
                   "fact_embeddings");
    return line.hold(fact);
}

void lift_rejection(Line &line, std::string_view object_key) {
    const Topic &topic = line.topic();
    access::erasing(delete_rejection, topic.tenant)
        .run(SnapshotOf::now, {topic.tenant, topic.subject, topic.predicate, object_key});
    line.forget_rejection(object_key);
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
        ids.push_back(assert_on(lines.at(topic_of(fact), fact.object.key), fact, spellings));
    }
    lines.write();
    return ids;
}

MEMORY_CALL(memory_assert_fact, assert_fact_arguments) {
    Fact fact = read_fact(call);
    const access::Writing writing(call, room);
    fact.tenant = writing.tenant();
    check_sources(fact);
    pg::ContextResource memory(CurrentMemoryContext);
    return call.result(assert_all({&fact, 1}, &memory).front());
}

} // namespace memory::facts
