// memory.define_predicate: how many objects a subject has at a time, and what is stored already.
#include "facts/predicates.h"

#include "access/call.h"
#include "access/owned_tables.h"
#include "facts/fact.h"
#include "facts/sql.h"
#include "pg/handles.h"
#include "pg/local_settings.h"
#include "pg/statement.h"

namespace memory::facts {

namespace {

using pg::SnapshotOf;

// $1 is the namespace: a predicate is that of all its users.

MEMORY_STATEMENT(find_same, R"(
    SELECT FROM memory.predicates p
    WHERE p.namespace = $1 AND p.predicate = $2 AND p.cardinality = $3
        AND (p.inverse = $4 OR (p.inverse IS NULL AND $4 IS NULL)))"_sql);

MEMORY_STATEMENT(is_defined, R"(
    SELECT FROM memory.predicates p WHERE p.namespace = $1 AND p.predicate = $2)"_sql);

MEMORY_STATEMENT(ask_cardinality, "SELECT {is_many:$2}"_sql);

MEMORY_STATEMENT(ask_row_security, "SELECT row_security_active('memory.facts')"_sql);

MEMORY_STATEMENT(store, R"(
    INSERT INTO memory.predicates (namespace, predicate, cardinality, inverse)
    VALUES ($1, $2, $3, $4)
    ON CONFLICT (namespace, predicate)
        DO UPDATE SET cardinality = excluded.cardinality, inverse = excluded.inverse)"_sql);

MEMORY_STATEMENT(count_subjects_with_several, R"(
    SELECT count(DISTINCT (a.user_id, a.subject_key))
    FROM memory.facts a
        JOIN memory.facts b ON a.namespace = b.namespace AND a.user_id = b.user_id
            AND a.subject_key = b.subject_key AND a.predicate = b.predicate
    WHERE a.namespace = $1 AND a.predicate = $2 AND a.object_key <> b.object_key
        AND {known_now:a} AND {known_now:b}
        AND a.valid_from < b.valid_until AND b.valid_from < a.valid_until)"_sql);

// A line for what is stored, believed or not: per object ($3) or one for all. Its time goes on from
// the lines before.
MEMORY_STATEMENT(make_lines, R"(
    INSERT INTO memory.timelines AS made
        (namespace, user_id, subject_key, predicate, slot, last_known, changes, has_rejections)
    SELECT t.namespace, t.user_id, t.subject_key, t.predicate,
        CASE WHEN $3 THEN s.object_key ELSE '' END, max(t.last_known), 1, bool_or(t.has_rejections)
    FROM memory.timelines t
        JOIN (SELECT f.namespace, f.user_id, f.subject_key, f.predicate, f.object_key
              FROM memory.facts f WHERE f.namespace = $1 AND f.predicate = $2
              UNION
              SELECT r.namespace, r.user_id, r.subject_key, r.predicate, r.object_key
              FROM memory.rejections r WHERE r.namespace = $1 AND r.predicate = $2) s
        ON s.namespace = t.namespace AND s.user_id = t.user_id
            AND s.subject_key = t.subject_key AND s.predicate = t.predicate
    WHERE t.namespace = $1 AND t.predicate = $2 AND (t.slot = '') = $3
    GROUP BY 1, 2, 3, 4, 5)"_sql);

// All versions, as a line goes only when none is on it. Returns how many of them are current.
MEMORY_STATEMENT(move_facts, R"(
    WITH moved AS (
        UPDATE memory.facts f SET line = t.line FROM memory.timelines t
        WHERE f.namespace = $1 AND f.predicate = $2 AND t.namespace = $1 AND t.predicate = $2
            AND t.user_id = f.user_id AND t.subject_key = f.subject_key
            AND t.slot = CASE WHEN $3 THEN f.object_key ELSE '' END
        RETURNING f.known_until)
    SELECT count(*) FROM moved m WHERE {known_now:m})"_sql);

MEMORY_STATEMENT(drop_lines, R"(
    DELETE FROM memory.timelines t
    WHERE t.namespace = $1 AND t.predicate = $2 AND (t.slot = '') = $3)"_sql);

// The first line of a tenant that its predicate does not ask for, and what that one is.
MEMORY_STATEMENT(find_other_line, R"(
    SELECT t.predicate, {is_many:t.predicate}
    FROM memory.timelines t
    WHERE {tenant:t} AND (t.slot <> '') <> {is_many:t.predicate}
    ORDER BY t.predicate LIMIT 1)"_sql);

constexpr pg::Choice<bool> cardinalities[]{{"one", false}, {"many", true}};

// Everything that is stored must be seen.
void check_may_change() {
    if (ask_row_security.run(SnapshotOf::now, {}).get<pg::Bool>(0))
        throw pg::Error(ERRCODE_INSUFFICIENT_PRIVILEGE,
                        "cardinality cannot be changed where row security hides facts")
            .hint("Call it as the owner of the memory tables.");
    if (IsolationUsesXactSnapshot())
        throw pg::Error(ERRCODE_ACTIVE_SQL_TRANSACTION,
                        "cardinality can only be changed at READ COMMITTED");
}

// Gives the stored facts of a predicate the lines that its new cardinality asks for.
void move_to_lines(std::string_view name_space, std::string_view name, bool many) {
    if (!many) {
        const pg::Rows rows = count_subjects_with_several.run(SnapshotOf::now, {name_space, name});
        const std::int64_t several = rows.get<pg::Int8>(0);
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
    const pg::Values values{name_space, name, many};
    make_lines.run(SnapshotOf::now, values);
    const auto moved =
        static_cast<long long>(move_facts.run(SnapshotOf::now, values).get<pg::Int8>(0));
    drop_lines.run(SnapshotOf::now, values);
    if (moved > 0)
        pg::call([&] {
            ereport(NOTICE,
                    (errmsg("%lld current facts of predicate \"%.*s\" are %s now", moved,
                            static_cast<int>(name.size()), name.data(),
                            many ? "on a line for each object" : "on a line for each subject")));
        });
}

} // namespace

bool is_many(std::string_view name_space, std::string_view predicate, pg::SnapshotOf snapshot) {
    return ask_cardinality.run(snapshot, {name_space, predicate}).get<pg::Bool>(0);
}

namespace {

void define(std::string_view name, bool many, std::optional<std::string_view> inverse) {
    const std::string_view name_space = access::namespace_setting();
    const pg::Values row{name_space, name, cardinalities[many ? 1 : 0].word, inverse};
    if (!find_same.run(SnapshotOf::now, row).empty())
        return;
    access::check_may_write_shared("predicates", "Predicates are defined");
    // No fact may come meanwhile, and no other definition. Writers of lines have this lock before
    // they lock rows.
    pg::run_utility("LOCK TABLE memory.timelines IN SHARE ROW EXCLUSIVE MODE");
    // The owner sees the facts of all users here, though protect() makes the owner a user, too.
    const pg::ActingAs all_users(GetUserId(), SECURITY_NOFORCE_RLS);
    const bool same = is_many(name_space, name, SnapshotOf::now) == many;
    if (!same)
        check_may_change();
    store.write(row, "predicates");
    if (!same)
        move_to_lines(name_space, name, many);
}

} // namespace

void agree(std::string_view predicate, bool many, std::optional<std::string_view> inverse) {
    const std::string_view name = predicate_name({{"predicate"}, predicate});
    const std::string_view name_space = access::namespace_setting();
    const pg::Values row{name_space, name, cardinalities[many ? 1 : 0].word, inverse};
    if (!find_same.run(SnapshotOf::now, row).empty())
        return;
    if (is_defined.run(SnapshotOf::now, {name_space, name}).empty())
        return define(name, many, inverse);
    const pg::Quoted quoted(name);
    throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                    "predicate \"%.*s\" is defined otherwise in this namespace", quoted.length,
                    quoted.text)
        .hint("memory.define_predicate() changes it.");
}

void check_lines(const access::Tenant &tenant) {
    const pg::Rows rows = find_other_line.run(SnapshotOf::now, {tenant});
    if (rows.empty())
        return;
    const auto [predicate, many] = rows.get<pg::Text, pg::Bool>(0);
    const pg::Quoted name(predicate);
    throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                    "predicate \"%.*s\" is %s-valued in this namespace, and %s-valued in what is "
                    "written",
                    name.length, name.text, many ? "many" : "one", many ? "one" : "many")
        .hint("memory.define_predicate() changes it.");
}

MEMORY_CALL(memory_define_predicate, "predicate text, cardinality text, inverse text") {
    const std::string_view name = predicate_name(call.text("predicate"));
    const bool many = call.text("cardinality").one_of(cardinalities).or_else(false);
    const auto given = call.text("inverse");
    const std::optional<std::string_view> inverse =
        given ? std::optional(predicate_name(given)) : std::nullopt;
    const access::Connection writing(schema::Need::to_write, call, room);
    define(name, many, inverse);
    return call.nothing();
}

} // namespace memory::facts
