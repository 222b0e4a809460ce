// See spellings.h.
#include "facts/spellings.h"

// How the facts of $1, $2 spell the name of this key, as a subject or as an object. Only one index
// answers a comparison of rows that begin with its first column: without statistics, equalities
// with the tenant's columns would let the planner read all of a user's facts by the primary key
// instead.
#define AMONG_SUBJECTS(key)                                                                        \
    "(SELECT f.subject FROM memory.facts f WHERE (f.subject_key, f.user_id, f.namespace)"          \
    " OPERATOR(pg_catalog.>=) (" key ", $2, $1) AND (f.subject_key, f.user_id, f.namespace)"       \
    " OPERATOR(pg_catalog.<=) (" key ", $2, $1)"                                                   \
    " ORDER BY f.subject_key, f.user_id, f.namespace LIMIT 1)"
#define AMONG_OBJECTS(key)                                                                         \
    "(SELECT f.object FROM memory.facts f WHERE (f.object_key, f.user_id, f.namespace)"            \
    " OPERATOR(pg_catalog.>=) (" key ", $2, $1) AND (f.object_key, f.user_id, f.namespace)"        \
    " OPERATOR(pg_catalog.<=) (" key ", $2, $1)"                                                   \
    " ORDER BY f.object_key DESC, f.user_id DESC, f.namespace DESC, f.known_until DESC LIMIT 1)"
// A name is spelled one way wherever it stands: where it stands now is where it is likely to be
// found.
#define OF_SUBJECT(key) "coalesce(" AMONG_SUBJECTS(key) ", " AMONG_OBJECTS(key) ")"
#define OF_OBJECT(key) "coalesce(" AMONG_OBJECTS(key) ", " AMONG_SUBJECTS(key) ")"

namespace memory::facts {

namespace {

constinit pg::Statement find_spellings("SELECT " OF_SUBJECT("$3") ", " OF_OBJECT("$4"));

std::string_view copy_or(std::optional<Datum> found, std::string_view given) {
    return found ? pg::text_view(pg::to_datum(pg::text_view(*found))) : given;
}

} // namespace

// The spelling of this name; empty when it is not known yet.
std::string_view *Spellings::known(const Fact &fact, const Name &name) {
    std::pmr::string key(fact.tenant.user, memory_);
    key.push_back('\0');
    key.append(name.key);
    return &known_[std::move(key)];
}

void Spellings::settle(Fact &fact) {
    std::string_view *subject = known(fact, fact.subject);
    std::string_view *object = known(fact, fact.object);
    if (subject->empty() || object->empty()) {
        const std::array parameters{
            fact.tenant.name_space_parameter(), fact.tenant.user_parameter(),
            pg::Parameter::text(fact.subject.key), pg::Parameter::text(fact.object.key)};
        const pg::Rows rows = find_spellings.run(parameters, pg::Access::write);
        const std::string_view stored_subject = copy_or(rows.value(0, 0), fact.subject.shown);
        const std::string_view stored_object = copy_or(rows.value(0, 1), fact.object.shown);
        if (subject->empty())
            *subject = stored_subject;
        if (object->empty())
            *object = stored_object;
    }
    fact.subject.shown = *subject;
    fact.object.shown = *object;
}

} // namespace memory::facts
