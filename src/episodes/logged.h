// Episodes with their places in the logs of their sessions: their content, the elements of their
// transcript and their response are messages of path '', which have the episode's id.
#pragma once

#include "episodes/episode.h"
#include "pg/uuid.h"
#include "sessions/log.h"

#include <set>

namespace memory::episodes {

// Writes a checked episode, and its messages where it has a session. Returns its id. Needs a live
// Spi.
pg_uuid_t remember(const Episode &episode);

// The same for the episodes of one call.
class Remembering {
  public:
    // Locks their sessions, in the order of users and names. The episodes must outlive it.
    Remembering(std::span<const Episode> episodes, std::pmr::memory_resource *memory);

    // Writes one of them and returns its id. Rows of the log may be kept back until finish().
    pg_uuid_t add(const Episode &episode);
    void finish();

  private:
    // One of their sessions, locked.
    struct Session {
        const access::Tenant *tenant;
        std::string_view name;
        std::optional<std::string_view> agent;
        pg_uuid_t key{};
        std::int64_t last_seq = 0;
        std::pmr::vector<sessions::Entry> kept_back; // of which its row does not know yet

        sessions::Path path() const { return {*tenant, key, ""}; }
    };

    Session *session_of(const Episode &episode);
    static void flush(Session &session);
    static void append(Session &session, sessions::Entry entry);
    // Puts messages in the place of those that the id has; returns how many of them.
    std::size_t replace(const access::Tenant &tenant, const pg_uuid_t &id, const Session *session,
                        std::span<sessions::Entry> entries);

    std::pmr::memory_resource *memory_;
    MemoryContext context_; // where kept back rows are
    std::pmr::vector<Session> sessions_;
    std::pmr::set<pg_uuid_t, pg::ById> ids_; // of the episodes so far that brought theirs
};

} // namespace memory::episodes
