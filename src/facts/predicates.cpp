// memory.define_predicate: how many objects a subject has at a time, and what is stored already.
#include "facts/predicates.h"

#include "access/owned_tables.h"
#include "access/scope.h"
#include "facts/fact.h"
#include "facts/tables.h"
#include "pg/error.h"
#include "pg/function.h"
#include "pg/handles.h"
#include "pg/local_settings.h"
#include "schema/require.h"

namespace memory::facts {

namespace {

using pg::Access;
using pg::Parameter;
using pg::Statement;

constinit Statement
    find_same("SELECT FROM memory.predicates p WHERE p.namespace OPERATOR(pg_catalog.=) $1"
              " AND p.predicate OPERATOR(pg_catalog.=) $2"
              " AND p.cardinality OPERATOR(pg_catalog.=) $3"
              " AND (p.inverse OPERATOR(pg_catalog.=) $4 OR (p.inverse IS NULL AND $4 IS NULL))");

constinit Statement ask_cardinality("SELECT " MEMORY_IS_MANY("$2"));

constinit Statement ask_row_security("SELECT pg_catalog.row_security_active('memory.facts')");

constinit Statement
    store("INSERT INTO memory.predicates (namespace, predicate, cardinality, inverse) "
          "VALUES ($1, $2, $3, $4) ON CONFLICT (namespace, predicate)"
          " DO UPDATE SET cardinality = excluded.cardinality, inverse = excluded.inverse");

constinit Statement count_subjects_with_several(
    "SELECT pg_catalog.count(DISTINCT (a.user_id, a.subject_key))"
    " FROM memory.facts a JOIN memory.facts b ON a.namespace OPERATOR(pg_catalog.=) b.namespace"
    " AND a.user_id OPERATOR(pg_catalog.=) b.user_id"
    " AND a.subject_key OPERATOR(pg_catalog.=) b.subject_key"
    " AND a.predicate OPERATOR(pg_catalog.=) b.predicate"
    " WHERE a.namespace OPERATOR(pg_catalog.=) $1 AND a.predicate OPERATOR(pg_catalog.=) $2"
    " AND a.object_key OPERATOR(pg_catalog.<>) b.object_key"
    " AND a.known_until OPERATOR(pg_catalog.=) 'infinity'"
    " AND b.known_until OPERATOR(pg_catalog.=) 'infinity'"
    " AND a.valid_from OPERATOR(pg_catalog.<) b.valid_until"
    " AND b.valid_from OPERATOR(pg_catalog.<) a.valid_until");

// A line for what is stored, believed or not: per object ($3) or one for all. Its time goes on from
// the lines before.
constinit Statement make_lines(
    "INSERT INTO memory.timelines AS made (namespace, user_id, subject_key, predicate, slot,"
    " last_known, changes, has_rejections) "
    "SELECT t.namespace, t.user_id, t.subject_key, t.predicate,"
    " CASE WHEN $3 THEN s.object_key ELSE '' END, pg_catalog.max(t.last_known), 1,"
    " pg_catalog.bool_or(t.has_rejections) "
    "FROM memory.timelines t JOIN (SELECT namespace, user_id, subject_key, predicate, object_key"
    "  FROM memory.facts UNION"
    "  SELECT namespace, user_id, subject_key, predicate, object_key FROM memory.rejections) s"
    " ON s.namespace OPERATOR(pg_catalog.=) t.namespace"
    " AND s.user_id OPERATOR(pg_catalog.=) t.user_id"
    " AND s.subject_key OPERATOR(pg_catalog.=) t.subject_key"
    " AND s.predicate OPERATOR(pg_catalog.=) t.predicate "
    "WHERE t.namespace OPERATOR(pg_catalog.=) $1 AND t.predicate OPERATOR(pg_catalog.=) $2"
    " AND (t.slot OPERATOR(pg_catalog.=) '') OPERATOR(pg_catalog.=) $3 "
    "GROUP BY 1, 2, 3, 4, 5");

// All versions, as a line goes only when none is on it. Returns how many of them are current.
constinit Statement move_facts(
    "WITH moved AS (UPDATE memory.facts f SET line = t.line FROM memory.timelines t "
    "WHERE f.namespace OPERATOR(pg_catalog.=) $1 AND f.predicate OPERATOR(pg_catalog.=) $2"
    " AND t.namespace OPERATOR(pg_catalog.=) $1 AND t.predicate OPERATOR(pg_catalog.=) $2"
    " AND t.user_id OPERATOR(pg_catalog.=) f.user_id"
    " AND t.subject_key OPERATOR(pg_catalog.=) f.subject_key"
    " AND t.slot OPERATOR(pg_catalog.=) CASE WHEN $3 THEN f.object_key ELSE '' END"
    " RETURNING f.known_until) "
    "SELECT pg_catalog.count(*) FROM moved"
    " WHERE known_until OPERATOR(pg_catalog.=) 'infinity'");

constinit Statement
    drop_lines("DELETE FROM memory.timelines WHERE namespace OPERATOR(pg_catalog.=) $1"
               " AND predicate OPERATOR(pg_catalog.=) $2"
               " AND (slot OPERATOR(pg_catalog.=) '') OPERATOR(pg_catalog.=) $3");

bool means_many(std::string_view cardinality) {
    if (cardinality == "many" || cardinality == "one")
        return cardinality == "many";
    const pg::Quoted given(cardinality);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "cardinality \"%.*s\" is unknown",
                    given.length, given.text)
        .hint("It is one or many.");
}

// Everything that is stored must be seen.
void check_may_change() {
    const pg::Rows rows = ask_row_security.run({}, Access::write);
    if (rows.get<pg::Bool>(0, 0))
        throw pg::Error(ERRCODE_INSUFFICIENT_PRIVILEGE,
                        "cardinality cannot be changed where row security hides facts")
            .hint("Call it as the owner of the memory tables.");
    if (IsolationUsesXactSnapshot())
        throw pg::Error(ERRCODE_ACTIVE_SQL_TRANSACTION,
                        "cardinality can only be changed at READ COMMITTED");
}

// Gives the stored facts of a predicate the lines that its new cardinality asks for.
void move_to_lines(std::span<const Parameter> predicate, std::string_view name, bool many) {
    const std::array parameters{predicate[0], predicate[1],
                                Parameter::of(BOOLOID, BoolGetDatum(many))};
    if (!many) {
        const pg::Rows rows = count_subjects_with_several.run(predicate, Access::write);
        const std::int64_t several = rows.get<pg::Int8>(0, 0);
        if (several > 0)
            throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                            "predicate \"%.*s\" cannot become one-valued: %lld subjects have "
                            "several objects at the same time",
                            static_cast<int>(name.size()), name.data(),
                            static_cast<long long>(several))
                .hint("Retract all objects but one of each subject first.");
    }
    // All lines and facts of a predicate meet here, and predicates have no statistics by which the
    // planner would know that these are many.
    pg::LocalSettings settings;
    settings.set("enable_nestloop", "off");
    make_lines.run(parameters, Access::write);
    const pg::Rows current = move_facts.run(parameters, Access::write);
    const auto moved = static_cast<long long>(current.get<pg::Int8>(0, 0));
    drop_lines.run(parameters, Access::write);
    if (moved > 0)
        pg::call([&] {
            ereport(NOTICE,
                    (errmsg("%lld current facts of predicate \"%.*s\" are %s now", moved,
                            static_cast<int>(name.size()), name.data(),
                            many ? "on a line for each object" : "on a line for each subject")));
        });
}

} // namespace

bool is_many(const Parameter &name_space, const Parameter &predicate, Access access) {
    const pg::Rows rows = ask_cardinality.run(std::array{name_space, predicate}, access);
    return rows.get<pg::Bool>(0, 0);
}

MEMORY_FUNCTION(memory_define_predicate) {
    const std::string_view name = predicate_name("predicate", arguments.text(0));
    const std::string_view cardinality = arguments.text(1).value_or("one");
    const bool many = means_many(cardinality);
    std::optional<std::string_view> inverse;
    if (arguments.has(2))
        inverse = predicate_name("inverse", arguments.text(2));
    schema::require(schema::Need::to_write, room);
    const pg::Spi spi;
    const std::array row{Parameter::text(access::namespace_setting()), Parameter::text(name),
                         Parameter::text(cardinality), Parameter::text(inverse)};
    if (!find_same.run(row, Access::write).empty())
        return Datum{0};
    access::check_may_write_shared("predicates", "Predicates are defined");
    // No fact may come meanwhile, and no other definition. Whoever writes lines has this lock
    // before he locks rows.
    pg::run_utility("LOCK TABLE memory.timelines IN SHARE ROW EXCLUSIVE MODE");
    // The owner sees the facts of all users here, though protect() makes the owner a user, too.
    const pg::ActingAs all_users(GetUserId(), SECURITY_NOFORCE_RLS);
    const bool same = is_many(row[0], row[1], Access::write) == many;
    if (!same)
        check_may_change();
    store.write(row, "predicates");
    if (!same)
        move_to_lines(std::span(row).first<2>(), name, many);
    return Datum{0};
}

} // namespace memory::facts
