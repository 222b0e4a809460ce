// memory.remember_many: a JSON array of episodes, all or nothing.
//
// Every element is read and checked before the first is written, and what is wrong with one is told
// with its place: "episodes[3].importance must be a number, not a string".
#include "access/session_identity.h"
#include "episodes/logged.h"
#include "episodes/remember.h"
#include "episodes/tables.h"
#include "pg/attempt.h"
#include "pg/json_element.h"
#include "pg/memory.h"
#include "sessions/tables.h"

namespace memory::episodes {

namespace {

constexpr pg::Signature element_signature(remember_arguments);
using Element = pg::JsonElement<element_signature>;
constexpr const char *hint = "Keys are the names of memory.remember's arguments; what is the "
                             "application's own goes into metadata.";

// Scope for elements that name none.
struct Defaults {
    pg::Given<std::string_view> user;
    std::optional<std::string_view> session_id;
};

Episode read(const Element &element, const Defaults &defaults) {
    Episode episode = read_episode(element);
    if (!episode.session_id)
        episode.session_id = defaults.session_id;
    const auto user = element.text("user_id");
    // What may be wrong with the default is that there is none.
    episode.tenant = user ? access::tenant(user) : pg::naming(element.place().text().data(), [&] {
        return access::tenant(defaults.user);
    });
    return episode;
}

std::pmr::vector<Episode> read_all(const pg::JsonValue &array, const Defaults &defaults,
                                   std::pmr::memory_resource *memory) {
    std::pmr::vector<Episode> episodes(memory);
    pg::JsonWalk walk(array);
    while (const auto value = walk.next_element()) {
        pg::check_for_interrupts();
        episodes.push_back(read(Element("episodes", episodes.size(), *value, hint), defaults));
    }
    return episodes;
}

void store_all(std::span<const Episode> episodes, pg::ResultSet &result,
               std::pmr::memory_resource *memory) {
    Remembering remembering(episodes, memory);
    pg::TemporaryContext per_episode("memory.remember_many");
    for (std::size_t n = 0; n < episodes.size(); ++n) {
        pg::check_for_interrupts();
        const pg::SwitchedContext switched(per_episode.get());
        const pg_uuid_t id = pg::naming(pg::Place{{}, "episodes", n}.text().data(),
                                        [&] { return remembering.add(episodes[n]); });
        result.add({id});
        per_episode.reset();
    }
    remembering.finish();
}

} // namespace

MEMORY_CALL(memory_remember_many, "episodes jsonb, user_id text, session_id text") {
    const pg::JsonValue array = pg::json_root(call.json("episodes").required().jsonb);
    if (!array.is_array())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "episodes must be an array, not %s",
                        array.described());
    const auto session = call.text("session_id").not_empty().at_most(access::longest_name);
    const auto user = call.text("user_id");
    if (user) // even when no element needs it
        access::tenant(user);
    schema::require(schema::Need::to_write, sessions::room);
    access::Connection writing(schema::Need::to_write, call, room);
    pg::ContextResource memory(CurrentMemoryContext);
    const std::pmr::vector<Episode> episodes =
        read_all(array, {user, session ? session.optional() : access::session_setting()}, &memory);
    const access::SessionIdentity identity;
    for (std::size_t n = 0; n < episodes.size(); ++n) {
        access::warn_of_anonymous_write(episodes[n].tenant);
        if (!identity.may_write(episodes[n].tenant))
            pg::naming(pg::Place{{}, "episodes", n}.text().data(), [&] { identity.refuse(); });
    }
    store_all(episodes, writing.rows(), &memory);
    return call.nothing();
}

} // namespace memory::episodes
