// memory.remember_many: a JSON array of episodes, all or nothing.
//
// Every element is read and checked before the first is written, and what is wrong with one is told
// with its place: "episodes[3].importance must be a number, not a string".
#include "access/call.h"
#include "access/elements.h"
#include "episodes/logged.h"
#include "episodes/remember.h"
#include "episodes/tables.h"
#include "pg/memory.h"
#include "sessions/tables.h"

namespace memory::episodes {

namespace {

constexpr pg::Signature element_signature(remember_arguments);
using Elements = access::Elements<element_signature>;
constexpr const char *hint = "Keys are the names of memory.remember's arguments; what is the "
                             "application's own goes into metadata.";

void store_all(const Elements &elements, std::span<const Episode> episodes, pg::ResultSet &result,
               std::pmr::memory_resource *memory) {
    Remembering remembering(episodes, memory);
    pg::TemporaryContext per_episode("memory.remember_many");
    for (std::size_t n = 0; n < episodes.size(); ++n) {
        pg::check_for_interrupts();
        const pg::SwitchedContext switched(per_episode.get());
        const pg_uuid_t id = elements.naming(n, [&] { return remembering.add(episodes[n]); });
        result.add({id});
        per_episode.reset();
    }
    remembering.finish();
}

} // namespace

MEMORY_CALL(memory_remember_many, "episodes jsonb, user_id text, session_id text") {
    const Elements elements("episodes", call.json("episodes"), hint, call.text("user_id"));
    const auto session = call.text("session_id").not_empty().at_most(access::longest_name);
    schema::require(schema::Need::to_write, sessions::room);
    access::Connection writing(schema::Need::to_write, call, room);
    pg::ContextResource memory(CurrentMemoryContext);
    const auto usual_session = session ? session.optional() : access::session_setting();
    const std::pmr::vector<Episode> episodes = elements.read<Episode>(
        &memory, [&](const Elements::Element &element, const pg::JsonValue &) {
            Episode episode = read_episode(element);
            if (!episode.session_id)
                episode.session_id = usual_session;
            return episode;
        });
    elements.check_may_write(episodes);
    store_all(elements, episodes, writing.rows(), &memory);
    return call.nothing();
}

} // namespace memory::episodes
