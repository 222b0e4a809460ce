// One assertion on its way into memory: what a caller gave, checked and completed.
#pragma once

#include "access/call.h"
#include "facts/algebra/line.h"
#include "facts/names.h"
#include "facts/tables.h"
#include "models/comparison.h"
#include "pg/uuid.h"

namespace memory::facts {

using algebra::Instant;
using algebra::Span;

// The arguments of assert_fact(), which are the keys of an element of assert_facts(), too.
inline constexpr char assert_fact_arguments[] =
    "subject text, predicate text, object text, user_id text, valid_from timestamptz,"
    " valid_until timestamptz, confidence float8, sources uuid[], metadata jsonb,"
    " embedding vector, id uuid";

// What is not held by value belongs to the caller's memory context.
struct Fact {
    access::Tenant tenant;
    Name subject;
    std::string_view predicate;
    Name object;
    Instant from;
    std::optional<Instant> until; // without: until the next known change
    double confidence = 1;
    std::span<const pg_uuid_t> sources;   // in order, each once
    std::optional<pg::Document> metadata; // '{}' without
    const pg::Vector *embedding = nullptr;
    std::optional<pg_uuid_t> id;
};

// now(), where a time is not given.
Instant instant_or_now(const pg::Given<pg::Instant> &given);
// Nothing where it is not given.
std::optional<Instant> instant(const pg::Given<pg::Instant> &given);

// An error when [from, until) is no time at all; `place` is where either was given.
void check_span(const pg::Place &place, Instant from, Instant until);

// The fields of assert_fact()'s arguments, or of an element of assert_facts()'s, but for its user.
template <class Fields>
Fact read_fact(const Fields &given) {
    Fact fact{};
    fact.subject = subject_name(given.text("subject"));
    fact.predicate = predicate_name(given.text("predicate"));
    fact.object = object_name(given.text("object"));
    fact.from = instant_or_now(given.instant("valid_from"));
    fact.until = instant(given.instant("valid_until"));
    check_span(given.instant("valid_until").place(), fact.from,
               fact.until.value_or(algebra::forever));
    fact.confidence = given.real("confidence").between(0, 1).or_else(fact.confidence);
    fact.sources = pg::unique_ids(given.uuids("sources").or_else({}));
    fact.metadata = given.json("metadata").object();
    fact.embedding = models::checked_embedding(given.vector("embedding"));
    fact.id = given.uuid("id");
    return fact;
}

// An error unless the sources are episodes of the fact's user. Needs a live Spi.
void check_sources(const Fact &fact);

// Whether metadata.override is true.
bool overrides(const Fact &fact);

} // namespace memory::facts
