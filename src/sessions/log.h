// The log of a session for other rooms: numbers, and rows of memory.messages. Everything here needs
// a live Spi, and the lock of the session (sessions.h), taken by an earlier statement.
#pragma once

#include "sessions/sessions.h"

#include "pg/arrays.h"

namespace memory::sessions {

// One path of a session.
struct Path {
    access::Tenant tenant;
    pg_uuid_t session;     // its key
    std::string_view name; // '': the conversation
};
// As $1 to $4: {of_path:m} (sql.h).
inline void bind(pg::Values &to, const Path &path) {
    to.add(path.tenant);
    to.add(path.session);
    to.add(path.name);
}

// A row of the log.
struct Entry {
    std::int64_t seq;
    pg_uuid_t id;
    std::string_view role;
    pg::Document message;
    std::optional<std::string_view> key;
    std::optional<pg::Instant> occurred_at; // now() without
};

// The last number given on a path other than ''; 0 before the first.
std::int64_t last_seq(const Path &path);

// Takes so many numbers for as many messages. Returns the last of them.
std::int64_t take_numbers(const Path &path, std::int64_t count);

// Writes rows of one run, or of none.
void insert(const Path &path, std::optional<std::string_view> run_id,
            std::span<const Entry> entries);

// Another message at a number that is there. What is not given of key, run and time stays.
void replace(const Path &path, std::optional<std::string_view> run_id, const Entry &entry);

// The message of this number has another id for the time being: nothing that happens to its episode
// takes it along.
void set_id(const Path &path, std::int64_t seq, const pg_uuid_t &id);

// Drops all messages of these ids, whatever their sessions; returns how many they were.
std::int64_t drop(const access::Tenant &tenant, std::span<const pg_uuid_t> ids);

// Drops messages by their numbers.
void drop(const Path &path, std::span<const std::int64_t> seqs);

} // namespace memory::sessions
