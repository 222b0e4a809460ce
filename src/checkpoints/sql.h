// The operator _sql of this room, and its fragments (pg/sql.h).
#pragma once

#include "access/sql.h"
#include "filter/sql.h"
#include "sessions/sql.h"

namespace memory::checkpoints {

inline constexpr pg::sql::Fragment fragments[]{
    // The rows of one session, $3 its key.
    {"of_session", "{tenant:{0}} AND {0}.session = $3"},
    // Of one of its paths, $4.
    {"of_path", "{of_session:{0}} AND {same:{0}.path,$4}"},
    // The writes w of checkpoint $5 of that path, in their order; {0} is what else they must be.
    {"writes", "FROM memory.checkpoint_writes w WHERE {of_path:w} AND {same:w.checkpoint,$5} {0}"
               " ORDER BY w.task, w.idx"},
    // The numbers of a session's parts for which count(*), of the part itself and of each reference
    // to it by a checkpoint c of which {0} is true, is {1}. Grouped: the planner knows nothing of
    // names, and would compare each part with each checkpoint.
    {"parts_referred_to",
     "ARRAY(SELECT max(u.number) FROM ("
     "SELECT p.path, p.name, p.version, p.number FROM memory.checkpoint_parts p"
     " WHERE {of_session:p}"
     " UNION ALL SELECT c.path, r.key, r.value, NULL FROM memory.checkpoints c"
     " CROSS JOIN LATERAL jsonb_each_text(c.refs) r (key, value)"
     " WHERE {of_session:c} AND {0}) u"
     " GROUP BY u.path, u.name, u.version"
     " HAVING count(u.number) = 1 AND count(*) {1})"},
    // The bytes of a store, $3.
    {"of_store", "{tenant:{0}} AND {0}.store = $3"},
};

// With fragments of one file's own, too.
template <pg::SqlText written, const auto &...own>
consteval pg::Sql compose_with() {
    return pg::compose<written, access::fragments, filter::fragments, sessions::fragments,
                       fragments, own...>();
}

template <pg::SqlText written>
consteval pg::Sql operator""_sql() {
    return compose_with<written>();
}

} // namespace memory::checkpoints
