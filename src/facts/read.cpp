// memory.facts and memory.fact_history: facts as they are, at any point of both times.
#include "facts/read.h"

#include "access/direct.h"
#include "facts/sql.h"
#include "pg/statement.h"

namespace memory::facts {

namespace {

using pg::SnapshotOf;

// One statement for each choice of what is given, so that each is planned for what it knows: the
// subject is $3, the predicate $4, the object $5. Each is there as believed now, and at $7.
MEMORY_STATEMENT(all_now, "{facts_now:,}"_sql);
MEMORY_STATEMENT(all_then, "{facts_then:,}"_sql);
MEMORY_STATEMENT(of_subject_now, "{facts_now:{subject},{along_subject}}"_sql);
MEMORY_STATEMENT(of_subject_then, "{facts_then:{subject},{along_subject}}"_sql);
MEMORY_STATEMENT(of_predicate_now, "{facts_now:{predicate},}"_sql);
MEMORY_STATEMENT(of_predicate_then, "{facts_then:{predicate},}"_sql);
MEMORY_STATEMENT(of_line_now, "{facts_now:{subject} {predicate},{along_line}}"_sql);
MEMORY_STATEMENT(of_line_then, "{facts_then:{subject} {predicate},{along_line}}"_sql);
MEMORY_STATEMENT(of_object_now, "{facts_now:{object},{along_object}}"_sql);
MEMORY_STATEMENT(of_object_then, "{facts_then:{object},{along_object}}"_sql);
MEMORY_STATEMENT(of_pair_now, "{facts_now:{subject} {object},{along_subject}}"_sql);
MEMORY_STATEMENT(of_pair_then, "{facts_then:{subject} {object},{along_subject}}"_sql);
MEMORY_STATEMENT(of_value_now, "{facts_now:{predicate} {object},{along_object}}"_sql);
MEMORY_STATEMENT(of_value_then, "{facts_then:{predicate} {object},{along_object}}"_sql);
MEMORY_STATEMENT(of_statement_now, "{facts_now:{subject} {predicate} {object},{along_line}}"_sql);
MEMORY_STATEMENT(of_statement_then, "{facts_then:{subject} {predicate} {object},{along_line}}"_sql);

struct Pair {
    pg::Statement *now;
    pg::Statement *then;
};
// By what is given: subject 1, predicate 2, object 4.
constexpr Pair find[]{
    {&all_now, &all_then},
    {&of_subject_now, &of_subject_then},
    {&of_predicate_now, &of_predicate_then},
    {&of_line_now, &of_line_then},
    {&of_object_now, &of_object_then},
    {&of_pair_now, &of_pair_then},
    {&of_value_now, &of_value_then},
    {&of_statement_now, &of_statement_then},
};

MEMORY_STATEMENT(find_history, R"(
    SELECT {fact:f} FROM memory.facts f WHERE {of_topic:f}
    ORDER BY f.known_from, f.valid_from, f.id)"_sql);

// A date as ISO 8601 writes it, with or without a time behind it.
bool reads_as_time(std::string_view text) {
    constexpr std::string_view shape = "0000-00-00";
    if (text.size() < shape.size())
        return false;
    for (std::size_t n = 0; n < shape.size(); ++n)
        if (shape[n] == '0' ? text[n] < '0' || text[n] > '9' : text[n] != shape[n])
            return false;
    return text.size() == shape.size() || text[shape.size()] == ' ' || text[shape.size()] == 'T';
}

// Arguments by position come to `object` and `user_id` before the times: where nothing is found,
// one that is a time is told of.
void notice_times(const pg::ResultSet &found,
                  std::initializer_list<pg::Given<std::string_view>> words) {
    if (!found.empty())
        return;
    for (const pg::Given<std::string_view> &word : words) {
        if (!reads_as_time(word.or_else("")))
            continue;
        const pg::Quoted time(word.required());
        pg::call([&] {
            ereport(NOTICE, (errmsg("nothing has the %s \"%.*s\", which reads as a time",
                                    word.place().text().data(), time.length, time.text),
                             errhint("Pass times by name: memory.facts(..., valid_at => '%.*s').",
                                     time.length, time.text)));
        });
    }
}

template <class Key>
std::optional<std::string_view> key_of(const pg::Given<std::string_view> &given, Key key) {
    return given ? std::optional<std::string_view>(key(given.required())) : std::nullopt;
}

} // namespace

MEMORY_CALL(memory_facts, "subject text, predicate text, object text, user_id text,"
                          " valid_at timestamptz, known_at timestamptz, k bigint") {
    const std::int64_t k = access::row_limit(call.bigint("k"));
    const auto subject = key_of(call.text("subject"), entity_key);
    const auto predicate = key_of(call.text("predicate"), predicate_key);
    const auto object = key_of(call.text("object"), entity_key);
    const auto known = known_at(call.instant("known_at"));
    access::Reading reading(call, room);
    const Pair &by_given = find[(subject ? 1 : 0) + (predicate ? 2 : 0) + (object ? 4 : 0)];
    pg::Statement &find_facts =
        access::reading(known ? *by_given.then : *by_given.now, reading.tenant());
    reading.rows().add_from(find_facts, SnapshotOf::caller,
                            {reading.tenant(), subject, predicate, object,
                             call.instant("valid_at").optional(), known, k});
    notice_times(reading.rows(), {call.text("object"), call.text("user_id")});
    return call.nothing();
}

MEMORY_CALL(memory_fact_history, "subject text, predicate text, user_id text") {
    const Name subject = subject_name(call.text("subject"));
    const std::string_view predicate = predicate_name(call.text("predicate"));
    access::Reading reading(call, room);
    reading.rows().add_from(access::reading(find_history, reading.tenant()), SnapshotOf::caller,
                            {reading.tenant(), subject.key, predicate});
    notice_times(reading.rows(), {call.text("user_id")});
    return call.nothing();
}

} // namespace memory::facts
