// Statements in PostgreSQL's words. Names are the library's own and need no quotes.
#include "schema/script.h"

#include "pg/spi.h"
#include "schema/columns.h"
#include "schema/partitions.h"

namespace memory::schema {

namespace {

constexpr std::string_view table_mark = "{table}";
constexpr std::string_view vector_mark = "{vector}";

// What is long is read and written several times as fast as by PostgreSQL's own method.
#ifdef USE_LZ4
constexpr std::string_view bytes = "bytea COMPRESSION lz4";
#else
constexpr std::string_view bytes = "bytea";
#endif

// A switch, so that a new type without its name does not compile.
std::string_view written(Type type) {
    switch (type) {
    case Type::name:
        return "text COLLATE \"C\"";
    case Type::text:
        return "text";
    case Type::uuid:
        return "uuid";
    case Type::instant:
        return "timestamptz";
    case Type::flag:
        return "boolean";
    case Type::int4:
        return "integer";
    case Type::int8:
        return "bigint";
    case Type::float4:
        return "real";
    case Type::float8:
        return "double precision";
    case Type::jsonb:
        return "jsonb";
    case Type::bytes:
        return bytes;
    case Type::interval:
        return "interval";
    case Type::int8s:
        return "bigint[]";
    case Type::names:
        return "text[] COLLATE \"C\"";
    case Type::texts:
        return "text[]";
    case Type::uuids:
        return "uuid[]";
    case Type::vector:
        return "{vector}.vector";
    }
    return {};
}

} // namespace

void Script::add(std::initializer_list<std::string_view> parts) {
    for (std::string_view part : parts) {
        for (auto at = part.find(vector_mark); at != part.npos; at = part.find(vector_mark)) {
            text_.append(part.substr(0, at)).append(vector_);
            part.remove_prefix(at + vector_mark.size());
        }
        text_.append(part);
    }
}

void Script::comment(std::initializer_list<std::string_view> object, const char *comment) {
    const char *quoted = pg::call([comment] { return quote_literal_cstr(comment); });
    add({"COMMENT ON "});
    add(object);
    add({" IS ", quoted, ";\n"});
}

void Script::comment_column(const Table &table, const Column &column) {
    comment({"COLUMN memory.", table.name, ".", column.name}, column.comment);
}

void Script::define(const Column &column) {
    add({column.name, " ", written(column.type), " ", column.rest});
}

void Script::create(const Table &table, int partitions) {
    add({"CREATE TABLE memory.", table.name, " ("});
    std::string_view separator = "\n";
    each_column(table, [&](const Column &column) {
        add({std::exchange(separator, ",\n")});
        define(column);
    });
    if (partitions > 0)
        add({table.rules, ") PARTITION BY HASH (namespace, user_id);\n"});
    else
        add({table.rules, ") ", table.storage, ";\n"});
    comment({"TABLE memory.", table.name}, table.comment);
    each_column(table, [&](const Column &column) { comment_column(table, column); });
}

void Script::create_partition(const Table &table, int number, int of) {
    const std::array<char, 8> suffix = partition_suffix(number);
    std::array<char, 64> bound{};
    std::snprintf(bound.data(), bound.size(), "(MODULUS %d, REMAINDER %d) ", of, number);
    add({"CREATE TABLE memory.", table.name, suffix.data(), " PARTITION OF memory.", table.name,
         " FOR VALUES WITH ", bound.data(), table.storage, ";\n"});
    std::array<char, 128> text{};
    std::snprintf(text.data(), text.size(), "A part of the users of memory.%s.", table.name);
    comment({"TABLE memory.", table.name, suffix.data()}, text.data());
}

void Script::add_key(const Table &table) {
    add({"ALTER TABLE memory.", table.name, " ADD PRIMARY KEY ("});
    for (const Column &column : leading_columns(table.rows))
        add({column.name, ", "});
    add({table.key, ");\n"});
    comment({"INDEX memory.", table.name, "_pkey"}, table.key_comment);
}

void Script::add_column(const Table &table, const Column &column) {
    add({"ALTER TABLE memory.", table.name, " ADD COLUMN "});
    define(column);
    add({";\n"});
    comment_column(table, column);
}

void Script::set_default(const Table &table, const Column &column) {
    add({"ALTER TABLE memory.", table.name, " ALTER ", column.name, " SET DEFAULT ",
         column.default_call, ";\n"});
}

void Script::create_index(const Table &table, const Part &index) {
    add({index.index == Index::unique ? "CREATE UNIQUE INDEX " : "CREATE INDEX ", index.name,
         " ON memory.", table.name, " ", index.definition, ";\n"});
    comment({"INDEX memory.", index.name}, index.comment);
}

void Script::add_constraint(const Table &table, std::string_view suffix, const Part &constraint) {
    const std::string_view definition = constraint.definition;
    const auto mark = definition.find(part_mark);
    add({"ALTER TABLE memory.", table.name, suffix, " ADD CONSTRAINT ", constraint.name, suffix,
         " ", definition.substr(0, mark)});
    if (mark != definition.npos)
        add({suffix, definition.substr(mark + part_mark.size())});
    add({";\n"});
    comment({"CONSTRAINT ", constraint.name, suffix, " ON memory.", table.name, suffix},
            constraint.comment);
    if (!definition.starts_with("FOREIGN KEY"))
        comment({"INDEX memory.", constraint.name, suffix}, constraint.comment);
}

void Script::add_constraint(const Table &table, const Part &constraint) {
    add_constraint(table, "", constraint);
}

void Script::add_constraint(const Table &table, int number, const Part &constraint) {
    add_constraint(table, partition_suffix(number).data(), constraint);
}

void Script::create_trigger(const Table &table, const Part &trigger) {
    add({"CREATE TRIGGER ", trigger.name, " "});
    const std::string_view definition = trigger.definition;
    const auto at = definition.find(table_mark);
    add({definition.substr(0, at), "memory.", table.name, definition.substr(at + table_mark.size()),
         ";\n"});
    comment({"TRIGGER ", trigger.name, " ON memory.", table.name}, trigger.comment);
}

void Script::run() {
    if (text_.empty())
        return;
    pg::run_utility(text_.c_str());
    text_.clear();
}

} // namespace memory::schema
