// SQL text that makes a table or a part of it, out of its description.
#pragma once

#include "pg/backend.h"
#include "schema/table.h"

namespace memory::schema {

// Stands in a foreign key behind the name of another table of users: of each partition there is a
// key, to the partition with the same users, which PostgreSQL checks by a plan that is kept. Not
// for keys that cascade: they take a row that is moved to another user by hand for a deleted one.
inline constexpr std::string_view part_mark = "{part}";

// Whether a constraint of a partitioned table is one of each partition: a key of another's, or an
// exclusion of rows of a user, by an expression in which PostgreSQL does not see that they are of
// one partition.
inline bool is_of_partitions(const Part &constraint) {
    const std::string_view definition = constraint.definition;
    return definition.starts_with("EXCLUDE") || definition.find(part_mark) != definition.npos;
}

class Script {
  public:
    // `vector` is what {vector} in descriptions stands for.
    Script(std::string_view vector, std::pmr::memory_resource *memory)
        : vector_(vector), text_(memory) {}

    // Each adds statements, with their comments.
    // Where it is of users, without rows of its own, for so many partitions; 0: an ordinary table.
    void create(const Table &table, int partitions);
    void create_partition(const Table &table, int number, int of);
    void add_key(const Table &table);
    void add_column(const Table &table, const Column &column);
    void set_default(const Table &table, const Column &column);
    void create_index(const Table &table, const Part &index);
    void add_constraint(const Table &table, const Part &constraint);
    // One of that partition (is_of_partitions()).
    void add_constraint(const Table &table, int number, const Part &constraint);
    void create_trigger(const Table &table, const Part &trigger);

    // Runs what has been added since the last run.
    void run();

  private:
    void add_constraint(const Table &table, std::string_view suffix, const Part &constraint);
    void add(std::initializer_list<std::string_view> parts);
    void define(const Column &column);
    void comment(std::initializer_list<std::string_view> object, const char *comment);
    void comment_column(const Table &table, const Column &column);

    std::string_view vector_;
    std::pmr::string text_;
};

} // namespace memory::schema
