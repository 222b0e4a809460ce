// memory.max_query: a query's cost at each document that it meets is proportional to its terms, so
// a document given as a query by mistake is refused rather than searched for.
#include "text/settings_sql.h"

#include "pg/backend.h"
#include "pg/error.h"

#include <climits>

namespace memory::text {

namespace {

constinit int max_query = 64 * 1024; // bytes

} // namespace

void define_settings() {
    DefineCustomIntVariable("memory.max_query", "The longest text of a query.",
                            "A longer one is an error, in every function and operator that takes "
                            "a query.",
                            &max_query, max_query, 1, INT_MAX, PGC_USERSET, GUC_UNIT_BYTE, nullptr,
                            nullptr, nullptr);
}

std::string_view checked_query(std::string_view query, const char *argument) {
    if (query.size() > static_cast<std::size_t>(max_query))
        throw pg::Error(ERRCODE_PROGRAM_LIMIT_EXCEEDED,
                        "%s has %zu bytes, more than memory.max_query allows (%d)", argument,
                        query.size(), max_query)
            .hint("Ask with less text, or raise memory.max_query.");
    return query;
}

std::optional<std::string_view> checked_query(std::optional<std::string_view> query,
                                              const char *argument) {
    return query ? std::optional(checked_query(*query, argument)) : std::nullopt;
}

std::optional<std::string_view> unless_blank(std::optional<std::string_view> query) {
    if (!query || query->find_first_not_of(" \t\r\n\f\v") == query->npos)
        return std::nullopt;
    return query;
}

} // namespace memory::text
