// The list of all statements, and memory_statements(), by which tests read it.
#include "pg/statement.h"

#include "pg/rows.h"

extern "C" {
// The linker's names for the ends of the section; null where there is none.
[[gnu::weak,
  gnu::visibility(
      "hidden")]] extern const memory::pg::ListedStatement *const __start_memory_statements[];
[[gnu::weak,
  gnu::visibility(
      "hidden")]] extern const memory::pg::ListedStatement *const __stop_memory_statements[];
}

namespace memory::pg {

std::span<const ListedStatement *const> listed_statements() noexcept {
    return {__start_memory_statements, __stop_memory_statements};
}

namespace {

std::string_view under_src(std::string_view path) {
    constexpr std::string_view src = "src/";
    const std::size_t at = path.rfind(src);
    return at == path.npos ? path : path.substr(at + src.size());
}

} // namespace

// Rows (name, file, sql). Not declared in the extension: tests declare it.
MEMORY_FUNCTION(memory_statements) {
    ResultSet result(arguments);
    for (const ListedStatement *one : listed_statements())
        result.add({std::string_view(one->name), under_src(one->file),
                    std::string_view(one->statement->sql())});
    return Datum{0};
}

} // namespace memory::pg
