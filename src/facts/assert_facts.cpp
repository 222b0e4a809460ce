// memory.assert_facts: a JSON array of facts, all or nothing.
#include "access/session_identity.h"
#include "facts/assert.h"
#include "pg/attempt.h"
#include "pg/json_element.h"
#include "pg/memory.h"

namespace memory::facts {

namespace {

constexpr pg::Signature element_signature(assert_fact_arguments);
using Element = pg::JsonElement<element_signature>;
constexpr const char *hint = "Keys are the names of memory.assert_fact's arguments; what is the "
                             "application's own goes into metadata.";

// `user` is that of elements that name none.
Fact read(const Element &element, const pg::Given<std::string_view> &user) {
    Fact fact = read_fact(element);
    const auto own = element.text("user_id");
    // What may be wrong with the default is that there is none.
    fact.tenant =
        own ? access::tenant(own)
            : pg::naming(element.place().text().data(), [&] { return access::tenant(user); });
    return fact;
}

std::pmr::vector<Fact> read_all(const pg::JsonValue &array, const pg::Given<std::string_view> &user,
                                std::pmr::memory_resource *memory) {
    std::pmr::vector<Fact> facts(memory);
    pg::JsonWalk walk(array);
    while (const auto value = walk.next_element()) {
        pg::check_for_interrupts();
        facts.push_back(read(Element("facts", facts.size(), *value, hint), user));
    }
    return facts;
}

void check_all_sources(std::span<const Fact> facts) {
    for (std::size_t n = 0; n < facts.size(); ++n) {
        pg::check_for_interrupts();
        pg::naming(pg::Place{{}, "facts", n}.text().data(), [&] { check_sources(facts[n]); });
    }
}

} // namespace

MEMORY_CALL(memory_assert_facts, "facts jsonb, user_id text") {
    const pg::JsonValue array = pg::json_root(call.json("facts").required().jsonb);
    if (!array.is_array())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "facts must be an array, not %s",
                        array.described());
    const auto user = call.text("user_id");
    if (user) // even when no element needs it
        access::tenant(user);
    access::Connection writing(schema::Need::to_write, call, room);
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<Fact> facts = read_all(array, user, &memory);
    const access::SessionIdentity identity;
    for (std::size_t n = 0; n < facts.size(); ++n) {
        access::warn_of_anonymous_write(facts[n].tenant);
        if (!identity.may_write(facts[n].tenant))
            pg::naming(pg::Place{{}, "facts", n}.text().data(), [&] { identity.refuse(); });
    }
    check_all_sources(facts);
    for (const std::optional<pg_uuid_t> &id : assert_all(facts, &memory))
        writing.rows().add(pg::Values{id});
    return call.nothing();
}

} // namespace memory::facts
