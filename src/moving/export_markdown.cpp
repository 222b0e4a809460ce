// memory.export_markdown(): what a user's agent knows, as files to read and to edit.
#include "access/call.h"
#include "access/session_identity.h"
#include "blocks/tables.h"
#include "episodes/tables.h"
#include "facts/algebra/line.h"
#include "facts/tables.h"
#include "lines/value.h"
#include "moving/ids.h"
#include "moving/markdown/text.h"
#include "moving/sql.h"
#include "pg/function_call.h"
#include "pg/memory.h"
#include "pg/statement.h"

extern "C" {
#include "utils/fmgroids.h"
}

namespace memory::moving {

namespace {

using markdown::Entry;
using markdown::File;
using pg::SnapshotOf;

MEMORY_STATEMENT(find_soul, R"(
    SELECT b.content FROM memory.blocks b WHERE {tenant:b} AND b.name = 'soul')"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(find_files, R"(
    SELECT b.name, b.content FROM memory.blocks b WHERE {tenant:b} AND pg_catalog.strpos(b.name, '/') > 0
    ORDER BY b.name)"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(find_facts, R"(
    SELECT f.id, f.subject, f.predicate, f.object, f.valid_from, f.valid_until, f.confidence
    FROM memory.facts f WHERE {tenant:f} AND {known_now:f} AND {valid_at:f,now()}
    ORDER BY f.subject_key, f.predicate, f.object_key, f.valid_from, f.id)"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(find_notes, R"(
    SELECT {entry:e} FROM memory.episodes e WHERE {tenant:e} AND {not_expired:e} AND {lasts:e}
    ORDER BY {section:e} COLLATE "C" NULLS FIRST, e.occurred_at, e.id)"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(find_events, R"(
    SELECT {entry:e} FROM memory.episodes e WHERE {tenant:e} AND {not_expired:e} AND NOT {lasts:e}
    ORDER BY e.occurred_at, e.id)"_sql,
                 pg::Statement::once);

// A heading is a line.
std::pmr::string heading_of(std::string_view section, std::pmr::memory_resource *memory) {
    std::pmr::string line = markdown::normal(section, memory);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
}

// The episode, and when it happened.
std::pair<Entry, std::string_view> episode_of(const pg::Row &row,
                                              std::pmr::memory_resource *memory) {
    using Text = std::optional<pg::Text>;
    const auto [id, content, response, kind, role, section, at] =
        row.get<pg::Uuid, pg::Text, Text, pg::Text, Text, Text, pg::Time>();
    Entry entry(memory);
    entry.id = id_of(id);
    entry.content = markdown::normal(content, memory);
    entry.response = markdown::normal(response.value_or(""), memory);
    entry.section = heading_of(section.value_or(""), memory);
    entry.attributes.kind = kind;
    entry.attributes.role = role.value_or("");
    return {std::move(entry), lines::utc_time(at)};
}

Entry fact_of(const pg::Row &row, std::pmr::memory_resource *memory) {
    const auto [id, subject, predicate, object, from, until, confidence] =
        row.get<pg::Uuid, pg::Text, pg::Text, pg::Text, pg::Time, pg::Time, pg::Float8>();
    Entry entry(memory);
    entry.thing = markdown::Thing::fact;
    entry.id = id_of(id);
    entry.subject = markdown::normal(subject, memory);
    entry.predicate = predicate;
    entry.object = markdown::normal(object, memory);
    entry.attributes.from = lines::utc_time(from);
    if (until != facts::algebra::forever)
        entry.attributes.until = lines::utc_time(until);
    if (confidence != 1)
        entry.attributes.confidence = pg::call([number = Float8GetDatum(confidence)] {
            return OidOutputFunctionCall(F_FLOAT8OUT, number);
        });
    return entry;
}

void warn_of_day(std::string_view name) {
    pg::call([name] {
        ereport(WARNING, (errmsg("block \"%.*s\" is not exported: its name is the path of a day",
                                 static_cast<int>(name.size()), name.data()),
                          errhint("memory.rename_block gives it another one.")));
    });
}

class Export {
  public:
    explicit Export(access::Reading &reading)
        : reading_(reading), memory_(CurrentMemoryContext), body_(&memory_), day_(&memory_) {}

    void write() {
        write_soul();
        write_notes();
        write_days();
        write_files();
    }

  private:
    // Calls visit(row, memory) with memory that is given back behind each row.
    template <class Visit>
    void each(pg::Statement &statement, Visit &&visit) {
        pg::TemporaryContext per_row("memory.export_markdown");
        statement.each(SnapshotOf::caller, reading_.tenant(), [&](const pg::Row &row) {
            per_row.reset();
            const pg::SwitchedContext switched(per_row.get());
            visit(row, per_row.resource());
        });
    }

    void add(std::string_view path, std::string_view body) { reading_.rows().add({path, body}); }

    void write_soul() {
        each(find_soul, [&](const pg::Row &row, std::pmr::memory_resource *) {
            add(markdown::soul_path, row.get<pg::Text>());
        });
    }

    void write_notes() {
        std::optional<markdown::Printer> printer;
        const auto print = [&](const Entry &entry) {
            if (!printer)
                printer.emplace(File::notes, "Memory", body_);
            printer->add(entry);
        };
        each(find_facts, [&](const pg::Row &row, std::pmr::memory_resource *memory) {
            print(fact_of(row, memory));
        });
        each(find_notes, [&](const pg::Row &row, std::pmr::memory_resource *memory) {
            auto [entry, at] = episode_of(row, memory);
            entry.attributes.at = at;
            if (entry.attributes.kind == "long_term")
                entry.attributes.kind.clear();
            print(entry);
        });
        if (printer)
            add(markdown::notes_path, body_);
    }

    void write_days() {
        std::optional<markdown::Printer> printer;
        each(find_events, [&](const pg::Row &row, std::pmr::memory_resource *memory) {
            auto [entry, at] = episode_of(row, memory);
            const markdown::Moment moment(at, memory);
            if (moment.day != day_) {
                add_day();
                day_ = moment.day;
                body_.clear();
                printer.emplace(File::day, day_, body_);
            }
            entry.time = moment.minute;
            if (!moment.is_minute)
                entry.attributes.at = at;
            if (entry.attributes.kind == "episodic")
                entry.attributes.kind.clear();
            printer->add(entry);
        });
        add_day();
    }

    void add_day() {
        if (!day_.empty())
            add(markdown::path_of_day(day_, &memory_), body_);
    }

    // A block that has the name of a day cannot stand beside it.
    void write_files() {
        each(find_files, [&](const pg::Row &row, std::pmr::memory_resource *) {
            const auto [name, content] = row.get<pg::Text, pg::Text>();
            if (markdown::file_at(name) == File::block)
                add(name, content);
            else
                warn_of_day(name);
        });
    }

    access::Reading &reading_;
    pg::ContextResource memory_;
    std::pmr::string body_; // of the file that is being written
    std::pmr::string day_;
};

} // namespace

MEMORY_CALL(memory_export_markdown, "user_id text") {
    schema::require_all(schema::Need::to_read);
    access::Reading reading(call, episodes::room);
    // Row security would hide every row, but not what it costs to find them.
    if (access::SessionIdentity().may_write(reading.tenant()))
        Export(reading).write();
    return call.nothing();
}

} // namespace memory::moving
