// memory.retract_fact and reject_fact: what is believed no more.
#include "episodes/settings.h"
#include "facts/assert.h"
#include "facts/sql.h"
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

} // namespace memory::facts
