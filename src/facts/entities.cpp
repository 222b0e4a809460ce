// memory.neighbors and memory.merge_entities: an entity, its names, and what is next to it.
#include "access/queue.h"
#include "facts/read.h"
#include "facts/sql.h"
#include "pg/stale.h"
#include "pg/statement.h"

namespace memory::facts {

namespace {

using pg::SnapshotOf;

// Of the entity that $3 is a name of. $4, $5: whether facts are followed from their subject, from
// their object; $6 valid at, and {0} says as known when.
constexpr pg::sql::Fragment neighbors[]{{"neighbors", R"(
    WITH root AS (SELECT {root_of:$3} AS key),
        names AS (SELECT r.key AS name FROM root r
                  UNION ALL
                  SELECT a.alias_key FROM memory.entity_aliases a, root r
                  WHERE {tenant:a} AND a.kept_key = r.key)
    SELECT coalesce(o.kept, e.shown), e.predicate, e.outgoing, e.id, e.confidence,
        {end_of:e.valid_from}, {end_of:e.valid_until}
    FROM (SELECT f.object_key AS key, f.object AS shown, f.predicate, true AS outgoing, f.id,
              f.confidence, f.valid_from, f.valid_until
          FROM names n JOIN memory.facts f ON f.subject_key = n.name
          WHERE $4 AND {tenant:f} AND {0} AND {valid_at:f,$6}
          UNION ALL
          SELECT f.subject_key, f.subject, coalesce(p.inverse, f.predicate), false, f.id,
              f.confidence, f.valid_from, f.valid_until
          FROM names n JOIN memory.facts f ON f.object_key = n.name
              LEFT JOIN memory.predicates p ON p.namespace = $1 AND p.predicate = f.predicate
          WHERE $5 AND {tenant:f} AND {0} AND {valid_at:f,$6}) e
        LEFT JOIN memory.entity_aliases o ON {tenant:o} AND o.alias_key = e.key
    WHERE coalesce(o.kept_key, e.key) <> (SELECT r.key FROM root r)
    ORDER BY e.valid_from DESC, e.id DESC, e.outgoing)"}};

MEMORY_STATEMENT(
    find_neighbors_now,
    pg::compose<"{neighbors:{known_now:f}}", access::fragments, fragments, neighbors>());
MEMORY_STATEMENT(
    find_neighbors_then,
    pg::compose<"{neighbors:{known_at:f,$7}}", access::fragments, fragments, neighbors>());

// Tells any two states of a user's names apart.
MEMORY_STATEMENT(digest, R"(
    SELECT count(*),
        coalesce(sum(hashtextextended(a.alias_key, 0) # hashtextextended(a.kept_key, 1)), 0)::text
    FROM memory.entity_aliases a WHERE {tenant:a})"_sql);

// What the entities of names $3 and $4 are kept as, where that is another name.
MEMORY_STATEMENT(find_roots, R"(
    SELECT (SELECT a.kept_key FROM memory.entity_aliases a WHERE {tenant:a} AND a.alias_key = $3),
        (SELECT a.kept FROM memory.entity_aliases a WHERE {tenant:a} AND a.alias_key = $3),
        (SELECT a.kept_key FROM memory.entity_aliases a WHERE {tenant:a} AND a.alias_key = $4),
        (SELECT a.kept FROM memory.entity_aliases a WHERE {tenant:a} AND a.alias_key = $4))"_sql);

MEMORY_STATEMENT(move_aliases, R"(
    UPDATE memory.entity_aliases a SET kept_key = $3, kept = $4
    WHERE {tenant:a} AND a.kept_key = $5)"_sql);

MEMORY_STATEMENT(insert_alias, R"(
    INSERT INTO memory.entity_aliases (namespace, user_id, alias_key, kept_key, alias, kept)
    VALUES ($1, $2, $5, $3, $6, $4))"_sql);

struct Directions {
    bool out;
    bool in;
};
constexpr pg::Choice<Directions> directions[]{
    {"both", {true, true}}, {"out", {true, false}}, {"in", {false, true}}};

// By names that the snapshot does not see, a kept name could become an alias.
void check_sees_all(const access::Tenant &tenant) {
    pg::check_fresh(
        [&](SnapshotOf snapshot) {
            const auto [count, hash] = digest.run(snapshot, {tenant}).get<pg::Int8, pg::Text>(0);
            return std::pair(count, pg::copied_text(hash));
        },
        "other names of this user have been merged");
}

// The entity of `name`, by the name that it is kept as.
Name root_of(const Name &name, std::optional<std::string_view> kept_key,
             std::optional<std::string_view> kept) {
    return {kept_key ? pg::copied_text(*kept_key) : name.key,
            kept ? pg::copied_text(*kept) : name.shown};
}

void merge(const access::Tenant &tenant, const Name &kept, const Name &alias) {
    // Two merges of one user are made one after the other: each must see which names are kept.
    access::queue(tenant, "entity_aliases");
    check_sees_all(tenant);
    using Text = std::optional<pg::Text>;
    const pg::Rows rows = find_roots.run(SnapshotOf::now, {tenant, kept.key, alias.key});
    const auto [root_key, root_shown, merged_key, merged_shown] =
        rows.get<Text, Text, Text, Text>(0);
    const Name root = root_of(kept, root_key, root_shown);
    const Name merged = root_of(alias, merged_key, merged_shown);
    if (root.key == merged.key)
        return; // they are one already
    move_aliases.run(SnapshotOf::now, {tenant, root.key, root.shown, merged.key});
    insert_alias.write({tenant, root.key, root.shown, merged.key, merged.shown}, "entity_aliases");
}

} // namespace

MEMORY_CALL(memory_neighbors, "entity text, direction text, user_id text, valid_at timestamptz,"
                              " known_at timestamptz") {
    const std::string_view entity = entity_key(call.text("entity").required());
    const Directions followed = call.text("direction").one_of(directions).or_else({true, true});
    const auto known = known_at(call.instant("known_at"));
    access::Reading reading(call, room);
    reading.rows().add_from(known ? find_neighbors_then : find_neighbors_now, SnapshotOf::caller,
                            {reading.tenant(), entity, followed.out, followed.in,
                             call.instant("valid_at").optional(), known});
    return call.nothing();
}

MEMORY_CALL(memory_merge_entities, "kept text, alias text, user_id text") {
    const Name kept = object_name(call.text("kept"));
    const Name alias = object_name(call.text("alias"));
    const access::Writing writing(call, room);
    merge(writing.tenant(), kept, alias);
    return call.nothing();
}

} // namespace memory::facts
