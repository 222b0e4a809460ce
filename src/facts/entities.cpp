// memory.neighbors and memory.merge_entities: an entity, its names, and what is next to it.
#include "facts/algebra/sha256.h"
#include "facts/fact.h"
#include "facts/read.h"
#include "facts/tables.h"
#include "pg/error.h"
#include "pg/handles.h"
#include "pg/rows.h"
#include "schema/relations.h"
#include "schema/require.h"

extern "C" {
#include "access/xact.h"
}

namespace memory::facts {

namespace {

using pg::Access;
using pg::Parameter;
using pg::Statement;

// All names of the entity that $3 is a name of.
#define NAMES                                                                                      \
    "WITH root AS (SELECT coalesce((SELECT a.kept_key FROM memory.entity_aliases a "               \
    "WHERE " OF_TENANT("a") " AND a.alias_key OPERATOR(pg_catalog.=) $3), $3) AS key),"            \
                            " names AS (SELECT key AS name FROM root UNION ALL SELECT a.alias_key" \
                            "  FROM memory.entity_aliases a, root WHERE " OF_TENANT(               \
                                "a") "  AND a.kept_key OPERATOR(pg_catalog.=) root.key) "

// $4, $5: whether facts are followed from their subject, from their object; $6 valid at, $7 known
// at.
#define NEIGHBORS(known)                                                                           \
    Statement(                                                                                     \
        NAMES                                                                                      \
        "SELECT coalesce(o.kept, e.shown), e.predicate, e.outgoing, e.id, e.confidence,"           \
        " e.valid_from, " NULL_WHERE(                                                              \
            "e.valid_until",                                                                       \
            "'infinity'") " FROM ("                                                                \
                          "SELECT f.object_key AS key, f.object AS shown, f.predicate, true AS "   \
                          "outgoing,"                                                              \
                          "  f.id, f.confidence, f.valid_from, f.valid_until"                      \
                          " FROM names n JOIN memory.facts f ON f.subject_key "                    \
                          "OPERATOR(pg_catalog.=) n.name"                                          \
                          " WHERE $4 AND " OF_TENANT("f") known VALID_AT(                          \
                              "f", "$6") "UNION ALL "                                              \
                                         "SELECT f.subject_key, f.subject, coalesce(p.inverse, "   \
                                         "f.predicate), false, "                                   \
                                         "f.id,"                                                   \
                                         "  f.confidence, f.valid_from, f.valid_until"             \
                                         " FROM names n JOIN memory.facts f ON f.object_key "      \
                                         "OPERATOR(pg_catalog.=) "                                 \
                                         "n.name"                                                  \
                                         " LEFT JOIN memory.predicates p ON p.namespace "          \
                                         "OPERATOR(pg_catalog.=) $1"                               \
                                         "  AND p.predicate OPERATOR(pg_catalog.=) f.predicate"    \
                                         " WHERE $5 AND " OF_TENANT("f") known VALID_AT(           \
                                             "f", "$6") ") e LEFT JOIN memory.entity_aliases o "   \
                                                        "ON " OF_TENANT(                           \
                                                            "o") "  AND o.alias_key "              \
                                                                 "OPERATOR(pg_catalog.=) e.key "   \
                                                                 "WHERE coalesce(o.kept_key, "     \
                                                                 "e.key) "                         \
                                                                 "OPERATOR(pg_catalog.<>) "        \
                                                                 "(SELECT key FROM root) "         \
                                                                 "ORDER BY e.valid_from DESC, "    \
                                                                 "e.id DESC, e.outgoing")

constinit Statement find_neighbors_now = NEIGHBORS(KNOWN_NOW("f"));
constinit Statement find_neighbors_then = NEIGHBORS(KNOWN_AT("f", "$7"));

// Two merges of one user are made one after the other: each must see which names are kept. Users
// whose hashes share 48 bits wait for each other. An advisory lock would do, but any role can take
// one, and keep it.
void queue(const access::Tenant &tenant) {
    if (XactReadOnly)
        return; // the first statement says so
    const std::uint64_t hash = algebra::tenant_hash(tenant.name_space, tenant.user);
    pg::lock_object(schema::table_named("entity_aliases"), static_cast<Oid>(hash >> 32),
                    ExclusiveLock, static_cast<std::uint16_t>(hash));
}

constinit Statement
    digest("SELECT pg_catalog.count(*), coalesce(pg_catalog.sum("
           "  pg_catalog.hashtextextended(a.alias_key, 0)"
           "  OPERATOR(pg_catalog.#) pg_catalog.hashtextextended(a.kept_key, 1)),"
           " 0)::pg_catalog.text FROM memory.entity_aliases a WHERE " OF_TENANT("a"));

constinit Statement
    find_roots("SELECT coalesce((SELECT a.kept_key FROM memory.entity_aliases a WHERE " OF_TENANT(
        "a") "  AND a.alias_key OPERATOR(pg_catalog.=) $3), $3), (SELECT a.kept FROM "
             "memory.entity_aliases a"
             "  WHERE " OF_TENANT(
                 "a") " AND a.alias_key OPERATOR(pg_catalog.=) $3),"
                      " coalesce((SELECT a.kept_key FROM memory.entity_aliases a WHERE " OF_TENANT(
                          "a") "  AND a.alias_key OPERATOR(pg_catalog.=) $4), $4), (SELECT a.kept "
                               "FROM memory.entity_aliases a"
                               "  WHERE " OF_TENANT(
                                   "a") " AND a.alias_key OPERATOR(pg_catalog.=) $4)");

constinit Statement
    move_aliases("UPDATE memory.entity_aliases a SET kept_key = $3, kept = $4 WHERE " OF_TENANT(
        "a") " AND a.kept_key OPERATOR(pg_catalog.=) $5");

constinit Statement insert_alias(
    "INSERT INTO memory.entity_aliases (namespace, user_id, alias_key, kept_key, alias, kept) "
    "VALUES ($1, $2, $5, $3, $6, $4)");

struct Directions {
    bool out;
    bool in;
};

Directions directions_named(std::string_view name) {
    if (name == "both" || name == "out" || name == "in")
        return {name != "in", name != "out"};
    const pg::Quoted given(name);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "direction \"%.*s\" is unknown", given.length,
                    given.text)
        .hint("It is one of both, out, in.");
}

std::string_view copy_or(std::optional<std::string_view> found, std::string_view other) {
    return found ? pg::copied_text(*found) : other;
}

// The transaction's snapshot may be older than a merge that it has waited for, or that was done
// before: by what it does not see, a kept name could become an alias.
void check_sees_all(std::span<const Parameter> scope) {
    if (!IsolationUsesXactSnapshot())
        return;
    const auto names = [scope](Access access) {
        const pg::Rows rows = digest.run(scope, access);
        return std::pair(rows.get<pg::Int8>(0, 0), pg::copied_text(rows.get<pg::Text>(0, 1)));
    };
    const auto seen = names(Access::write);
    const pg::FreshSnapshot now(GetLatestSnapshot);
    if (names(Access::read) != seen)
        throw pg::Error(ERRCODE_T_R_SERIALIZATION_FAILURE,
                        "could not serialize access: other names of this user have been merged");
}

void merge(const access::Tenant &tenant, const Name &kept, const Name &alias) {
    const std::array scope{tenant.name_space_parameter(), tenant.user_parameter()};
    queue(tenant);
    check_sees_all(scope);
    const std::array keys{scope[0], scope[1], Parameter::text(kept.key),
                          Parameter::text(alias.key)};
    const pg::Rows roots = find_roots.run(keys, Access::write);
    const Name root{copy_or(roots.find<pg::Text>(0, 0), kept.key),
                    copy_or(roots.find<pg::Text>(0, 1), kept.shown)};
    const Name merged{copy_or(roots.find<pg::Text>(0, 2), alias.key),
                      copy_or(roots.find<pg::Text>(0, 3), alias.shown)};
    if (root.key == merged.key)
        return; // they are one already
    const std::array row{scope[0],
                         scope[1],
                         Parameter::text(root.key),
                         Parameter::text(root.shown),
                         Parameter::text(merged.key),
                         Parameter::text(merged.shown)};
    move_aliases.run(std::span(row).first<5>(), Access::write);
    insert_alias.write(row, "entity_aliases");
}

} // namespace

MEMORY_FUNCTION(memory_neighbors) {
    if (!arguments.has(0))
        throw pg::Error(ERRCODE_NULL_VALUE_NOT_ALLOWED, "entity must not be null");
    const Directions directions = directions_named(arguments.text(1).value_or("both"));
    schema::require(schema::Need::to_read, room);
    pg::ResultSet result(arguments);
    const pg::Spi spi;
    const access::Tenant tenant = access::reading_tenant(arguments.text(2));
    const std::optional<Datum> known = known_at(arguments, 4);
    const std::array parameters{tenant.name_space_parameter(),
                                tenant.user_parameter(),
                                Parameter::text(entity_key(*arguments.text(0))),
                                Parameter::of(BOOLOID, BoolGetDatum(directions.out)),
                                Parameter::of(BOOLOID, BoolGetDatum(directions.in)),
                                Parameter::of(TIMESTAMPTZOID, arguments.optional(3)),
                                Parameter::of(TIMESTAMPTZOID, known)};
    result.add_from(known ? find_neighbors_then : find_neighbors_now, parameters, Access::read);
    return Datum{0};
}

MEMORY_FUNCTION(memory_merge_entities) {
    const access::Tenant tenant = access::tenant(arguments.text(2));
    const Name kept = object_name("kept", arguments.text(0));
    const Name alias = object_name("alias", arguments.text(1));
    schema::require(schema::Need::to_write, room);
    const pg::Spi spi;
    merge(tenant, kept, alias);
    return Datum{0};
}

} // namespace memory::facts
