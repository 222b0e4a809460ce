// The argument `filter` of every function that has one, as conditions of a statement.
//
//     const filter::Conditions conditions = filter::conditions_of(call.json("filter"));
//     … WHERE {tenant:e} AND {filtered:e.metadata,$3,$4,$5} …
//
// It is parsed and checked once a call, before anything is done. What PostgreSQL's operators can
// decide is left to them; docs/filter.md says how.
#pragma once

#include "pg/given.h"
#include "pg/values.h"

namespace memory::filter {

// All of them hold of a value that passes; what is not there holds. In the memory context that was
// current when they were made.
struct Conditions {
    std::optional<pg::Document> contained; // the value contains it
    std::optional<Datum> path;             // a jsonpath that is true of the value
    std::optional<pg::Document> rest;      // a filter for memory_internal.passes_filter()

    bool any() const noexcept { return contained || path || rest; }
};

// Of a filter that is not given: none. An error when it is no filter (22023, or 54000 when it is
// nested too deep).
Conditions conditions_of(const pg::Given<pg::Document> &given);

// As three parameters, which the fragment {filtered:value,$a,$b,$c} (sql.h) names.
inline void bind(pg::Values &to, const Conditions &conditions) {
    to.add(conditions.contained);
    to.add(pg::Parameter::of(JSONPATHOID, conditions.path));
    to.add(conditions.rest);
}

} // namespace memory::filter
