// Facts that are forgotten: which they are, their lines' locks, and what goes with them.
#include "facts/forget.h"

#include "facts/sql.h"
#include "pg/statement.h"

namespace memory::facts {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(lock_every_line, R"(
    SELECT FROM memory.timelines t WHERE {tenant:t}
    ORDER BY t.subject_key, t.predicate, t.slot FOR UPDATE)"_sql);

// $3 episodes.
MEMORY_STATEMENT(lock_derived, R"(
    SELECT FROM memory.timelines t
    WHERE {tenant:t} AND t.line = ANY (ARRAY(
        SELECT f.line FROM memory.fact_sources s JOIN memory.facts f ON {tenant:f} AND f.id = s.fact_id
        WHERE {tenant:s} AND s.episode_id = ANY ($3)))
    ORDER BY t.subject_key, t.predicate, t.slot FOR UPDATE)"_sql,
                 pg::Statement::for_each_values);

// $3 versions.
MEMORY_STATEMENT(lock_some, R"(
    SELECT FROM memory.timelines t
    WHERE {tenant:t} AND t.line = ANY (ARRAY(
        SELECT f.line FROM memory.facts f WHERE {tenant:f} AND f.id = ANY ($3)))
    ORDER BY t.subject_key, t.predicate, t.slot FOR UPDATE)"_sql,
                 pg::Statement::for_each_values);

// $3 episodes.
MEMORY_STATEMENT(find_derived, R"(
    SELECT DISTINCT s.fact_id FROM memory.fact_sources s
    WHERE {tenant:s} AND s.episode_id = ANY ($3) AND NOT EXISTS (
        SELECT FROM memory.fact_sources o
        WHERE {tenant:o} AND o.fact_id = s.fact_id AND o.episode_id <> ALL ($3)))"_sql,
                 pg::Statement::for_each_values);

// $3 a version, $4 since before when it has been known, or NULL.
MEMORY_STATEMENT(find_same, R"(
    SELECT o.id FROM memory.facts f JOIN memory.facts o
        ON {tenant:o} AND o.line = f.line AND o.object_key = f.object_key
    WHERE {tenant:f} AND f.id = $3 AND ($4::timestamptz IS NULL OR f.known_from < $4))"_sql);

MEMORY_STATEMENT(find_known_before, R"(
    SELECT f.id FROM memory.facts f WHERE {tenant:f} AND f.known_from < $3)"_sql);

// $3 versions. The statement sees all rows as they were before it.
MEMORY_STATEMENT(erase_versions, R"(
    WITH goes AS MATERIALIZED (
            SELECT f.line, f.subject_key, f.predicate, f.object_key
            FROM memory.facts f WHERE {tenant:f} AND f.id = ANY ($3)),
        said AS (SELECT DISTINCT g.subject_key, g.predicate, g.object_key FROM goes g),
        vectors AS (
            DELETE FROM memory.fact_embeddings v USING said g
            WHERE {tenant:v} AND v.subject_key = g.subject_key AND v.predicate = g.predicate
                AND v.object_key = g.object_key AND NOT EXISTS (
                    SELECT FROM memory.facts o
                    WHERE {tenant:o} AND o.subject_key = v.subject_key
                        AND o.predicate = v.predicate AND o.object_key = v.object_key
                        AND o.id <> ALL ($3))
            RETURNING 1),
        sources AS (
            DELETE FROM memory.fact_sources s WHERE {tenant:s} AND s.fact_id = ANY ($3)
            RETURNING 1),
        lines AS (
            DELETE FROM memory.timelines t
            WHERE {tenant:t} AND t.line = ANY (ARRAY(SELECT g.line FROM goes g))
                AND NOT EXISTS (SELECT FROM memory.facts o
                                WHERE {tenant:o} AND o.line = t.line AND o.id <> ALL ($3))
                AND NOT EXISTS (SELECT FROM memory.rejections r
                                WHERE {tenant:r} AND r.subject_key = t.subject_key
                                    AND r.predicate = t.predicate)
            RETURNING 1),
        gone AS (
            DELETE FROM memory.facts f WHERE {tenant:f} AND f.id = ANY ($3) RETURNING 1)
    SELECT (SELECT count(*) FROM gone), (SELECT count(*) FROM sources),
        (SELECT count(*) FROM vectors), (SELECT count(*) FROM lines))"_sql,
                 pg::Statement::for_each_values);

MEMORY_STATEMENT(delete_rejections, R"(
    WITH gone AS (
            DELETE FROM memory.rejections r WHERE {tenant:r} AND r.rejected_at < $3
            RETURNING r.subject_key, r.predicate),
        topics AS (SELECT DISTINCT g.subject_key, g.predicate FROM gone g),
        lines AS (
            DELETE FROM memory.timelines t USING topics g
            WHERE {tenant:t} AND t.subject_key = g.subject_key AND t.predicate = g.predicate
                AND NOT EXISTS (SELECT FROM memory.facts f WHERE {tenant:f} AND f.line = t.line)
                AND NOT EXISTS (SELECT FROM memory.rejections r
                                WHERE {tenant:r} AND r.subject_key = t.subject_key
                                    AND r.predicate = t.predicate AND r.rejected_at >= $3)
            RETURNING 1)
    SELECT (SELECT count(*) FROM gone), (SELECT count(*) FROM lines))"_sql,
                 pg::Statement::for_each_values);

Ids ids_in(const pg::Rows &rows, std::pmr::memory_resource *memory) {
    Ids ids(memory);
    ids.reserve(rows.size());
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        ids.push_back(rows.get<pg::Uuid>(row));
    return ids;
}

} // namespace

void lock_all_lines(const access::Tenant &tenant) {
    lock_every_line.run(SnapshotOf::now, {tenant});
}

void lock_lines_from(const access::Tenant &tenant, std::span<const pg_uuid_t> episodes) {
    lock_derived.run(SnapshotOf::now, {tenant, episodes});
}

void lock_lines_of(const access::Tenant &tenant, std::span<const pg_uuid_t> versions) {
    lock_some.run(SnapshotOf::now, {tenant, versions});
}

Ids derived_from(const access::Tenant &tenant, std::span<const pg_uuid_t> episodes,
                 std::pmr::memory_resource *memory) {
    return ids_in(find_derived.run(SnapshotOf::now, {tenant, episodes}), memory);
}

Ids saying_the_same(const access::Tenant &tenant, const pg_uuid_t &version,
                    const std::optional<pg::Instant> &before, std::pmr::memory_resource *memory) {
    return ids_in(find_same.run(SnapshotOf::now, {tenant, version, before}), memory);
}

Ids known_before(const access::Tenant &tenant, pg::Instant before,
                 std::pmr::memory_resource *memory) {
    return ids_in(find_known_before.run(SnapshotOf::now, {tenant, before}), memory);
}

Erased erase(const access::Tenant &tenant, std::span<const pg_uuid_t> versions) {
    if (versions.empty())
        return {};
    const auto [facts, sources, vectors, lines] =
        erase_versions.run(SnapshotOf::now, {tenant, versions})
            .get<pg::Int8, pg::Int8, pg::Int8, pg::Int8>(0);
    return {facts, sources, vectors, lines};
}

ErasedRejections erase_rejections(const access::Tenant &tenant, pg::Instant before) {
    const auto [rejections, lines] =
        delete_rejections.run(SnapshotOf::now, {tenant, before}).get<pg::Int8, pg::Int8>(0);
    return {rejections, lines};
}

} // namespace memory::facts
