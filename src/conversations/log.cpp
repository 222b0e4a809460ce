// Messages on their way into the log, with their episodes.
#include "conversations/log.h"

#include "conversations/sql.h"
#include "episodes/episode.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "pg/uuid7.h"

namespace memory::conversations {

namespace {

using pg::SnapshotOf;

// $5 the run.
MEMORY_STATEMENT(find_of_run, R"(
    SELECT m.seq, m.id FROM memory.messages m
    WHERE {of_path:m} AND {same:m.run_id,$5} ORDER BY m.seq)"_sql,
                 pg::Statement::once);

// $4 the run.
MEMORY_STATEMENT(ids_of_run, R"(
    SELECT m.id FROM memory.messages m WHERE {of_session:m} AND {same:m.run_id,$4})"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(find_time, R"(
    SELECT m.occurred_at FROM memory.messages m WHERE {of_path:m} AND m.seq = $5)"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(find_newest, R"(
    SELECT m.seq, m.id, m.role, memory_internal.message_content(m.message), m.message,
        m.occurred_at
    FROM memory.messages m
    WHERE {of_session:m} AND m.path = '' ORDER BY m.seq DESC LIMIT $4)"_sql,
                 pg::Statement::once);

sessions::Path path_of(const Place &place) { return {place.tenant, place.session.key, place.path}; }

episodes::Episode episode_of(const Place &place, const Message &message) {
    episodes::Episode episode;
    episode.tenant = place.tenant;
    episode.content = *message.content;
    episode.session_id = place.session_id;
    episode.agent_id = place.agent;
    episode.role = message.role;
    episode.occurred_at = message.occurred_at;
    episode.of_message = true;
    return episode;
}

// Without numbers. The episodes are written here.
std::pmr::vector<sessions::Entry> entries_of(const Place &place, std::span<const Message> messages,
                                             std::pmr::memory_resource *memory) {
    std::pmr::vector<sessions::Entry> entries(memory);
    entries.reserve(messages.size());
    pg::TemporaryContext of_message("memory: one message");
    for (const Message &message : messages) {
        pg::check_for_interrupts();
        const pg_uuid_t id = pg::new_id();
        entries.push_back(
            {0, id, message.role, message.document, message.key, message.occurred_at});
        if (!message.recallable())
            continue;
        const pg::SwitchedContext switched(of_message.get());
        episodes::store_new(episode_of(place, message), id);
        of_message.reset();
    }
    return entries;
}

// The numbers up to `last` are theirs.
std::pmr::vector<Written> insert(const Place &place, std::optional<std::string_view> run_id,
                                 std::span<sessions::Entry> entries, std::int64_t last,
                                 std::pmr::memory_resource *memory) {
    std::pmr::vector<Written> written(memory);
    written.reserve(entries.size());
    std::int64_t seq = last - static_cast<std::int64_t>(entries.size());
    for (sessions::Entry &entry : entries) {
        entry.seq = ++seq;
        written.push_back({seq, entry.id});
    }
    sessions::insert(path_of(place), run_id, entries);
    return written;
}

} // namespace

// Writers of a session wait for each other from its lock on: what needs no number comes before.
std::pmr::vector<Written> lock_and_append(Place &place, std::optional<std::string_view> run_id,
                                          std::span<const Message> messages,
                                          std::pmr::memory_resource *memory) {
    std::pmr::vector<sessions::Entry> entries = entries_of(place, messages, memory);
    const auto count = static_cast<std::int64_t>(entries.size());
    const bool of_conversation = place.path.empty();
    place.session =
        sessions::lock(place.tenant, place.session_id, place.agent, of_conversation ? count : 0);
    const std::int64_t last = of_conversation || count == 0
                                  ? place.session.last_seq
                                  : sessions::take_numbers(path_of(place), count);
    return insert(place, run_id, entries, last, memory);
}

std::pmr::vector<Written> append(const Place &place, std::optional<std::string_view> run_id,
                                 std::span<const Message> messages,
                                 std::pmr::memory_resource *memory) {
    if (messages.empty())
        return std::pmr::vector<Written>(memory);
    std::pmr::vector<sessions::Entry> entries = entries_of(place, messages, memory);
    const std::int64_t last =
        sessions::take_numbers(path_of(place), static_cast<std::int64_t>(entries.size()));
    return insert(place, run_id, entries, last, memory);
}

void replace(const Place &place, std::optional<std::string_view> run_id, const Written &there,
             const Message &message) {
    const sessions::Path path = path_of(place);
    const auto put = [&](const pg_uuid_t &id) {
        sessions::replace(
            path, run_id,
            {there.seq, id, message.role, message.document, message.key, message.occurred_at});
    };
    if (message.recallable()) {
        put(there.id);
        episodes::Episode episode = episode_of(place, message);
        episode.id = there.id;
        const pg::Rows time = find_time.run(SnapshotOf::now, {path, there.seq});
        episode.occurred_at = pg::Instant{time.get<pg::Time>(0)};
        episodes::store_or_replace(episode);
        return;
    }
    // Its episode goes, and would take the message along.
    put(pg::new_id());
    episodes::erase(place.tenant, std::span(&there.id, 1));
    sessions::set_id(path, there.seq, there.id);
}

void put_run_messages(const Place &place, std::string_view run_id,
                      std::span<const Message> messages) {
    const pg::Rows rows = find_of_run.run(SnapshotOf::now, {path_of(place), run_id});
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<Written> there(&memory);
    for (std::uint64_t n = 0; n < std::min<std::uint64_t>(rows.size(), messages.size()); ++n) {
        const auto [seq, id] = rows.get<pg::Int8, pg::Uuid>(n);
        there.push_back({seq, id});
    }
    for (std::size_t n = 0; n < there.size(); ++n)
        replace(place, run_id, there[n], messages[n]);
    append(place, run_id, messages.subspan(there.size()), &memory);
}

std::int64_t drop_run_messages(const Place &place, std::string_view run_id) {
    const pg::Rows rows =
        ids_of_run.run(SnapshotOf::now, {place.tenant, place.session.key, run_id});
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<pg_uuid_t> ids(&memory);
    for (std::uint64_t n = 0; n < rows.size(); ++n)
        ids.push_back(rows.get<pg::Uuid>(n));
    if (ids.empty())
        return 0;
    const std::int64_t dropped = sessions::drop(place.tenant, ids);
    episodes::erase(place.tenant, ids);
    return dropped;
}

std::pmr::vector<Logged> newest_messages(SnapshotOf snapshot, const access::Tenant &tenant,
                                         const sessions::Found &session, std::int64_t count,
                                         std::pmr::memory_resource *memory) {
    const pg::Rows rows = find_newest.run(snapshot, {tenant, session.key, count});
    std::pmr::vector<Logged> newest(memory);
    for (std::uint64_t n = rows.size(); n-- > 0;) {
        const auto [seq, id, role, content, message, time] =
            rows.get<pg::Int8, pg::Uuid, pg::Text, std::optional<pg::Text>, pg::Json, pg::Time>(n);
        newest.push_back({seq,
                          id,
                          pg::copied_text(role),
                          content ? std::optional(pg::copied_text(*content)) : std::nullopt,
                          pg::copied({message}),
                          {time}});
    }
    return newest;
}

} // namespace memory::conversations
