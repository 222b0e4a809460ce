// See versions.h.
#include "facts/versions.h"

#include "pg/error.h"
#include "schema/relations.h"

extern "C" {
#include "utils/typcache.h"
}

namespace memory::facts {

namespace {

using pg::Access;
using pg::Parameter;

// What a new version says, column by column.
#define COLUMNS(of)                                                                                \
    of "namespace, " of "user_id, " of "subject_key, " of "predicate, " of "id, " of "line, " of   \
       "subject, " of "object_key, " of "object, " of "valid_from, " of "valid_until, " of         \
       "known_from, " of "known_until, " of "confidence, " of "metadata"
constexpr std::array<const char *, 15> column_names{
    "namespace",   "user_id",    "subject_key", "predicate",  "id",
    "line",        "subject",    "object_key",  "object",     "valid_from",
    "valid_until", "known_from", "known_until", "confidence", "metadata"};
using Values = std::array<Parameter, column_names.size()>;

constinit pg::Statement
    end_version("UPDATE memory.facts SET known_until = $4 "
                "WHERE namespace OPERATOR(pg_catalog.=) $1 AND user_id OPERATOR(pg_catalog.=) $2"
                " AND id OPERATOR(pg_catalog.=) $3 AND ctid OPERATOR(pg_catalog.=) $5"
                " AND known_until OPERATOR(pg_catalog.=) 'infinity'");
constinit pg::Statement
    find_version("SELECT FROM memory.facts "
                 "WHERE namespace OPERATOR(pg_catalog.=) $1 AND user_id OPERATOR(pg_catalog.=) $2"
                 " AND id OPERATOR(pg_catalog.=) $3 AND ctid OPERATOR(pg_catalog.=) $4"
                 " AND known_until OPERATOR(pg_catalog.=) 'infinity'");

// A statement takes its time to begin: it parses every CHECK of the table.
constinit pg::Statement insert_one("INSERT INTO memory.facts (" COLUMNS(
    "") ") VALUES"
        " ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,"
        " $15)");
constinit pg::Statement insert_many("INSERT INTO memory.facts (" COLUMNS(
    "") ") "
        "SELECT " COLUMNS("v.") " FROM pg_catalog.unnest($1) v");

constinit pg::Statement
    insert_sources("INSERT INTO memory.fact_sources (namespace, user_id, fact_id, episode_id) "
                   "SELECT $1, $2, $3, s FROM pg_catalog.unnest($4) s");

void write_end(const Topic &topic, const Version &version) {
    const std::array parameters{topic.tenant.name_space_parameter(), topic.tenant.user_parameter(),
                                Parameter::uuid(version.id), time_parameter(version.known_until),
                                Parameter::of(TIDOID, PointerGetDatum(&version.row))};
    if (end_version.run(parameters, Access::write).size() == 1)
        return;
    const std::array as_it_was{parameters[0], parameters[1], parameters[2], parameters[4]};
    if (!find_version.run(as_it_was, Access::write).empty())
        pg::throw_kept_out("facts", 0, 1);
    throw pg::Error(ERRCODE_T_R_SERIALIZATION_FAILURE,
                    "a fact was changed by hand while its line was locked");
}

struct NewVersion {
    const Line *line;
    const Version *version;

    Values values() const {
        const Topic &topic = line->topic();
        return {topic.tenant.name_space_parameter(),
                topic.tenant.user_parameter(),
                Parameter::text(topic.subject),
                Parameter::text(topic.predicate),
                Parameter::uuid(version->id),
                Parameter::of(INT8OID, Int64GetDatum(line->number())),
                Parameter::text(version->subject.shown),
                Parameter::text(version->object.key),
                Parameter::text(version->object.shown),
                time_parameter(version->valid.from),
                time_parameter(version->valid.until),
                time_parameter(version->known_from),
                time_parameter(version->known_until),
                Parameter::of(FLOAT4OID, Float4GetDatum(version->confidence)),
                Parameter::of(JSONBOID, version->metadata)};
    }
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
    bool takes(const Values &values) const {
        for (std::size_t i = 0; i < places_.size(); ++i) {
            const Form_pg_attribute column = TupleDescAttr(shape_, static_cast<int>(places_[i]));
            if (column->atttypid != values[i].type || column->atttypmod != -1)
                return false;
        }
        return true;
    }

    Datum row(const Values &given) const {
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

void write_new(std::span<const NewVersion> versions, std::pmr::memory_resource *memory) {
    if (versions.empty())
        return;
    if (versions.size() == 1) {
        insert_one.write(versions.front().values(), "facts");
        return;
    }
    const RowType type(schema::table_named("facts"));
    if (!type.takes(versions.front().values())) {
        for (const NewVersion &version : versions)
            insert_one.write(version.values(), "facts");
        return;
    }
    std::pmr::vector<Datum> rows(memory);
    for (const NewVersion &version : versions)
        rows.push_back(type.row(version.values()));
    insert_many.write(std::array{Parameter::array(type.id(), rows)}, "facts", rows.size());
}

void write_sources(const NewVersion &of) {
    if (of.version->sources.empty())
        return;
    const access::Tenant &tenant = of.line->topic().tenant;
    const std::array parameters{tenant.name_space_parameter(), tenant.user_parameter(),
                                Parameter::uuid(of.version->id),
                                Parameter::of(UUIDARRAYOID, uuid_array(of.version->sources))};
    insert_sources.write(parameters, "fact_sources", of.version->sources.size());
}

} // namespace

void write_versions(std::span<const Line> lines, std::pmr::memory_resource *memory) {
    std::pmr::vector<NewVersion> made(memory);
    for (const Line &line : lines)
        for (const Version &version : line.versions()) {
            if (!version.stored())
                made.push_back({&line, &version});
            else if (!version.current())
                write_end(line.topic(), version);
        }
    write_new(made, memory);
    for (const NewVersion &one : made)
        write_sources(one);
}

} // namespace memory::facts
