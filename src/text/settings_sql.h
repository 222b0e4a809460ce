// The room's settings, and what they forbid. Only the shell includes this.
#pragma once

#include <optional>
#include <string_view>

namespace memory::text {

// Declares memory.max_query. Called once, when the library is loaded.
void define_settings();

// `query`; an error that names `argument` if it is longer than memory.max_query allows. For
// everything that takes a query from a user, and when a stored query is read.
std::string_view checked_query(std::string_view query, const char *argument = "query");
std::optional<std::string_view> checked_query(std::optional<std::string_view> query,
                                              const char *argument = "query");

// A query that has something other than blanks.
std::optional<std::string_view> unless_blank(std::optional<std::string_view> query);

} // namespace memory::text
