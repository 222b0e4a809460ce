// memory.add_messages(): messages at the end of a log, or in the place of those of their keys.
#include "access/call.h"
#include "conversations/log.h"
#include "conversations/sql.h"
#include "conversations/tables.h"
#include "episodes/tables.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "sessions/tables.h"

#include <map>

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace memory::conversations {

namespace {

using pg::SnapshotOf;

// $4 its name.
MEMORY_STATEMENT(find_operation, R"(
    SELECT o.digest, o.seqs, o.ids FROM memory.session_operations o
    WHERE {of_session:o} AND o.operation = $4)"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(insert_operation, R"(
    INSERT INTO memory.session_operations
        (namespace, user_id, session, operation, digest, seqs, ids)
    VALUES ($1, $2, $3, $4, $5, $6, $7))"_sql);

// $5 keys. Each by the index, whatever the statistics.
MEMORY_STATEMENT(find_by_key, R"(
    SELECT m.key, m.seq, m.id FROM unnest($5::text[]) w (key)
        CROSS JOIN LATERAL (SELECT m.key, m.seq, m.id FROM memory.messages m
                            WHERE {of_session:m} AND {same:m.path,$4} AND {same:m.key,w.key}
                            LIMIT 1) m)"_sql,
                 pg::Statement::once);

// What a call asks for beside its place, checked.
struct Addition {
    std::pmr::vector<Message> messages;
    std::optional<std::string_view> run_id;
    std::optional<std::int64_t> expected_seq;
    std::optional<std::string_view> operation;
    pg::Bytes digest; // where there is an operation

    // Whether something must be read, with the session locked, before anything is written.
    bool depends_on_log() const {
        return expected_seq || operation ||
               std::any_of(messages.begin(), messages.end(),
                           [](const Message &message) { return message.key.has_value(); });
    }
};

// Of the path and the messages, in the current memory context.
pg::Bytes digest_of(std::string_view path, const pg::Document &messages) {
    const Datum text = pg::call([&] {
        StringInfo whole = makeStringInfo();
        appendBinaryStringInfo(whole, path.data(), static_cast<int>(path.size()));
        appendStringInfoChar(whole, '\n');
        Jsonb *json = DatumGetJsonbP(messages.jsonb);
        JsonbToCString(whole, &json->root, VARSIZE(json));
        return PointerGetDatum(cstring_to_text_with_len(whole->data, whole->len));
    });
    return pg::Bytea::read(pg::call([text] { return DirectFunctionCall1(sha256_bytea, text); }));
}

// What the call of this name has returned; nothing where there was none.
std::optional<std::pmr::vector<Written>> returned_before(const sessions::Path &path,
                                                         const Addition &addition,
                                                         std::pmr::memory_resource *memory) {
    const pg::Rows rows =
        find_operation.run(SnapshotOf::now, {path.tenant, path.session, *addition.operation});
    if (rows.empty())
        return std::nullopt;
    const auto [digest, seqs, ids] = rows.get<pg::Bytea, pg::Int8s, pg::Uuids>(0);
    if (!std::ranges::equal(digest, addition.digest)) {
        const pg::Quoted name(*addition.operation);
        throw pg::Error(ERRCODE_UNIQUE_VIOLATION,
                        "operation \"%.*s\" was called with other messages", name.length, name.text)
            .hint("A retry has the messages and the path of the call before it; a new call has a "
                  "name of its own.");
    }
    std::pmr::vector<Written> written(memory);
    for (std::size_t n = 0; n < std::min(seqs.size(), ids.size()); ++n)
        written.push_back({seqs[n], ids[n]});
    return written;
}

void note_operation(const sessions::Path &path, const Addition &addition,
                    std::span<const Written> written, std::pmr::memory_resource *memory) {
    std::pmr::vector<std::int64_t> seqs(memory);
    std::pmr::vector<pg_uuid_t> ids(memory);
    for (const Written &one : written) {
        seqs.push_back(one.seq);
        ids.push_back(one.id);
    }
    insert_operation.write({path.tenant, path.session, *addition.operation, addition.digest,
                            std::span(std::as_const(seqs)), std::span(std::as_const(ids))},
                           "session_operations");
}

void check_expected(std::int64_t expected, std::int64_t last) {
    if (expected != last)
        throw pg::Error(ERRCODE_T_R_SERIALIZATION_FAILURE,
                        "the last message has seq %lld, not expected_seq %lld",
                        static_cast<long long>(last), static_cast<long long>(expected))
            .hint("Read the messages after the one that you know, and decide again.");
}

// Messages by their keys: where they are in the log, and which of the call's is the last.
class Keyed {
  public:
    Keyed(const sessions::Path &path, std::span<const Message> messages,
          std::pmr::memory_resource *memory)
        : last_(memory), there_(memory) {
        std::pmr::vector<std::string_view> keys(memory);
        for (std::size_t n = 0; n < messages.size(); ++n)
            if (messages[n].key && last_.insert_or_assign(*messages[n].key, n).second)
                keys.push_back(*messages[n].key);
        if (keys.empty())
            return;
        const pg::Rows rows =
            find_by_key.run(SnapshotOf::now, {path, std::span(std::as_const(keys))});
        for (std::uint64_t n = 0; n < rows.size(); ++n) {
            const auto [key, seq, id] = rows.get<pg::Text, pg::Int8, pg::Uuid>(n);
            there_.emplace(pg::copied_text(key), Written{seq, id});
        }
    }

    // Where the log has a message of this key.
    const Written *there(std::string_view key) const {
        const auto found = there_.find(key);
        return found == there_.end() ? nullptr : &found->second;
    }
    // The last message of the call with this key.
    std::size_t last(std::string_view key) const { return last_.at(key); }

  private:
    std::pmr::map<std::string_view, std::size_t> last_;
    std::pmr::map<std::string_view, Written> there_;
};

// Of the messages of one key the last counts; it stands where the first of them is.
std::pmr::vector<Written> put_by_key(const Place &place, const Addition &addition,
                                     std::pmr::memory_resource *memory) {
    const std::span<const Message> messages = addition.messages;
    const Keyed keyed({place.tenant, place.session.key, place.path}, messages, memory);
    std::pmr::vector<Message> appended(memory);
    std::pmr::map<std::string_view, std::size_t> places(memory); // of new keys among them
    std::pmr::vector<std::size_t> at(memory);                    // of each message among them
    for (std::size_t n = 0; n < messages.size(); ++n) {
        const Message &message = messages[n];
        at.push_back(appended.size());
        if (!message.key) {
            appended.push_back(message);
        } else if (const Written *there = keyed.there(*message.key)) {
            if (keyed.last(*message.key) == n)
                replace(place, addition.run_id, *there, message);
        } else if (const auto [first, is_new] = places.emplace(*message.key, appended.size());
                   is_new) {
            appended.push_back(messages[keyed.last(*message.key)]);
        } else {
            at.back() = first->second;
        }
    }
    const std::pmr::vector<Written> ends = append(place, addition.run_id, appended, memory);
    std::pmr::vector<Written> written(memory);
    for (std::size_t n = 0; n < messages.size(); ++n) {
        const Written *there = messages[n].key ? keyed.there(*messages[n].key) : nullptr;
        written.push_back(there != nullptr ? *there : ends[at[n]]);
    }
    return written;
}

std::pmr::vector<Written> add(Place &place, const Addition &addition,
                              std::pmr::memory_resource *memory) {
    if (!addition.depends_on_log())
        return lock_and_append(place, addition.run_id, addition.messages, memory);
    place.session = sessions::lock(place.tenant, place.session_id, place.agent);
    const sessions::Path path{place.tenant, place.session.key, place.path};
    if (addition.operation)
        if (auto before = returned_before(path, addition, memory))
            return *std::move(before);
    if (addition.expected_seq)
        check_expected(*addition.expected_seq,
                       place.path.empty() ? place.session.last_seq : sessions::last_seq(path));
    std::pmr::vector<Written> written = put_by_key(place, addition, memory);
    if (addition.operation)
        note_operation(path, addition, written, memory);
    return written;
}

template <class Call>
Addition read_addition(const Call &call, std::string_view path, std::pmr::memory_resource *memory) {
    const auto key_field = call.text("key_field").not_empty().at_most(sessions::longest_name);
    Addition addition{read_messages(call.json("messages"), key_field, memory),
                      call.text("run_id").not_empty().at_most(sessions::longest_name),
                      call.bigint("expected_seq").between(0, INT64_MAX),
                      call.text("operation").not_empty().at_most(sessions::longest_name),
                      {}};
    if (addition.operation)
        addition.digest = digest_of(path, call.json("messages").required());
    return addition;
}

} // namespace

MEMORY_CALL(memory_add_messages,
            "session_id text, messages jsonb, user_id text, agent_id text, run_id text, path text,"
            " key_field text, expected_seq bigint, operation text") {
    pg::ContextResource memory(CurrentMemoryContext);
    const std::string_view session_id = sessions::written_session(call.text("session_id"));
    const std::string_view path = call.text("path").at_most(sessions::longest_name).or_else("");
    const auto agent = call.text("agent_id").at_most(access::longest_id);
    const Addition addition = read_addition(call, path, &memory);
    schema::require(schema::Need::to_write, sessions::room);
    schema::require(schema::Need::to_write, episodes::room);
    access::Writing writing(call, room);
    Place place{
        writing.tenant(), session_id, {}, path, agent ? agent.optional() : access::agent_setting()};
    for (const Written &one : add(place, addition, &memory))
        writing.rows().add({one.seq, one.id});
    return call.nothing();
}

} // namespace memory::conversations
