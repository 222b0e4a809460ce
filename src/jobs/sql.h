// Fragments of statements about jobs (pg/sql.h), and the operator _sql of this room.
#pragma once

#include "access/sql.h"

namespace memory::jobs {

inline constexpr pg::sql::Fragment fragments[]{
    // The job $3, $4, $5 of the tenant, as a Job is sent.
    {"job", "{tenant:j} AND j.task = $3 AND j.thing = $4 AND j.target = $5"},
    // Without a claim, and as new.
    {"unclaimed", "attempts = 0, leased_until = NULL, token = NULL, digest = NULL, upto = NULL,"
                  " covers = NULL, error = NULL"},
    // A time in a payload, the same whatever the session's time zone.
    {"utc", "pg_catalog.to_char(pg_catalog.timezone('UTC', {0}),"
            " 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"},
    // Expired episodes and items are invisible to every call.
    {"lives", "({0}.expires_at IS NULL OR {0}.expires_at > statement_timestamp())"},
};

template <pg::SqlText written>
consteval pg::Sql operator""_sql() {
    return pg::compose<written, access::fragments, fragments>();
}

} // namespace memory::jobs
