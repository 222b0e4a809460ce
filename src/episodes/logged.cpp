// The messages of an episode.
#include "episodes/logged.h"

#include "episodes/sql.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "pg/uuid7.h"
#include "sessions/element.h"

extern "C" {
#include "access/xact.h"
}

namespace memory::episodes {

namespace {

using pg::SnapshotOf;
using sessions::Entry;

// Rows that are kept back before they are written.
constexpr std::size_t most_kept_back = 256;

MEMORY_STATEMENT(find_messages, R"(
    SELECT m.session, m.path, m.seq FROM memory.messages m WHERE {tenant:m} AND m.id = $3
    ORDER BY m.session, m.path, m.seq)"_sql,
                 pg::Statement::once);

// {"role": …, "content": …}
pg::Document message_of(std::string_view role, std::string_view content) {
    const auto add = [](JsonbParseState **state, JsonbIteratorToken token, std::string_view text) {
        JsonbValue value{};
        value.type = jbvString;
        value.val.string.val = const_cast<char *>(text.data());
        value.val.string.len = static_cast<int>(text.size());
        return pushJsonbValue(state, token, &value);
    };
    return {pg::call([&] {
        JsonbParseState *state = nullptr;
        pushJsonbValue(&state, WJB_BEGIN_OBJECT, nullptr);
        add(&state, WJB_KEY, "role");
        add(&state, WJB_VALUE, role);
        add(&state, WJB_KEY, "content");
        add(&state, WJB_VALUE, content);
        return JsonbPGetDatum(JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, nullptr)));
    })};
}

// Calls visit(element) for the objects of an array; other JSON has none.
template <class Visit>
void each_object_in(const std::optional<pg::Document> &json, Visit visit) {
    if (!json)
        return;
    const pg::JsonValue array = pg::json_root(json->jsonb);
    if (!array.is_array())
        return;
    pg::JsonWalk walk(array);
    while (const auto element = walk.next_element())
        if (element->is_object())
            visit(*element);
}

// A user, where the application's word for the role is none that is known.
std::string_view speaker_of(const Episode &episode) {
    const std::string_view role = sessions::role_of(episode.role.value_or("user"));
    return role == "other" ? "user" : role;
}

// Without numbers; in the current memory context.
std::pmr::vector<Entry> messages_of(const Episode &episode, const pg_uuid_t &id,
                                    std::pmr::memory_resource *memory) {
    std::pmr::vector<Entry> entries(memory);
    const pg::Instant time =
        episode.occurred_at.value_or(pg::Instant{GetCurrentTransactionStartTimestamp()});
    const auto add = [&](std::string_view role, pg::Document message) {
        entries.push_back({0, id, role, message, std::nullopt, time});
    };
    const auto say = [&](std::string_view role, std::string_view content) {
        add(role, message_of(role, content));
    };
    if (!episode.content.empty())
        say(speaker_of(episode), episode.content);
    each_object_in(episode.transcript, [&](const pg::JsonValue &element) {
        add(sessions::message_text(element).role, {element.to_jsonb()});
    });
    if (!episode.response.value_or("").empty())
        say("assistant", *episode.response);
    return entries;
}

struct Place {
    pg_uuid_t session;
    std::string_view path;
    std::int64_t seq;
};

// The messages of an id.
std::pmr::vector<Place> places_of(const access::Tenant &tenant, const pg_uuid_t &id,
                                  std::pmr::memory_resource *memory) {
    std::pmr::vector<Place> places(memory);
    const pg::Rows rows = find_messages.run(SnapshotOf::now, {tenant, id});
    for (std::uint64_t n = 0; n < rows.size(); ++n) {
        const auto [session, path, seq] = rows.get<pg::Uuid, pg::Text, pg::Int8>(n);
        places.push_back({session, pg::copied_text(path), seq});
    }
    return places;
}

bool is_at(const Place &place, const pg_uuid_t *session) {
    return session != nullptr && place.path.empty() &&
           std::memcmp(&place.session, session, sizeof(pg_uuid_t)) == 0;
}

bool before(const access::Tenant &a, std::string_view a_name, const access::Tenant &b,
            std::string_view b_name) {
    return std::tie(a.name_space, a.user, a_name) < std::tie(b.name_space, b.user, b_name);
}

} // namespace

Remembering::Remembering(std::span<const Episode> episodes, std::pmr::memory_resource *memory)
    : memory_(memory), context_(CurrentMemoryContext), sessions_(memory), ids_(memory) {
    for (const Episode &episode : episodes)
        if (episode.session_id)
            sessions_.push_back({&episode.tenant,
                                 *episode.session_id,
                                 episode.agent_id,
                                 {},
                                 0,
                                 std::pmr::vector<Entry>(memory)});
    std::stable_sort(sessions_.begin(), sessions_.end(), [](const Session &a, const Session &b) {
        return before(*a.tenant, a.name, *b.tenant, b.name);
    });
    sessions_.erase(std::unique(sessions_.begin(), sessions_.end(),
                                [](const Session &a, const Session &b) {
                                    return *a.tenant == *b.tenant && a.name == b.name;
                                }),
                    sessions_.end());
    for (Session &session : sessions_) {
        pg::check_for_interrupts();
        const sessions::Locked locked =
            sessions::lock(*session.tenant, session.name, session.agent);
        session.key = locked.key;
        session.last_seq = locked.last_seq;
    }
}

Remembering::Session *Remembering::session_of(const Episode &episode) {
    if (!episode.session_id)
        return nullptr;
    return &*std::lower_bound(sessions_.begin(), sessions_.end(), episode,
                              [](const Session &session, const Episode &wanted) {
                                  return before(*session.tenant, session.name, wanted.tenant,
                                                *wanted.session_id);
                              });
}

// Counted when they are written: the next episode of the call may drop them again.
void Remembering::flush(Session &session) {
    if (session.kept_back.empty())
        return;
    sessions::take_numbers(session.path(), static_cast<std::int64_t>(session.kept_back.size()));
    sessions::insert(session.path(), std::nullopt, session.kept_back);
    session.kept_back.clear();
}

void Remembering::append(Session &session, Entry entry) {
    entry.seq = ++session.last_seq;
    session.kept_back.push_back(entry);
    if (session.kept_back.size() == most_kept_back)
        flush(session);
}

std::size_t Remembering::replace(const access::Tenant &tenant, const pg_uuid_t &id,
                                 const Session *session, std::span<Entry> entries) {
    if (!ids_.insert(id).second) // its messages may be among those that are kept back
        for (Session &one : sessions_)
            flush(one);
    const pg_uuid_t *const key = session != nullptr ? &session->key : nullptr;
    std::pmr::vector<Place> places = places_of(tenant, id, memory_);
    const auto here = [&](const Place &place) { return is_at(place, key); };
    if (!std::all_of(places.begin(), places.end(), here)) {
        sessions::lock_sessions_of(tenant, std::span(&id, 1), memory_);
        places = places_of(tenant, id, memory_);
    }
    std::size_t replaced = 0;
    for (const Place &place : places) {
        const sessions::Path path{tenant, place.session, place.path};
        if (here(place) && replaced < entries.size()) {
            entries[replaced].seq = place.seq;
            sessions::replace(path, std::nullopt, entries[replaced++]);
        } else {
            sessions::drop(path, std::span(&place.seq, 1));
        }
    }
    return replaced;
}

pg_uuid_t Remembering::add(const Episode &episode) {
    const pg_uuid_t id = episode.id ? *episode.id : pg::new_id();
    if (episode.id)
        store_or_replace(episode);
    else
        store_new(episode, id);
    const pg::SwitchedContext switched(context_);
    Session *const session = session_of(episode);
    std::pmr::vector<Entry> entries(memory_);
    if (session != nullptr)
        entries = messages_of(episode, id, memory_);
    const std::size_t placed = episode.id ? replace(episode.tenant, id, session, entries) : 0;
    for (const Entry &entry : std::span(entries).subspan(placed))
        append(*session, entry);
    return id;
}

void Remembering::finish() {
    for (Session &session : sessions_)
        flush(session);
}

pg_uuid_t remember(const Episode &episode) {
    pg::ContextResource memory(CurrentMemoryContext);
    if (episode.id) {
        Remembering remembering(std::span(&episode, 1), &memory);
        const pg_uuid_t id = remembering.add(episode);
        remembering.finish();
        return id;
    }
    const pg_uuid_t id = pg::new_id();
    store_new(episode, id);
    if (!episode.session_id)
        return id;
    std::pmr::vector<Entry> entries = messages_of(episode, id, &memory);
    const sessions::Locked session =
        sessions::lock(episode.tenant, *episode.session_id, episode.agent_id,
                       static_cast<std::int64_t>(entries.size()));
    std::int64_t seq = session.last_seq - static_cast<std::int64_t>(entries.size());
    for (Entry &entry : entries)
        entry.seq = ++seq;
    sessions::insert({episode.tenant, session.key, ""}, std::nullopt, entries);
    return id;
}

} // namespace memory::episodes
