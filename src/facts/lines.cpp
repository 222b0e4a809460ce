// Locking lines, and reading what is current on them.
#include "facts/lines.h"

#include "facts/predicates.h"
#include "facts/versions.h"
#include "pg/error.h"
#include "pg/handles.h"
#include "schema/relations.h"

extern "C" {
#include "access/xact.h"
#include "utils/datum.h"
}

#include <tuple>

// The columns of a topic's key; $1 to $4.
#define OF_TOPIC(t)                                                                                \
    t ".namespace OPERATOR(pg_catalog.=) $1 AND " t ".user_id OPERATOR(pg_catalog.=) $2 AND " t    \
      ".subject_key OPERATOR(pg_catalog.=) $3 AND " t ".predicate OPERATOR(pg_catalog.=) $4"

namespace memory::facts {

namespace {

using pg::Access;
using pg::Parameter;

// $5 object, $6 how much later than the first the last of $7 changes is known.
constinit pg::Statement lock_line(
    "INSERT INTO memory.timelines AS t"
    " (namespace, user_id, subject_key, predicate, slot, last_known, changes) "
    "VALUES ($1, $2, $3, $4, CASE WHEN " MEMORY_IS_MANY(
        "$4") " THEN $5 ELSE '' END,"
              " pg_catalog.clock_timestamp() OPERATOR(pg_catalog.+) $6, $7) "
              "ON CONFLICT (namespace, user_id, subject_key, predicate, slot) DO UPDATE"
              " SET last_known = greatest(pg_catalog.clock_timestamp(),"
              "   t.last_known OPERATOR(pg_catalog.+) '1 microsecond'::pg_catalog.interval)"
              "   OPERATOR(pg_catalog.+) $6,"
              "  changes = t.changes OPERATOR(pg_catalog.+) excluded.changes "
              "RETURNING slot, line, last_known OPERATOR(pg_catalog.-) $6, has_rejections,"
              " changes OPERATOR(pg_catalog.=) $7");

// Where the predicate is one-valued, the line is of no object; $5 is one, or there are all.
#define OF_OBJECT " AND t.slot OPERATOR(pg_catalog.=) ANY (ARRAY['', $5])"
#define LOCKED " ORDER BY t.slot FOR NO KEY UPDATE"
#define LOCK_LINES(which) "SELECT FROM memory.timelines t WHERE " OF_TOPIC("t") which LOCKED
#define ADVANCE_LINES(which)                                                                       \
    "UPDATE memory.timelines AS t SET last_known = greatest(pg_catalog.clock_timestamp(),"         \
    "  t.last_known OPERATOR(pg_catalog.+) '1 microsecond'::pg_catalog.interval),"                 \
    " changes = t.changes OPERATOR(pg_catalog.+) 1 "                                               \
    "WHERE " OF_TOPIC("t") which " RETURNING t.slot, t.line, t.last_known"

constinit pg::Statement lock_all_lines(LOCK_LINES(""));
constinit pg::Statement lock_lines_of_object(LOCK_LINES(OF_OBJECT));
constinit pg::Statement advance_all_lines(ADVANCE_LINES(""));
constinit pg::Statement advance_lines_of_object(ADVANCE_LINES(OF_OBJECT));

#define CURRENT_VERSIONS                                                                           \
    "SELECT f.id, f.subject_key, f.subject, f.object_key, f.object, f.valid_from, f.valid_until,"  \
    " f.known_from, f.confidence, f.metadata,"                                                     \
    " ARRAY(SELECT s.episode_id FROM memory.fact_sources s"                                        \
    "  WHERE s.namespace OPERATOR(pg_catalog.=) $1 AND s.user_id OPERATOR(pg_catalog.=) $2"        \
    "  AND s.fact_id OPERATOR(pg_catalog.=) f.id), f.ctid "                                        \
    "FROM memory.facts f WHERE " OF_TOPIC(                                                         \
        "f") " AND f.known_until OPERATOR(pg_catalog.=)"                                           \
             " 'infinity' AND f.valid_until OPERATOR(pg_catalog.>=) $5"

// The order is that of facts_by_subject, which so is the index of choice also where there are no
// statistics yet.
#define IN_ORDER " ORDER BY f.valid_until"
#define FIRST " LIMIT 8"
#define OF_ONE_OBJECT " AND f.object_key OPERATOR(pg_catalog.=) $6"
constexpr std::size_t first_versions = 8;

constinit pg::Statement read_all(CURRENT_VERSIONS IN_ORDER);
constinit pg::Statement read_first(CURRENT_VERSIONS IN_ORDER FIRST);
constinit pg::Statement read_all_of_one(CURRENT_VERSIONS OF_ONE_OBJECT IN_ORDER);
constinit pg::Statement read_first_of_one(CURRENT_VERSIONS OF_ONE_OBJECT IN_ORDER FIRST);

constinit pg::Statement
    find_rejections("SELECT r.object_key FROM memory.rejections r WHERE " OF_TOPIC("r"));

std::array<Parameter, 4> topic_parameters(const Topic &topic) {
    return {topic.tenant.name_space_parameter(), topic.tenant.user_parameter(),
            Parameter::text(topic.subject), Parameter::text(topic.predicate)};
}

Instant time_in(const pg::Rows &rows, std::uint64_t row, int column) {
    return rows.get<pg::Time>(row, column);
}

// What must outlive the statement: copied into the current memory context.
std::string_view text_in(const pg::Rows &rows, std::uint64_t row, int column) {
    return pg::copied_text(rows.get<pg::Text>(row, column));
}

Version version_in(const pg::Rows &rows, std::uint64_t row) {
    const Datum metadata = rows.get<pg::Json>(row, 9);
    return {rows.get<pg::Uuid>(row, 0),
            {text_in(rows, row, 1), text_in(rows, row, 2)},
            {text_in(rows, row, 3), text_in(rows, row, 4)},
            {time_in(rows, row, 5), time_in(rows, row, 6)},
            time_in(rows, row, 7),
            algebra::forever,
            rows.get<pg::Float4>(row, 8),
            pg::call([metadata] { return datumCopy(metadata, false, -1); }),
            uuids("sources", rows.get<pg::UuidArray>(row, 10)),
            rows.get<pg::Tid>(row, 11)};
}

enum class Share { all, first };

// What is current on the line, from `from` on.
void read(Line &line, Instant from, Share share) {
    const std::array<Parameter, 4> of_topic = topic_parameters(line.topic());
    const std::array parameters{of_topic[0], of_topic[1],          of_topic[2],
                                of_topic[3], time_parameter(from), Parameter::text(line.slot())};
    const bool all = share == Share::all;
    const bool one = !line.slot().empty();
    pg::Statement &statement =
        one ? (all ? read_all_of_one : read_first_of_one) : (all ? read_all : read_first);
    const pg::Rows rows = statement.run(std::span(parameters).first(one ? 6 : 5), Access::write);
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        line.add_current(version_in(rows, row));
}

// The same for all lines of a many-valued topic, of which there may be thousands: in one go.
void read(std::span<Line> lines, Instant from, std::pmr::memory_resource *memory) {
    std::pmr::unordered_map<std::string_view, Line *> by_slot(memory);
    for (Line &line : lines)
        by_slot.emplace(line.slot(), &line);
    const std::array<Parameter, 4> of_topic = topic_parameters(lines.front().topic());
    const std::array parameters{of_topic[0], of_topic[1], of_topic[2], of_topic[3],
                                time_parameter(from)};
    const pg::Rows rows = read_all.run(parameters, Access::write);
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const Version version = version_in(rows, row);
        if (const auto line = by_slot.find(version.object.key); line != by_slot.end())
            line->second->add_current(version);
    }
}

// What asserting `fact` needs to know of what is current.
void read_for(Line &line, const Fact &fact) {
    read(line, fact.from, Share::first);
    if (line.versions().size() < first_versions || line.is_enough_for(fact))
        return;
    line.forget_versions();
    read(line, fact.from, Share::all);
}

void read_rejections(Line &line) {
    const pg::Rows rows = find_rejections.run(topic_parameters(line.topic()), Access::write);
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        line.add_rejected(text_in(rows, row, 0));
}

// The transaction's snapshot may be older than the predicate's definition. While the line is
// locked, nobody defines it anew.
void check_cardinality(const Line &locked) {
    if (!IsolationUsesXactSnapshot())
        return;
    const pg::FreshSnapshot now(GetLatestSnapshot);
    const Topic &topic = locked.topic();
    if (is_many(topic.tenant.name_space_parameter(), Parameter::text(topic.predicate),
                Access::read) == locked.slot().empty())
        throw pg::Error(ERRCODE_T_R_SERIALIZATION_FAILURE,
                        "could not serialize access: the predicate has been defined anew");
}

// `microseconds` as an interval.
Parameter interval_parameter(std::int64_t microseconds) {
    auto *interval = static_cast<Interval *>(pg::call([] { return palloc0(sizeof(Interval)); }));
    interval->time = microseconds;
    return Parameter::of(INTERVALOID, IntervalPGetDatum(interval));
}

// The table's lock comes first: who had locked rows and then waited to update the table could wait
// for somebody who changes all of it (define_predicate), and who waits for the rows.
void lock_table() {
    if (XactReadOnly)
        return; // the first statement says so
    const Oid table = schema::table_named("timelines");
    pg::call([table] { LockRelationOid(table, RowExclusiveLock); });
}

} // namespace

bool operator<(const Topic &a, const Topic &b) {
    return std::tie(a.tenant.name_space, a.tenant.user, a.subject, a.predicate) <
           std::tie(b.tenant.name_space, b.tenant.user, b.subject, b.predicate);
}

void Lines::want(const Fact &fact) {
    want(topic_of(fact), fact.object.key, fact.from);
    Wanted &wanted = wanted_.find(topic_of(fact))->second;
    wanted.only = wanted.changes == 1 ? &fact : nullptr;
}

void Lines::want(const Topic &topic, std::string_view object_key, Instant from) {
    Wanted &wanted = wanted_.try_emplace(topic, memory_).first->second;
    wanted.line_of.try_emplace(object_key, 0);
    wanted.from = std::min(wanted.from, from);
    ++wanted.changes;
}

void Lines::want_existing(const Topic &topic, std::optional<std::string_view> object_key,
                          Instant from) {
    Wanted &wanted = wanted_.try_emplace(topic, memory_).first->second;
    wanted.existing = true;
    wanted.object = object_key;
    wanted.from = std::min(wanted.from, from);
}

void Lines::lock() {
    for (auto &[topic, wanted] : wanted_) {
        pg::check_for_interrupts();
        if (wanted.existing)
            lock_existing(topic, wanted);
        else
            lock(topic, wanted);
    }
}

void Lines::lock(const Topic &topic, Wanted &wanted) {
    const std::array<Parameter, 4> of_topic = topic_parameters(topic);
    bool one_valued = false;
    for (auto &[object, line] : wanted.line_of) {
        if (!one_valued) {
            const std::array parameters{of_topic[0],
                                        of_topic[1],
                                        of_topic[2],
                                        of_topic[3],
                                        Parameter::text(object),
                                        interval_parameter(wanted.changes - 1),
                                        Parameter::of(INT8OID, Int64GetDatum(wanted.changes))};
            const pg::Rows rows = lock_line.write(parameters, "timelines");
            const bool may_have_rejections = rows.get<pg::Bool>(0, 3);
            const bool is_new = rows.get<pg::Bool>(0, 4);
            Line &locked = lines_.emplace_back(topic, text_in(rows, 0, 0), rows.get<pg::Int8>(0, 1),
                                               time_in(rows, 0, 2), memory_);
            check_cardinality(locked);
            one_valued = locked.slot().empty();
            if (!is_new && wanted.only != nullptr)
                read_for(locked, *wanted.only);
            else if (!is_new)
                read(locked, wanted.from, Share::all);
            if (may_have_rejections)
                read_rejections(locked);
        }
        line = lines_.size() - 1;
    }
}

void Lines::lock_existing(const Topic &topic, const Wanted &wanted) {
    lock_table(); // lock_line does so by itself
    const std::array<Parameter, 4> of_topic = topic_parameters(topic);
    const std::array all{of_topic[0], of_topic[1], of_topic[2], of_topic[3],
                         Parameter::text(wanted.object)};
    const bool one = wanted.object.has_value();
    const std::span<const Parameter> parameters = std::span(all).first(one ? 5 : 4);
    const std::uint64_t there =
        (one ? lock_lines_of_object : lock_all_lines).run(parameters, Access::write).size();
    if (there == 0)
        return;
    // It may also find lines that came meanwhile, and locks them.
    const pg::Rows rows =
        (one ? advance_lines_of_object : advance_all_lines).run(parameters, Access::write);
    if (rows.size() < there)
        pg::throw_kept_out("timelines", rows.size(), there);
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        lines_.emplace_back(topic, text_in(rows, row, 0), rows.get<pg::Int8>(row, 1),
                            time_in(rows, row, 2), memory_);
    const std::span<Line> locked = std::span(lines_).last(rows.size());
    if (locked.size() > 1)
        read(locked, wanted.from, memory_);
    else if (!locked.empty())
        read(locked.front(), wanted.from, Share::all);
}

Line &Lines::at(const Topic &topic, std::string_view object_key) {
    return lines_[wanted_.find(topic)->second.line_of.find(object_key)->second];
}

void Lines::write() const { write_versions(lines_, memory_); }

} // namespace memory::facts
