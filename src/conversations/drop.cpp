// memory.drop_messages(): messages go, and with them their episodes.
#include "access/call.h"
#include "conversations/sql.h"
#include "conversations/tables.h"
#include "episodes/episode.h"
#include "episodes/tables.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "sessions/log.h"
#include "sessions/tables.h"

namespace memory::conversations {

namespace {

using pg::SnapshotOf;

// $3 the session's key, $4 the path, $5 how many of the newest, $6 a number, $7 keys, $8 ids: what
// is not given holds of all. Then all that have the id of one of them; $9 the session's name.
MEMORY_STATEMENT(find_chosen, R"(
    WITH chosen AS MATERIALIZED (
        SELECT m.id FROM memory.messages m
        WHERE {of_path:m}
            AND ($5::bigint IS NULL OR m.seq >= (
                SELECT min(l.seq) FROM (SELECT l.seq FROM memory.messages l WHERE {of_path:l}
                                        ORDER BY l.seq DESC LIMIT $5) l))
            AND ($6::bigint IS NULL OR m.seq > $6) AND {any_key:m,$7}
            AND ($8::uuid[] IS NULL OR m.id = ANY ($8)))
    SELECT $9::text, {message:m} FROM memory.messages m
    WHERE {of_session:m} AND m.id = ANY (SELECT c.id FROM chosen c)
    ORDER BY m.path, m.seq)"_sql,
                 pg::Statement::for_each_values);

// What a call asks for; what is not given holds of all.
struct Choice {
    std::optional<std::int64_t> last;
    std::optional<std::int64_t> after;
    std::optional<std::span<const std::string_view>> keys;
    std::optional<std::span<const pg_uuid_t>> ids;

    bool any() const { return last || after || keys || ids; }
};

template <class Call>
Choice read_choice(const Call &call) {
    const Choice choice{call.bigint("last").between(0, access::no_limit),
                        call.bigint("after").between(0, INT64_MAX), call.texts("keys"),
                        call.uuids("ids")};
    if (!choice.any())
        throw pg::Error(ERRCODE_NULL_VALUE_NOT_ALLOWED, "last, after, keys and ids are all missing")
            .hint("Give one of them; memory.delete_session drops all that a session has.");
    return choice;
}

// Ids of the messages to drop; the messages go to `answer`.
std::pmr::vector<pg_uuid_t> choose(const sessions::Path &path, const Choice &choice,
                                   std::string_view session_id, pg::ResultSet &answer,
                                   std::pmr::memory_resource *memory) {
    const pg::Rows rows = find_chosen.run(
        SnapshotOf::now, {path, choice.last, choice.after, choice.keys, choice.ids, session_id});
    std::pmr::vector<pg_uuid_t> ids(memory);
    constexpr int place_of_id = 3;
    for (std::uint64_t n = 0; n < rows.size(); ++n) {
        answer.add_row(rows, n, {});
        ids.push_back(rows.get<pg::Uuid>(n, place_of_id));
    }
    return ids;
}

} // namespace

MEMORY_CALL(memory_drop_messages, "session_id text, last bigint, after bigint, keys text[],"
                                  " ids uuid[], path text, user_id text") {
    pg::ContextResource memory(CurrentMemoryContext);
    const std::string_view session_id = sessions::checked_name(call.text("session_id"));
    const std::string_view path = call.text("path").at_most(sessions::longest_name).or_else("");
    const Choice choice = read_choice(call);
    schema::require(schema::Need::to_write, sessions::room);
    schema::require(schema::Need::to_write, episodes::room);
    access::Writing writing(call, room);
    const auto session = sessions::lock_existing(writing.tenant(), session_id);
    if (!session)
        return call.nothing();
    const auto ids =
        choose({writing.tenant(), session->key, path}, choice, session_id, writing.rows(), &memory);
    if (ids.empty())
        return call.nothing();
    sessions::drop(writing.tenant(), ids);
    episodes::erase(writing.tenant(), ids);
    return call.nothing();
}

} // namespace memory::conversations
