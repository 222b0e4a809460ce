// Fragments of statements about facts (pg/sql.h), and the operator _sql of this room.
#pragma once

#include "access/sql.h"

namespace memory::facts {

inline constexpr pg::sql::Fragment fragments[]{
    // What is believed now, and what was believed at {1}.
    {"known_now", "{0}.known_until = 'infinity'"},
    {"known_at", "{0}.known_until > {1} AND {0}.known_from <= {1}"},
    // At any time when it is NULL. What has no end is valid at infinity, too.
    {"valid_at", "({1}::timestamptz IS NULL OR ({0}.valid_from <= {1}"
                 " AND ({0}.valid_until > {1} OR {0}.valid_until = 'infinity')))"},
    // An end of a span as callers see it: NULL where there is none. Most drivers cannot read an
    // infinite time.
    {"end_of", "CASE WHEN {0} <> 'infinity' AND {0} <> '-infinity' THEN {0} END"},
    // The episodes that version {0} comes from.
    {"sources_of", "SELECT s.episode_id FROM memory.fact_sources s"
                   " WHERE {tenant:s} AND s.fact_id = {0}"},
    // The columns of type memory.fact, in its order.
    {"fact",
     "{0}.id, {0}.subject, {0}.predicate, {0}.object, {0}.confidence,"
     " {end_of:{0}.valid_from}, {end_of:{0}.valid_until}, {0}.known_from, {end_of:{0}.known_until},"
     " ARRAY({sources_of:{0}.id} ORDER BY 1), {0}.metadata,"
     " CASE WHEN {0}.user_id <> '' THEN {0}.user_id END"},
    // One subject and predicate, which are $3 and $4.
    {"of_topic", "{tenant:{0}} AND {0}.subject_key = $3 AND {0}.predicate = $4"},
    // Facts at $6, as believed now or at $7, newest first, $8 of them; {0} is what else they must
    // be,
    // {1} the order of the index to use, so that it is also used where there are no statistics yet.
    {"facts_now", "SELECT {fact:f} FROM (SELECT f.* FROM memory.facts f WHERE {tenant:f} {0}"
                  " AND {known_now:f} AND {valid_at:f,$6} {1}) f {newest:f,$8}"},
    {"facts_then", "SELECT {fact:f} FROM (SELECT f.* FROM memory.facts f WHERE {tenant:f} {0}"
                   " AND {known_at:f,$7} AND {valid_at:f,$6} {1}) f {newest:f,$8}"},
    {"newest", "ORDER BY {0}.valid_from DESC, {0}.id DESC LIMIT {1}"},
    {"subject", "AND f.subject_key = $3"},
    {"predicate", "AND f.predicate = $4"},
    {"object", "AND f.object_key = $5"},
    {"along_subject", "ORDER BY f.predicate"},
    {"along_line", "ORDER BY f.known_until, f.valid_until"},
    {"along_object", "ORDER BY f.known_until"},
    // What is current on lines of a topic, and valid at or after $5.
    {"current_versions", "SELECT f.id, f.subject_key, f.subject, f.object_key, f.object,"
                         " f.valid_from, f.valid_until, f.known_from, f.confidence, f.metadata,"
                         " ARRAY({sources_of:f.id}), f.ctid"
                         " FROM memory.facts f"
                         " WHERE {of_topic:f} AND {known_now:f} AND f.valid_until >= $5"},
    // One change more of line {0}: it is known later than all before.
    {"next_change",
     "last_known = greatest(clock_timestamp(), {0}.last_known + '1 microsecond'::interval),"
     " changes = {0}.changes + 1"},
    // Whether subjects have many objects under predicate {0} of namespace $1.
    {"is_many", "EXISTS (SELECT FROM memory.predicates p"
                " WHERE p.namespace = $1 AND p.predicate = {0} AND p.cardinality = 'many')"},
    // The entity that name {0} is a name of.
    {"root_of", "coalesce((SELECT a.kept_key FROM memory.entity_aliases a"
                " WHERE {tenant:a} AND a.alias_key = {0}), {0})"},
};

template <pg::SqlText written>
consteval pg::Sql operator""_sql() {
    return pg::compose<written, access::fragments, fragments>();
}

} // namespace memory::facts
