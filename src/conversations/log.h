// The log of a session for functions of this room: messages read out of JSON, appended, replaced,
// dropped, and the newest of them.
//
// A call reads and checks its messages first, then locks the session (sessions::lock), and then
// writes them.
#pragma once

#include "pg/json.h"
#include "sessions/element.h"
#include "sessions/log.h"

namespace memory::conversations {

// An element of `messages`, checked. Views live as long as the argument, or in the memory context
// that was current when it was read.
struct Message : sessions::Element {
    pg::Document document; // the element as it was given
};

// All elements, in order. An error that names the place ("messages[3] must be an object, not a
// string") when one is not as it must be. `key_field` names the field whose value is the key.
std::pmr::vector<Message> read_messages(const pg::Given<pg::Document> &messages,
                                        std::optional<std::string_view> key_field,
                                        std::pmr::memory_resource *memory);

// Where messages are written: a path of a session that is locked.
struct Place {
    access::Tenant tenant;
    std::string_view session_id;
    sessions::Locked session;
    std::string_view path;                 // '': the conversation
    std::optional<std::string_view> agent; // whose episodes they become
};

// The place of a message in the log.
struct Written {
    std::int64_t seq;
    pg_uuid_t id;
};

// Locks the session, which is made where it is missing, and appends the messages, whatever their
// keys: to be taken where nothing depends on what the log has. Needs a live Spi, as all that
// follows.
std::pmr::vector<Written> lock_and_append(Place &place, std::optional<std::string_view> run_id,
                                          std::span<const Message> messages,
                                          std::pmr::memory_resource *memory);

// The same in a session that is locked.
std::pmr::vector<Written> append(const Place &place, std::optional<std::string_view> run_id,
                                 std::span<const Message> messages,
                                 std::pmr::memory_resource *memory);

// A message takes the place of one that is there, with number and id, and its episode that of the
// other's.
void replace(const Place &place, std::optional<std::string_view> run_id, const Written &there,
             const Message &message);

// The messages of a run: the n-th takes the place of the run's n-th on the path, those beyond are
// appended.
void put_run_messages(const Place &place, std::string_view run_id,
                      std::span<const Message> messages);

// Drops the messages of a run from all paths of the session, and their episodes; returns how many
// they were.
std::int64_t drop_run_messages(const Place &place, std::string_view run_id);

// A message of the log; in the current memory context.
struct Logged {
    std::int64_t seq;
    pg_uuid_t id;
    std::string_view role;
    std::optional<std::string_view> content;
    pg::Document document;
    pg::Instant occurred_at;
};

// The newest messages of path '' of a session, oldest first.
std::pmr::vector<Logged> newest_messages(pg::SnapshotOf snapshot, const access::Tenant &tenant,
                                         const sessions::Found &session, std::int64_t count,
                                         std::pmr::memory_resource *memory);

} // namespace memory::conversations
