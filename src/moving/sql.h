// The operator _sql of this room: it speaks of what other rooms have.
#pragma once

#include "blocks/sql.h"
#include "episodes/sql.h"
#include "facts/sql.h"

namespace memory::moving {

inline constexpr pg::sql::Fragment fragments[]{
    // Episodes that are knowledge more than events: they stand among the notes, and under no day.
    {"lasts", "({0}.kind <> 'episodic'"
              " AND {0}.kind = ANY ('{long_term,semantic,procedural}'::text[]))"},
    // The heading under which an episode stands in a file.
    {"section", "CASE WHEN pg_catalog.jsonb_typeof({0}.metadata -> 'section') = 'string'"
                " THEN {0}.metadata ->> 'section' END"},
    // What a file says of an episode.
    {"entry", "{0}.id, {0}.content, {0}.response, {0}.kind, {0}.role, {section:{0}},"
              " {0}.occurred_at"},
};

template <pg::SqlText written>
consteval pg::Sql operator""_sql() {
    return pg::compose<written, access::fragments, filter::fragments, episodes::fragments,
                       facts::fragments, blocks::fragments, fragments>();
}

} // namespace memory::moving
