// See spellings.h.
#include "facts/spellings.h"

// How the facts of $1, $2 spell the name of this key, as a subject or as an object.
#define SPELLING(key)                                                                              \
    "coalesce((SELECT f.subject FROM memory.facts f WHERE f.namespace OPERATOR(pg_catalog.=) $1"   \
    " AND f.user_id OPERATOR(pg_catalog.=) $2 AND f.subject_key OPERATOR(pg_catalog.=) " key       \
    " LIMIT 1), (SELECT f.object FROM memory.facts f WHERE f.namespace OPERATOR(pg_catalog.=) $1"  \
    " AND f.user_id OPERATOR(pg_catalog.=) $2 AND f.object_key OPERATOR(pg_catalog.=) " key        \
    " ORDER BY f.known_until DESC LIMIT 1))"

namespace memory::facts {

namespace {

constinit pg::Statement find_spellings("SELECT " SPELLING("$3") ", " SPELLING("$4"));

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
