// Rows of memory.facts that end and that are new, out of what has become of lines in memory.
#include "facts/versions.h"

#include "access/direct.h"
#include "facts/sql.h"
#include "pg/statement.h"
#include "schema/relations.h"

extern "C" {
#include "utils/typcache.h"
}

namespace memory::facts {

namespace {

using pg::Parameter;
using pg::SnapshotOf;

MEMORY_STATEMENT(end_version, R"(
    UPDATE memory.facts f SET known_until = $4
    WHERE {tenant:f} AND f.id = $3 AND f.ctid = $5 AND {known_now:f})"_sql);
MEMORY_STATEMENT(find_version, R"(
    SELECT FROM memory.facts f WHERE {tenant:f} AND f.id = $3 AND f.ctid = $4 AND {known_now:f})"_sql);

// What a new version says, column by column.
constexpr std::array<const char *, 15> column_names{
    "namespace",   "user_id",    "subject_key", "predicate",  "id",
    "line",        "subject",    "object_key",  "object",     "valid_from",
    "valid_until", "known_from", "known_until", "confidence", "metadata"};
using Columns = std::array<Parameter, column_names.size()>;

// A statement takes its time to begin: it parses every CHECK of the table.
MEMORY_STATEMENT(insert_one, R"(
    INSERT INTO memory.facts (namespace, user_id, subject_key, predicate, id, line, subject,
        object_key, object, valid_from, valid_until, known_from, known_until, confidence, metadata)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15))"_sql);
MEMORY_STATEMENT(insert_many, R"(
    INSERT INTO memory.facts (namespace, user_id, subject_key, predicate, id, line, subject,
        object_key, object, valid_from, valid_until, known_from, known_until, confidence, metadata)
    SELECT $1, $2, v.subject_key, v.predicate, v.id, v.line, v.subject, v.object_key, v.object,
        v.valid_from, v.valid_until, v.known_from, v.known_until, v.confidence, v.metadata
    FROM unnest($3::memory.facts[]) v)"_sql);

MEMORY_STATEMENT(insert_sources, R"(
    INSERT INTO memory.fact_sources (namespace, user_id, fact_id, episode_id)
    SELECT $1, $2, $3, s FROM unnest($4::uuid[]) s)"_sql);

void write_end(const Topic &topic, const Version &version) {
    const auto row = pg::as<pg::Tid>(PointerGetDatum(&version.row));
    const pg::Instant known_until{version.known_until};
    if (access::writing(end_version, topic.tenant)
            .run(SnapshotOf::now, {topic.tenant, version.id, known_until, row})
            .size() == 1)
        return;
    if (!find_version.run(SnapshotOf::now, {topic.tenant, version.id, row}).empty())
        pg::throw_kept_out("facts", 0, 1);
    throw pg::Error(ERRCODE_T_R_SERIALIZATION_FAILURE,
                    "a fact was changed by hand while its line was locked");
}

struct NewVersion {
    const Line *line;
    const Version *version;

    const access::Tenant &tenant() const { return line->topic().tenant; }

    Columns columns() const {
        const Topic &topic = line->topic();
        return {Parameter::text(topic.tenant.name_space),
                Parameter::text(topic.tenant.user),
                Parameter::text(topic.subject),
                Parameter::text(topic.predicate),
                Parameter::uuid(version->id),
                pg::as<pg::Int8>(line->number()),
                Parameter::text(version->subject.shown),
                Parameter::text(version->object.key),
                Parameter::text(version->object.shown),
                time(version->valid.from),
                time(version->valid.until),
                time(version->known_from),
                time(version->known_until),
                pg::as<pg::Float8>(version->confidence),
                pg::as<pg::Json>(version->metadata)};
    }

  private:
    static Parameter time(Instant at) { return pg::as<pg::Time>(pg::Instant{at}); }
};

// Rows of the table as values.
class RowType {
  public:
    explicit RowType(Oid table)
        : id_(pg::call([table] { return get_rel_type_id(table); })),
          shape_(pg::call([this] { return lookup_rowtype_tupdesc_copy(id_, -1); })) {
        std::transform(column_names.begin(), column_names.end(), places_.begin(),
                       [this](const char *name) { return place(name); });
    }

    Oid id() const noexcept { return id_; }

    // Whether the table's columns still have the types of these values; if not, only an INSERT can
    // cast them.
    bool takes(const Columns &values) const {
        for (std::size_t i = 0; i < places_.size(); ++i) {
            const Form_pg_attribute column = TupleDescAttr(shape_, static_cast<int>(places_[i]));
            if (column->atttypid != values[i].type || column->atttypmod != -1)
                return false;
        }
        return true;
    }

    Datum row(const Columns &given) const {
        std::array<Datum, MaxTupleAttributeNumber> values;
        std::array<bool, MaxTupleAttributeNumber> nulls;
        std::fill_n(nulls.begin(), shape_->natts, true);
        for (std::size_t i = 0; i < places_.size(); ++i) {
            values[places_[i]] = given[i].value;
            nulls[places_[i]] = false;
        }
        return pg::call([&] {
            return HeapTupleGetDatum(heap_form_tuple(shape_, values.data(), nulls.data()));
        });
    }

  private:
    std::size_t place(const char *name) const {
        const int number = pg::call([=, this] { return SPI_fnumber(shape_, name); });
        if (number <= 0)
            throw pg::Error(ERRCODE_UNDEFINED_COLUMN, "column \"%s\" of memory.facts is missing",
                            name);
        return static_cast<std::size_t>(number) - 1;
    }

    Oid id_;
    TupleDesc shape_; // of the current memory context
    std::array<std::size_t, column_names.size()> places_{};
};

void write_one(const NewVersion &version) {
    access::writing(insert_one, version.tenant()).write(version.columns(), "facts");
}

// All of one tenant.
void write_new(std::span<const NewVersion> versions, std::pmr::memory_resource *memory) {
    if (versions.size() == 1)
        return write_one(versions.front());
    const RowType type(schema::table_named("facts"));
    if (!type.takes(versions.front().columns())) {
        std::for_each(versions.begin(), versions.end(), write_one);
        return;
    }
    std::pmr::vector<Datum> rows(memory);
    for (const NewVersion &version : versions)
        rows.push_back(type.row(version.columns()));
    const access::Tenant &tenant = versions.front().tenant();
    access::writing(insert_many, tenant)
        .write({tenant, Parameter::array(type.id(), rows)}, "facts", rows.size());
}

// Lines, and so their versions, are in the order of their tenants.
void write_all_new(std::span<const NewVersion> versions, std::pmr::memory_resource *memory) {
    while (!versions.empty()) {
        const auto end = std::find_if(versions.begin(), versions.end(), [&](const NewVersion &one) {
            return one.tenant() != versions.front().tenant();
        });
        const auto count = static_cast<std::size_t>(end - versions.begin());
        write_new(versions.first(count), memory);
        versions = versions.subspan(count);
    }
}

void write_sources(const NewVersion &of) {
    if (!of.version->sources.empty())
        access::writing(insert_sources, of.tenant())
            .write({of.tenant(), of.version->id, of.version->sources}, "fact_sources",
                   of.version->sources.size());
}

} // namespace

void write_versions(std::span<const Line> lines, std::pmr::memory_resource *memory) {
    std::pmr::vector<NewVersion> made(memory);
    for (const Line &line : lines)
        for (const Version &version : line.versions())
            if (!version.stored())
                made.push_back({&line, &version});
            else if (!version.current())
                write_end(line.topic(), version);
    write_all_new(made, memory);
    for (const NewVersion &one : made)
        write_sources(one);
}

} // namespace memory::facts
