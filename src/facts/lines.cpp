// Locking lines, and reading what is current on them.
#include "facts/lines.h"

#include "access/direct.h"
#include "facts/predicates.h"
#include "facts/sql.h"
#include "facts/versions.h"
#include "pg/arrays.h"
#include "pg/stale.h"
#include "pg/statement.h"
#include "schema/relations.h"

#include <tuple>

namespace memory::facts {

namespace {

using pg::SnapshotOf;

// $5 object, $6 how much later than the first the last of $7 changes is known.
MEMORY_STATEMENT(lock_line, R"(
    INSERT INTO memory.timelines AS t
        (namespace, user_id, subject_key, predicate, slot, last_known, changes)
    VALUES ($1, $2, $3, $4, CASE WHEN {is_many:$4} THEN $5 ELSE '' END,
        clock_timestamp() + $6, $7)
    ON CONFLICT (namespace, user_id, subject_key, predicate, slot) DO UPDATE
    SET last_known = greatest(clock_timestamp(), t.last_known + '1 microsecond'::interval) + $6,
        changes = t.changes + excluded.changes
    RETURNING t.slot, t.line, t.last_known - $6, t.has_rejections, t.changes = $7)"_sql);

// Where the predicate is one-valued, the line is of no object; $5 is one, or there are all.
MEMORY_STATEMENT(lock_all_lines, R"(
    SELECT FROM memory.timelines t WHERE {of_topic:t}
    ORDER BY t.slot FOR NO KEY UPDATE)"_sql);
MEMORY_STATEMENT(lock_lines_of_object, R"(
    SELECT FROM memory.timelines t WHERE {of_topic:t} AND t.slot = ANY (ARRAY['', $5])
    ORDER BY t.slot FOR NO KEY UPDATE)"_sql);

MEMORY_STATEMENT(advance_all_lines, R"(
    UPDATE memory.timelines t SET {next_change:t} WHERE {of_topic:t}
    RETURNING t.slot, t.line, t.last_known)"_sql);
MEMORY_STATEMENT(advance_lines_of_object, R"(
    UPDATE memory.timelines t SET {next_change:t}
    WHERE {of_topic:t} AND t.slot = ANY (ARRAY['', $5])
    RETURNING t.slot, t.line, t.last_known)"_sql);

// The order is that of facts_by_subject, which so is the index of choice also where there are no
// statistics yet.
MEMORY_STATEMENT(read_all, "{current_versions} ORDER BY f.valid_until"_sql);
MEMORY_STATEMENT(read_first, "{current_versions} ORDER BY f.valid_until LIMIT 8"_sql);
MEMORY_STATEMENT(read_all_of_one, R"(
    {current_versions} AND f.object_key = $6 ORDER BY f.valid_until)"_sql);
MEMORY_STATEMENT(read_first_of_one, R"(
    {current_versions} AND f.object_key = $6 ORDER BY f.valid_until LIMIT 8)"_sql);
constexpr std::size_t first_versions = 8;

MEMORY_STATEMENT(find_rejections, R"(
    SELECT r.object_key FROM memory.rejections r WHERE {of_topic:r})"_sql);

// A row of {current_versions}. What must outlive the statement is copied into the current memory
// context.
Version version_in(const pg::Rows &rows, std::uint64_t row) {
    const auto [id, subject_key, subject, object_key, object, valid_from, valid_until, known_from,
                confidence, metadata, sources, place] =
        rows.get<pg::Uuid, pg::Text, pg::Text, pg::Text, pg::Text, pg::Time, pg::Time, pg::Time,
                 pg::Float8, pg::Json, pg::Uuids, pg::Tid>(row);
    return {id,
            {pg::copied_text(subject_key), pg::copied_text(subject)},
            {pg::copied_text(object_key), pg::copied_text(object)},
            {valid_from, valid_until},
            known_from,
            algebra::forever,
            confidence,
            pg::copied({metadata}),
            pg::unique_ids(sources),
            place};
}

enum class Share { all, first };

// What is current on the line, from `from` on.
void read(Line &line, Instant from, Share share) {
    const bool all = share == Share::all;
    const bool one = !line.slot().empty();
    pg::Statement &statement =
        one ? (all ? read_all_of_one : read_first_of_one) : (all ? read_all : read_first);
    pg::Values values{line.topic(), pg::Instant{from}};
    if (one)
        values.add(line.slot());
    const pg::Rows rows =
        access::reading(statement, line.topic().tenant).run(SnapshotOf::now, values);
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        line.add_current(version_in(rows, row));
}

// The same for all lines of a many-valued topic, of which there may be thousands: in one go.
void read(std::span<Line> lines, Instant from, std::pmr::memory_resource *memory) {
    std::pmr::unordered_map<std::string_view, Line *> by_slot(memory);
    for (Line &line : lines)
        by_slot.emplace(line.slot(), &line);
    const Topic &topic = lines.front().topic();
    const pg::Rows rows =
        access::reading(read_all, topic.tenant).run(SnapshotOf::now, {topic, pg::Instant{from}});
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
    const Topic &topic = line.topic();
    const pg::Rows rows =
        access::reading(find_rejections, topic.tenant).run(SnapshotOf::now, {topic});
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        line.add_rejected(pg::copied_text(rows.get<pg::Text>(row)));
}

// While the line is locked, its predicate cannot be defined anew.
void check_cardinality(const Line &locked) {
    const Topic &topic = locked.topic();
    pg::check_fresh(
        [&](SnapshotOf snapshot) {
            return is_many(topic.tenant.name_space, topic.predicate, snapshot);
        },
        "the predicate has been defined anew");
}

Interval microseconds(std::int64_t count) {
    Interval interval{};
    interval.time = count;
    return interval;
}

// The table's lock comes before the rows': a session that held rows and then waited for the table
// could wait for define_predicate, which has the table and waits for the rows.
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
    bool one_valued = false;
    for (auto &[object, line] : wanted.line_of) {
        if (!one_valued)
            one_valued = lock_one(topic, object, wanted).slot().empty();
        line = lines_.size() - 1;
    }
}

Line &Lines::lock_one(const Topic &topic, std::string_view object, const Wanted &wanted) {
    const pg::Rows rows =
        access::writing(lock_line, topic.tenant)
            .write({topic, object, microseconds(wanted.changes - 1), wanted.changes}, "timelines");
    const auto [slot, number, first_known, may_have_rejections, is_new] =
        rows.get<pg::Text, pg::Int8, pg::Time, pg::Bool, pg::Bool>(0);
    Line &locked = lines_.emplace_back(topic, pg::copied_text(slot), number, first_known, memory_);
    check_cardinality(locked);
    if (!is_new && wanted.only != nullptr)
        read_for(locked, *wanted.only);
    else if (!is_new)
        read(locked, wanted.from, Share::all);
    if (may_have_rejections)
        read_rejections(locked);
    return locked;
}

void Lines::lock_existing(const Topic &topic, const Wanted &wanted) {
    lock_table(); // lock_line does so by itself
    const bool one = wanted.object.has_value();
    pg::Values values{topic};
    if (one)
        values.add(*wanted.object);
    const std::uint64_t there =
        (one ? lock_lines_of_object : lock_all_lines).run(SnapshotOf::now, values).size();
    if (there == 0)
        return;
    // It may also find lines that came meanwhile, and locks them.
    const pg::Rows rows =
        (one ? advance_lines_of_object : advance_all_lines).run(SnapshotOf::now, values);
    if (rows.size() < there)
        pg::throw_kept_out("timelines", rows.size(), there);
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto [slot, number, known] = rows.get<pg::Text, pg::Int8, pg::Time>(row);
        lines_.emplace_back(topic, pg::copied_text(slot), number, known, memory_);
    }
    const std::span<Line> locked = std::span(lines_).last(rows.size());
    if (locked.size() > 1)
        read(locked, wanted.from, memory_);
    else
        read(locked.front(), wanted.from, Share::all);
}

Line &Lines::at(const Topic &topic, std::string_view object_key) {
    return lines_[wanted_.find(topic)->second.line_of.find(object_key)->second];
}

void Lines::write() const { write_versions(lines_, memory_); }

} // namespace memory::facts
