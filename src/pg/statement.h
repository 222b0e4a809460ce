// A statement with a name, in the list of all statements of the library.
//
//     MEMORY_STATEMENT(find_one, R"(
//         SELECT f.object FROM memory.facts f WHERE {tenant:f} AND f.id = $3)"_sql);
//
//     find_one.run(pg::SnapshotOf::caller, {tenant, id})
//
// It stands in a .cpp file, outside of functions. tests/door walks the list and proves that each
// binds the tenant; tests/door/sql/binding.sql names those that need not.
#pragma once

#include "pg/spi.h"

namespace memory::pg {

struct ListedStatement {
    const char *name;
    const char *file;
    const Statement *statement;
};

// All of them, in no order.
std::span<const ListedStatement *const> listed_statements() noexcept;

} // namespace memory::pg

// A list without constructors: the linker puts the pointers of one section behind each other.
#define MEMORY_STATEMENT(name, ...)                                                                \
    constinit memory::pg::Statement name(__VA_ARGS__);                                             \
    static constinit const memory::pg::ListedStatement name##_listed{#name, __FILE__, &name};      \
    [[gnu::used,                                                                                   \
      gnu::section("memory_statements")]] static constinit const memory::pg::ListedStatement       \
        *name##_entry = &name##_listed
