// Lines out, row by row; and lines in, each checked against the description of its table.
#include "lines/line.h"

#include "lines/statements.h"
#include "lines/value.h"
#include "pg/attempt.h"
#include "pg/error.h"
#include "pg/memory.h"

namespace memory::lines {

namespace {

using schema::Column;
using schema::Table;

constexpr const char *from_export = "Lines are what memory.export_user() returns.";

// The members that are no columns.
constexpr const char *format_name = "format";
constexpr const char *table_name = "table";
constexpr const char *user_name = "user_id";

Datum line_of(const Table &table, const access::Tenant &tenant, TupleTableSlot *row) {
    const auto columns = pg::detail::Columns::of(row);
    pg::JsonWriter line;
    line.add(format_name, format);
    line.add(table_name, table.name);
    if (tenant.user.empty())
        line.add_null(user_name);
    else
        line.add(user_name, tenant.user);
    int place = 0;
    each_member(table, [&](const Column &column) {
        const auto at = static_cast<std::size_t>(place);
        write(line, column, columns.shape, place, {columns.values[at], columns.nulls[at]});
        ++place;
    });
    return line.finish();
}

bool has_member(const Table &table, std::string_view name) {
    bool found = name == format_name || name == table_name || name == user_name;
    each_member(table, [&](const Column &column) { found = found || name == column.name; });
    return found;
}

const Table *table_named(std::string_view name) {
    const Table *found = nullptr;
    schema::each_table([&](const Table &table) {
        if (name == table.name && has_lines(table))
            found = &table;
    });
    return found;
}

pg::Error bad(const pg::Place &place, const char *what) {
    return pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s %s", place.text().data(), what)
        .hint(from_export);
}

pg::JsonValue required(const pg::Place &place, const pg::JsonValue &line, const char *name) {
    const std::optional<pg::JsonValue> value = line.member(name);
    if (!value)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s has no \"%s\"", place.text().data(),
                        name)
            .hint(from_export);
    return *value;
}

std::string_view required_text(const pg::Place &place, const pg::JsonValue &line,
                               const char *name) {
    const pg::JsonValue value = required(place, line, name);
    if (!value.string())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s.%s must be a string, not %s",
                        place.text().data(), name, value.described());
    return *value.string();
}

// The columns of a line as parameters behind the tenant.
pg::Values values_of(const Table &table, const pg::Place &place, const access::Tenant &tenant,
                     const pg::JsonValue &line) {
    pg::Values values{tenant};
    each_member(table, [&](const Column &column) {
        const std::optional<pg::JsonValue> value = line.member(column.name);
        const pg::Place of_value{column.name, place.array, place.index};
        values.add(read(column, of_value.text().data(),
                        value && !value->is_null() ? value : std::nullopt));
    });
    return values;
}

} // namespace

bool has_lines(const Table &table) noexcept {
    return schema::of_users(table) || *table.shown != '\0';
}

void detail::each_line(const Table &table, const access::Tenant &tenant, pg::SnapshotOf snapshot,
                       void *body, VisitLine visit) {
    pg::TemporaryContext per_row("memory.lines");
    pg::Values parameters{tenant};
    statements_of(table).find_rows.each(snapshot, parameters, [&](const pg::Row &row) {
        per_row.reset();
        const pg::SwitchedContext switched(per_row.get());
        visit(body, line_of(table, tenant, row.slot()));
    });
}

Line::Line(std::size_t number, const pg::JsonValue &line) : number_(number), line_(line) {
    if (!line.is_object())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must be an object, not %s",
                        place().text().data(), line.described());
    read_head(line);
    check_members(line);
}

void Line::read_head(const pg::JsonValue &line) {
    const pg::JsonValue number = required(place(), line, format_name);
    if (!number.is_number() || number.to_double() != static_cast<double>(format))
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                        "%s is of format %s, and this version of memory reads format %lld",
                        place().text().data(), number.to_text(), static_cast<long long>(format))
            .hint("Import it with the version of memory that wrote it, and export it from there "
                  "after ALTER EXTENSION memory UPDATE.");
    const pg::Quoted table(required_text(place(), line, table_name));
    table_ = table_named(required_text(place(), line, table_name));
    if (table_ == nullptr)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                        "%s is of a table \"%.*s\" that this version of memory does not have",
                        place().text().data(), table.length, table.text)
            .hint(from_export);
    if (required(place(), line, user_name).is_null())
        return;
    user_ = required_text(place(), line, user_name);
    if (user_.empty())
        throw bad(place(), "has an empty \"user_id\"; that of the anonymous user is null");
}

void Line::check_members(const pg::JsonValue &line) const {
    pg::JsonWalk walk(line);
    while (const auto member = walk.next_member())
        if (!has_member(*table_, member->key)) {
            const pg::Quoted unknown(member->key);
            throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s has an unknown key \"%.*s\"",
                            place().text().data(), unknown.length, unknown.text)
                .hint(from_export);
        }
    each_member(*table_, [&](const Column &column) { required(place(), line, column.name); });
}

std::optional<std::string_view> Line::text(const char *column) const {
    if (required(place(), line_, column).is_null())
        return std::nullopt;
    return required_text(place(), line_, column);
}

bool Line::write(const access::Tenant &tenant) const {
    Statements &statements = statements_of(*table_);
    const pg::Values row = values_of(*table_, place(), tenant, line_);
    return pg::naming(place().text().data(), [&] {
        if (!statements.insert.run(pg::SnapshotOf::now, row).empty())
            return true;
        const pg::Rows there = statements.compare.run(pg::SnapshotOf::now, row);
        if (there.empty())
            pg::throw_kept_out(table_->name, 0, 1);
        if (there.get<pg::Bool>(0))
            return false;
        throw pg::Error(ERRCODE_UNIQUE_VIOLATION,
                        "another row of memory.%s has the key of this one", table_->name)
            .hint("Import into a user who has nothing yet; memory.forget_user() makes one so.");
    });
}

} // namespace memory::lines
