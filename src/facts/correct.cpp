// memory.correct_fact, and how versions are corrected.
#include "facts/correct.h"

#include "facts/assert.h"
#include "facts/sql.h"
#include "pg/arrays.h"
#include "pg/memory.h"
#include "pg/statement.h"

namespace memory::facts {

namespace {

using pg::SnapshotOf;

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

bool same_but_for_time(const Fact &a, const Version &b) {
    return a.object.key == b.object.key && a.object.shown == b.object.shown;
}

} // namespace

Fact Correction::applied_to(Fact fact) const {
    fact.subject = subject.value_or(fact.subject);
    fact.predicate = predicate.value_or(fact.predicate);
    fact.object = object.value_or(fact.object);
    fact.from = from.value_or(fact.from);
    fact.until = until ? until : fact.until;
    return fact;
}

Correcting::Correcting(const access::Tenant &tenant, const Correction &correction)
    : correction_(correction), stored_(stored_fact(tenant, correction.id)),
      corrected_(correction.applied_to(stored_)) {}

void Correcting::want(Lines &lines) const {
    const Instant from = std::min(stored_.from, corrected_.from);
    lines.want(topic_of(stored_), stored_.object.key, from);
    lines.want(topic_of(corrected_), corrected_.object.key, from);
}

pg_uuid_t Correcting::apply(Lines &lines, Spellings &spellings) {
    Line &before = lines.at(topic_of(stored_), stored_.object.key);
    Line &after = lines.at(topic_of(corrected_), corrected_.object.key);
    const std::optional<std::size_t> place = place_of(before, correction_.id, stored_);
    if (place) {
        stored_.from = before.versions()[*place].valid.from;
        stored_.until = before.versions()[*place].valid.until;
    } else if (!before.is_rejected(stored_.object.key)) {
        throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                        "id: this version has ended, and nothing of it is current")
            .hint("Correct one of those that memory.facts shows, or assert the fact again.");
    }
    corrected_ = correction_.applied_to(stored_);
    check_span({}, corrected_.from, *corrected_.until);
    const bool same_topic =
        corrected_.subject.key == stored_.subject.key && corrected_.predicate == stored_.predicate;
    if (!same_topic || corrected_.object.key != stored_.object.key)
        spellings.settle(corrected_);
    if (after.is_rejected(corrected_.object.key))
        lift_rejection(after, corrected_.object.key);
    if (!place)
        return after.hold(corrected_);
    const Version &version = before.versions()[*place];
    const Span span{corrected_.from, *corrected_.until};
    if (same_topic && same_but_for_time(corrected_, version) && version.valid == span)
        return version.id;
    if (&before == &after)
        return before.replace(*place, corrected_);
    before.take_out(stored_.object.key, version.valid);
    return after.hold(corrected_);
}

MEMORY_CALL(memory_correct_fact, "id uuid, object text, valid_from timestamptz,"
                                 " valid_until timestamptz, user_id text") {
    const auto object = call.text("object");
    const Correction correction{.id = call.uuid("id").required(),
                                .object =
                                    object ? std::optional(object_name(object)) : std::nullopt,
                                .from = instant(call.instant("valid_from")),
                                .until = instant(call.instant("valid_until"))};
    const access::Writing writing(call, room);
    pg::ContextResource memory(CurrentMemoryContext);
    Correcting correcting(writing.tenant(), correction);
    Lines lines(&memory);
    correcting.want(lines);
    lines.lock();
    Spellings spellings(&memory);
    const pg_uuid_t id = correcting.apply(lines, spellings);
    lines.write();
    return call.result(id);
}

} // namespace memory::facts
