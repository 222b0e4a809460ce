// SQL out of descriptions, which are the library's own: nothing of it comes from a caller. Every
// statement binds the tenant.
#include "lines/statements.h"

#include "pg/error.h"
#include "pg/memory.h"
#include "schema/columns.h"

#include <charconv>

extern "C" {
#include "utils/memutils.h"
}

namespace memory::lines {

namespace {

using schema::Column;
using schema::Table;

// A statement's text, and then its copy that stays with the backend.
class Text {
  public:
    Text() : memory_(CurrentMemoryContext), text_(&memory_) {}

    Text &add(std::initializer_list<std::string_view> parts) {
        for (const std::string_view part : parts)
            text_.append(part);
        return *this;
    }
    // "t.a, t.b": what `before` and `behind` say around each name.
    Text &add_columns(const Table &table, std::string_view before) {
        std::string_view separator;
        each_member(table, [&](const Column &column) {
            add({std::exchange(separator, ", "), before, column.name});
        });
        return *this;
    }
    // "$3, $4": one for each of them.
    Text &add_parameters(const Table &table) {
        int place = first_parameter;
        each_member(table, [&](const Column &) {
            add({place > first_parameter ? ", $" : "$"}).add(place);
            ++place;
        });
        return *this;
    }
    Text &add(int number) {
        std::array<char, 16> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        text_.append(digits.data(), end);
        return *this;
    }
    Text &add_tenant(const Table &table) {
        add({"t.namespace OPERATOR(pg_catalog.=) $1"});
        return schema::of_users(table) ? add({" AND t.user_id OPERATOR(pg_catalog.=) $2"}) : *this;
    }
    const char *kept() const {
        return pg::call([this] { return MemoryContextStrdup(TopMemoryContext, text_.c_str()); });
    }

    static constexpr int first_parameter = 3;

  private:
    pg::ContextResource memory_;
    std::pmr::string text_;
};

// Calls visit(column, its parameter's number) for the columns of the key behind the tenant's.
template <class Visit>
void each_key_column(const Table &table, Visit &&visit) {
    std::string_view rest = table.key;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(", "), rest.size());
        int place = Text::first_parameter;
        each_member(table, [&](const Column &column) {
            if (column.name == rest.substr(0, end))
                visit(column, place);
            ++place;
        });
        rest.remove_prefix(std::min(end + 2, rest.size()));
    }
}

const char *finding_rows(const Table &table) {
    Text text;
    text.add({"SELECT "}).add_columns(table, "t.").add({" FROM memory.", table.name, " t WHERE "});
    text.add_tenant(table);
    if (*table.shown != '\0')
        text.add({" AND (", table.shown, ")"});
    std::string_view separator = " ORDER BY t.";
    each_key_column(table, [&](const Column &column, int) {
        text.add({std::exchange(separator, ", t."), column.name});
    });
    return text.kept();
}

const char *inserting(const Table &table) {
    Text text;
    text.add({"INSERT INTO memory.", table.name, " (namespace, user_id, "});
    text.add_columns(table, "").add({") VALUES ($1, $2, "}).add_parameters(table);
    text.add({") ON CONFLICT (namespace, user_id"});
    each_key_column(table, [&](const Column &column, int) { text.add({", ", column.name}); });
    return text.add({") DO NOTHING"}).kept();
}

const char *comparing(const Table &table) {
    Text text;
    text.add({"SELECT pg_catalog.record_image_eq(ROW("}).add_columns(table, "t.");
    text.add({"), ROW("}).add_parameters(table);
    text.add({")) FROM memory.", table.name, " t WHERE "}).add_tenant(table);
    each_key_column(table, [&](const Column &column, int place) {
        text.add({" AND t.", column.name, " OPERATOR(pg_catalog.=) $"}).add(place);
    });
    return text.kept();
}

Statements made_for(const Table &table) {
    const bool written = schema::of_users(table);
    return {&table, pg::Statement(finding_rows(table), pg::Statement::once),
            pg::Statement(written ? inserting(table) : ""),
            pg::Statement(written ? comparing(table) : "", pg::Statement::once)};
}

constexpr std::size_t most_tables = 96;
constinit std::array<std::optional<Statements>, most_tables> known;

} // namespace

Statements &statements_of(const Table &table) {
    for (std::optional<Statements> &one : known) {
        if (!one)
            one.emplace(made_for(table));
        if (one->table == &table)
            return *one;
    }
    throw pg::Error(ERRCODE_INTERNAL_ERROR, "there are more than %zu tables", most_tables);
}

} // namespace memory::lines
