// Rows of tables as lines: objects of JSON with the row's columns, the user, the table and the
// number of the format (docs/moving.md, "Lines"). Any table that a room describes has lines.
#pragma once

#include "access/scope.h"
#include "pg/json.h"
#include "schema/rooms.h"

namespace memory::lines {

// Of what is written here. Another one has its own number.
inline constexpr std::int64_t format = 1;

// Whether a user's export has rows of it.
bool has_lines(const schema::Table &table) noexcept;

namespace detail {
using VisitLine = void (*)(void *body, Datum line);
void each_line(const schema::Table &table, const access::Tenant &tenant, pg::SnapshotOf snapshot,
               void *body, VisitLine visit);
} // namespace detail

// Calls visit(Datum) with a jsonb for every row of the tenant that calls show, in the order of the
// key; of a table that users share, for every row that the tenant's rows rest on. The jsonb lives
// until visit returns. Needs a live Spi.
template <class Visit>
void each_line(const schema::Table &table, const access::Tenant &tenant, pg::SnapshotOf snapshot,
               Visit &&visit) {
    detail::each_line(table, tenant, snapshot, &visit, [](void *body, Datum line) {
        (*static_cast<std::remove_reference_t<Visit> *>(body))(line);
    });
}

// One line on its way in. Views the JSON, which must outlive it.
class Line {
  public:
    // Checks all but the values: an error, which names lines[number], where it is no line of this
    // format, or has other members than a line of its table.
    Line(std::size_t number, const pg::JsonValue &line);

    const schema::Table &table() const noexcept { return *table_; }
    // Empty: the anonymous user.
    std::string_view user() const noexcept { return user_; }
    // "lines[3]".
    pg::Place place() const noexcept { return {{}, "lines", number_}; }

    // Writes the row, of a table of users, for this tenant. False where it is there already, in all
    // columns as the line has it; an error where another one has its key. Needs a live Spi.
    bool write(const access::Tenant &tenant) const;

    // The text in a column; nothing is null.
    std::optional<std::string_view> text(const char *column) const;

  private:
    void read_head(const pg::JsonValue &line);
    void check_members(const pg::JsonValue &line) const;

    std::size_t number_;
    pg::JsonValue line_;
    const schema::Table *table_ = nullptr;
    std::string_view user_;
};

} // namespace memory::lines
