// memory.retract_fact, reject_fact and correct_fact: what is believed no more.
#include "facts/assert.h"
#include "facts/spellings.h"
#include "facts/tables.h"
#include "pg/error.h"
#include "pg/function.h"
#include "pg/memory.h"
#include "schema/require.h"

extern "C" {
#include "utils/datum.h"
}

namespace memory::facts {

namespace {

using pg::Access;
using pg::Parameter;

constexpr Span always{algebra::beginning, algebra::forever};

constinit pg::Statement insert_rejection(
    "INSERT INTO memory.rejections (namespace, user_id, subject_key, predicate, object_key,"
    " subject, object, reason, rejected_at) "
    "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, pg_catalog.clock_timestamp()) "
    "ON CONFLICT (namespace, user_id, subject_key, predicate, object_key)"
    " DO UPDATE SET reason = excluded.reason, rejected_at = excluded.rejected_at");

constinit pg::Statement note_rejections(
    "UPDATE memory.timelines SET has_rejections = true "
    "WHERE namespace OPERATOR(pg_catalog.=) $1 AND user_id OPERATOR(pg_catalog.=) $2"
    " AND subject_key OPERATOR(pg_catalog.=) $3 AND predicate OPERATOR(pg_catalog.=) $4"
    " AND line OPERATOR(pg_catalog.=) $5 AND NOT has_rejections");

constinit pg::Statement find_version(
    "SELECT f.subject_key, f.subject, f.predicate, f.object_key, f.object, f.valid_from,"
    " f.valid_until, f.confidence, f.metadata,"
    " ARRAY(SELECT s.episode_id FROM memory.fact_sources s"
    "  WHERE s.namespace OPERATOR(pg_catalog.=) $1 AND s.user_id OPERATOR(pg_catalog.=) $2"
    "  AND s.fact_id OPERATOR(pg_catalog.=) $3) "
    "FROM memory.facts f WHERE f.namespace OPERATOR(pg_catalog.=) $1"
    " AND f.user_id OPERATOR(pg_catalog.=) $2 AND f.id OPERATOR(pg_catalog.=) $3");

std::string_view text_in(const pg::Rows &rows, int column) {
    return pg::copied_text(rows.get<pg::Text>(0, column));
}

// The version with this id, whether it is current or not, as an assertion of itself.
Fact stored_fact(const access::Tenant &tenant, const pg_uuid_t &id) {
    const std::array parameters{tenant.name_space_parameter(), tenant.user_parameter(),
                                Parameter::uuid(id)};
    const pg::Rows rows = find_version.run(parameters, Access::write);
    if (rows.empty())
        throw pg::Error(ERRCODE_NO_DATA_FOUND, "id: there is no such fact")
            .hint("memory.fact_history shows the ids of all versions.");
    const Datum metadata = rows.get<pg::Json>(0, 8);
    Fact fact{};
    fact.tenant = tenant;
    fact.subject = {text_in(rows, 0), text_in(rows, 1)};
    fact.predicate = text_in(rows, 2);
    fact.object = {text_in(rows, 3), text_in(rows, 4)};
    fact.from = rows.get<pg::Time>(0, 5);
    fact.until = rows.get<pg::Time>(0, 6);
    fact.confidence = rows.get<pg::Float4>(0, 7);
    fact.metadata = pg::call([metadata] { return datumCopy(metadata, false, -1); });
    fact.sources = uuids("sources", rows.get<pg::UuidArray>(0, 9));
    return fact;
}

// Where on the line the version is, or what has become of it: it may have been cut or taken up
// since. Nothing when none of it is current.
std::optional<std::size_t> place_of(const Line &line, const pg_uuid_t &id, const Fact &version) {
    const Span valid{version.from, *version.until};
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < line.versions().size(); ++i) {
        const Version &one = line.versions()[i];
        if (std::memcmp(&one.id, &id, sizeof id) == 0)
            return i;
        if (one.object.key != version.object.key || !overlap(one.valid, valid))
            continue;
        if (found)
            throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                            "id: this version has ended, and several have followed it")
                .hint("Correct one of those that memory.facts shows.");
        found = i;
    }
    return found;
}

// What a call wants to be different in a version.
struct Correction {
    pg_uuid_t id;
    std::optional<Name> object;
    std::optional<Instant> from;
    std::optional<Instant> until;

    Fact applied_to(Fact fact) const {
        fact.object = object.value_or(fact.object);
        fact.from = from.value_or(fact.from);
        fact.until = until ? until : fact.until;
        return fact;
    }
};

bool same_but_for_time(const Fact &a, const Version &b) {
    return a.object.key == b.object.key && a.object.shown == b.object.shown;
}

pg_uuid_t correct(const access::Tenant &tenant, const Correction &correction,
                  std::pmr::memory_resource *memory) {
    Fact stored = stored_fact(tenant, correction.id);
    const Topic topic = topic_of(stored);
    const Name object = correction.object.value_or(stored.object);
    const Instant from = std::min(stored.from, correction.from.value_or(stored.from));
    Lines lines(memory);
    lines.want(topic, stored.object.key, from);
    lines.want(topic, object.key, from);
    lines.lock();
    Line &before = lines.at(topic, stored.object.key);
    Line &after = lines.at(topic, object.key);
    const std::optional<std::size_t> place = place_of(before, correction.id, stored);
    if (place) {
        stored.from = before.versions()[*place].valid.from;
        stored.until = before.versions()[*place].valid.until;
    } else if (!before.keeps_out(stored.object.key)) {
        throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                        "id: this version has ended, and nothing of it is current")
            .hint("Correct one of those that memory.facts shows, or assert the fact again.");
    }
    Fact corrected = correction.applied_to(stored);
    check_span(corrected.from, *corrected.until);
    if (object.key != stored.object.key)
        Spellings(memory).settle(corrected);
    if (after.keeps_out(object.key))
        lift_rejection(after, object.key);
    pg_uuid_t id;
    if (!place) {
        id = after.hold(corrected);
    } else if (const Version &version = before.versions()[*place];
               same_but_for_time(corrected, version) &&
               version.valid == Span{corrected.from, *corrected.until}) {
        id = version.id;
    } else if (&before == &after) {
        id = before.replace(*place, corrected);
    } else {
        before.take_out(stored.object.key, version.valid);
        id = after.hold(corrected);
    }
    lines.write();
    return id;
}

void reject(const access::Tenant &tenant, const Name &subject, std::string_view predicate,
            const Name &object, std::optional<std::string_view> reason) {
    pg::ContextResource memory(CurrentMemoryContext);
    const Topic topic{tenant, subject.key, predicate};
    Lines lines(&memory);
    lines.want(topic, object.key, algebra::beginning);
    lines.lock();
    Line &line = lines.at(topic, object.key);
    line.take_out(object.key, always);
    lines.write();
    const std::array row{tenant.name_space_parameter(), tenant.user_parameter(),
                         Parameter::text(subject.key),  Parameter::text(predicate),
                         Parameter::text(object.key),   Parameter::text(subject.shown),
                         Parameter::text(object.shown), Parameter::text(reason)};
    insert_rejection.write(row, "rejections");
    const std::array key{row[0], row[1], row[2], row[3],
                         Parameter::of(INT8OID, Int64GetDatum(line.number()))};
    note_rejections.run(key, Access::write);
}

} // namespace

MEMORY_FUNCTION(memory_retract_fact) {
    const access::Tenant tenant = access::tenant(arguments.text(3));
    const Name subject = subject_name("subject", arguments.text(0));
    const std::string_view predicate = predicate_name("predicate", arguments.text(1));
    std::optional<std::string_view> object;
    if (arguments.has(2))
        object = object_name("object", arguments.text(2)).key;
    const Span span{instant_or_now(arguments.optional(4)),
                    instant(arguments.optional(5)).value_or(algebra::forever)};
    check_span(span.from, span.until);
    schema::require(schema::Need::to_write, room);
    const pg::Spi spi;
    pg::ContextResource memory(CurrentMemoryContext);
    Lines lines(&memory);
    lines.want_existing({tenant, subject.key, predicate}, object, span.from);
    lines.lock();
    int ended = 0;
    for (Line &line : lines.all())
        ended += line.take_out(object, span);
    lines.write();
    return pg::to_datum(ended);
}

MEMORY_FUNCTION(memory_reject_fact) {
    const access::Tenant tenant = access::tenant(arguments.text(4));
    const Name subject = subject_name("subject", arguments.text(0));
    const std::string_view predicate = predicate_name("predicate", arguments.text(1));
    const Name object = object_name("object", arguments.text(2));
    schema::require(schema::Need::to_write, room);
    const pg::Spi spi;
    reject(tenant, subject, predicate, object, arguments.text(3));
    return Datum{0};
}

MEMORY_FUNCTION(memory_correct_fact) {
    const access::Tenant tenant = access::tenant(arguments.text(4));
    if (!arguments.has(0))
        throw pg::Error(ERRCODE_NULL_VALUE_NOT_ALLOWED, "id must not be null");
    Correction correction{*DatumGetUUIDP(arguments.datum(0)), std::nullopt,
                          instant(arguments.optional(2)), instant(arguments.optional(3))};
    if (arguments.has(1))
        correction.object = object_name("object", arguments.text(1));
    schema::require(schema::Need::to_write, room);
    const pg::Spi spi;
    pg::ContextResource memory(CurrentMemoryContext);
    return pg::to_datum(correct(tenant, correction, &memory), spi.caller());
}

} // namespace memory::facts
