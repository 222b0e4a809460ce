// memory.retract_fact, reject_fact and correct_fact: what is believed no more.
#include "episodes/settings.h"
#include "facts/assert.h"
#include "facts/spellings.h"
#include "facts/sql.h"
#include "pg/arrays.h"
#include "pg/memory.h"
#include "pg/statement.h"

namespace memory::facts {

namespace {

using pg::SnapshotOf;

constexpr Span always{algebra::beginning, algebra::forever};

MEMORY_STATEMENT(insert_rejection, R"(
    INSERT INTO memory.rejections
        (namespace, user_id, subject_key, predicate, object_key, subject, object, reason,
         rejected_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp())
    ON CONFLICT (namespace, user_id, subject_key, predicate, object_key)
        DO UPDATE SET reason = excluded.reason, rejected_at = excluded.rejected_at)"_sql);

MEMORY_STATEMENT(note_rejections, R"(
    UPDATE memory.timelines t SET has_rejections = true
    WHERE {of_topic:t} AND t.line = $5 AND NOT t.has_rejections)"_sql);

MEMORY_STATEMENT(find_version, R"(
    SELECT f.subject_key, f.subject, f.predicate, f.object_key, f.object, f.valid_from,
        f.valid_until, f.confidence, f.metadata, ARRAY({sources_of:f.id})
    FROM memory.facts f WHERE {tenant:f} AND f.id = $3)"_sql);

// The version with this id, whether it is current or not, as an assertion of itself.
Fact stored_fact(const access::Tenant &tenant, const pg_uuid_t &id) {
    const pg::Rows rows = find_version.run(SnapshotOf::now, {tenant, id});
    if (rows.empty())
        throw pg::Error(ERRCODE_NO_DATA_FOUND, "id: there is no such fact")
            .hint("memory.fact_history shows the ids of all versions.");
    const auto [subject_key, subject, predicate, object_key, object, from, until, confidence,
                metadata, sources] =
        rows.get<pg::Text, pg::Text, pg::Text, pg::Text, pg::Text, pg::Time, pg::Time, pg::Float8,
                 pg::Json, pg::Uuids>(0);
    Fact fact{};
    fact.tenant = tenant;
    fact.subject = {pg::copied_text(subject_key), pg::copied_text(subject)};
    fact.predicate = pg::copied_text(predicate);
    fact.object = {pg::copied_text(object_key), pg::copied_text(object)};
    fact.from = from;
    fact.until = until;
    fact.confidence = confidence;
    fact.metadata = pg::copied({metadata});
    fact.sources = pg::unique_ids(sources);
    return fact;
}

// Where on the line the version is, or what has become of it: it may have been cut or taken up
// since. Nothing when none of it is current.
std::optional<std::size_t> place_of(const Line &line, const pg_uuid_t &id, const Fact &version) {
    const Span valid{version.from, *version.until};
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < line.versions().size(); ++i) {
        const Version &one = line.versions()[i];
        if (pg::compare(one.id, id) == 0)
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
    } else if (!before.is_rejected(stored.object.key)) {
        throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                        "id: this version has ended, and nothing of it is current")
            .hint("Correct one of those that memory.facts shows, or assert the fact again.");
    }
    Fact corrected = correction.applied_to(stored);
    check_span({}, corrected.from, *corrected.until);
    if (object.key != stored.object.key)
        Spellings(memory).settle(corrected);
    if (after.is_rejected(object.key))
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
    insert_rejection.write(
        {tenant, subject.key, predicate, object.key, subject.shown, object.shown, reason},
        "rejections");
    note_rejections.run(SnapshotOf::now, {tenant, subject.key, predicate, line.number()});
}

} // namespace

MEMORY_CALL(memory_retract_fact, "subject text, predicate text, object text, user_id text,"
                                 " valid_from timestamptz, valid_until timestamptz") {
    const Name subject = subject_name(call.text("subject"));
    const std::string_view predicate = predicate_name(call.text("predicate"));
    const auto given = call.text("object");
    const std::optional<std::string_view> object =
        given ? std::optional(object_name(given).key) : std::nullopt;
    const auto until = call.instant("valid_until");
    const Span span{instant_or_now(call.instant("valid_from")),
                    instant(until).value_or(algebra::forever)};
    check_span(until.place(), span.from, span.until);
    const access::Writing writing(call, room);
    pg::ContextResource memory(CurrentMemoryContext);
    Lines lines(&memory);
    lines.want_existing({writing.tenant(), subject.key, predicate}, object, span.from);
    lines.lock();
    std::int64_t ended = 0;
    for (Line &line : lines.all())
        ended += line.take_out(object, span);
    lines.write();
    return call.result(ended);
}

MEMORY_CALL(memory_reject_fact,
            "subject text, predicate text, object text, reason text, user_id text") {
    const Name subject = subject_name(call.text("subject"));
    const std::string_view predicate = predicate_name(call.text("predicate"));
    const Name object = object_name(call.text("object"));
    const access::Writing writing(call, room);
    reject(writing.tenant(), subject, predicate, object,
           call.text("reason").at_most(episodes::max_content()));
    return call.nothing();
}

MEMORY_CALL(memory_correct_fact, "id uuid, object text, valid_from timestamptz,"
                                 " valid_until timestamptz, user_id text") {
    const auto object = call.text("object");
    const Correction correction{
        call.uuid("id").required(), object ? std::optional(object_name(object)) : std::nullopt,
        instant(call.instant("valid_from")), instant(call.instant("valid_until"))};
    const access::Writing writing(call, room);
    pg::ContextResource memory(CurrentMemoryContext);
    return call.result(correct(writing.tenant(), correction, &memory));
}

} // namespace memory::facts
