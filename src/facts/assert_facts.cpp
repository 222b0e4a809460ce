// memory.assert_facts: a JSON array of facts, all or nothing.
#include "access/call.h"
#include "access/elements.h"
#include "facts/assert.h"
#include "pg/memory.h"

namespace memory::facts {

namespace {

constexpr pg::Signature element_signature(assert_fact_arguments);
using Elements = access::Elements<element_signature>;
constexpr const char *hint = "Keys are the names of memory.assert_fact's arguments; what is the "
                             "application's own goes into metadata.";

void check_all_sources(const Elements &elements, std::span<const Fact> facts) {
    for (std::size_t n = 0; n < facts.size(); ++n) {
        pg::check_for_interrupts();
        elements.naming(n, [&] { check_sources(facts[n]); });
    }
}

} // namespace

MEMORY_CALL(memory_assert_facts, "facts jsonb, user_id text") {
    const Elements elements("facts", call.json("facts"), hint, call.text("user_id"));
    access::Connection writing(schema::Need::to_write, call, room);
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<Fact> facts =
        elements.read<Fact>(&memory, [](const Elements::Element &element, const pg::JsonValue &) {
            return read_fact(element);
        });
    elements.check_may_write(facts);
    check_all_sources(elements, facts);
    for (const std::optional<pg_uuid_t> &id : assert_all(facts, &memory))
        writing.rows().add(pg::Values{id});
    return call.nothing();
}

} // namespace memory::facts
