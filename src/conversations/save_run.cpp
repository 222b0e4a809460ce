// memory.save_run: how far a run has come, its state, what it waits for, and its messages.
#include "conversations/run.h"

#include "access/call.h"
#include "conversations/log.h"
#include "conversations/policy.h"
#include "conversations/sql.h"
#include "conversations/state_path.h"
#include "conversations/tables.h"
#include "pg/json.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "sessions/sessions.h"

namespace memory::conversations {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(lock_run, R"(
    SELECT r.session, r.status, r.state, r.agent_id FROM memory.runs r
    WHERE {tenant:r} AND r.run_id = $3 FOR NO KEY UPDATE)"_sql);

// $5 the status, $6 the state, $7 requirements, $8 the agent that was given, $9 the one of the
// settings; each or NULL.
MEMORY_STATEMENT(make, R"(
    INSERT INTO memory.runs
        (namespace, user_id, run_id, session, status, state, requirements, agent_id)
    VALUES ($1, $2, $3, $4, coalesce($5, 'running'), coalesce($6, '{}'::jsonb),
        coalesce($7, '[]'::jsonb), coalesce($8::text, $9::text))
    ON CONFLICT (namespace, user_id, run_id) DO NOTHING
    RETURNING state)"_sql);

// The run is locked, and of session $4.
MEMORY_STATEMENT(change, R"(
    UPDATE memory.runs r
    SET status = coalesce($5, r.status), state = coalesce($6, r.state),
        requirements = coalesce($7, r.requirements), agent_id = coalesce($8::text, r.agent_id, $9),
        updated_at = greatest(r.updated_at, now())
    WHERE {tenant:r} AND r.run_id = $3 AND r.session = $4
    RETURNING r.state)"_sql);

// A session named $4 that a run belongs to.
MEMORY_STATEMENT(find_session_name, R"(
    SELECT s.session_id FROM memory.sessions s WHERE {tenant:s} AND s.key = $3)"_sql);

// What a call asks for, checked. Views are the caller's.
struct Save {
    std::string_view session_id;
    std::string_view run_id;
    std::optional<std::string_view> status;
    std::optional<pg::Document> state; // the value of the place where there is a path
    std::optional<StatePath> path;
    std::optional<pg::Document> requirements;
    sessions::Names expected;
    std::optional<std::string_view> agent;
    std::pmr::vector<Message> messages;
};

// A run that is there, and locked.
struct Existing {
    pg_uuid_t session;
    std::string_view status;
    pg::Document state;
    std::optional<std::string_view> agent;
};

std::optional<pg::Document> checked_requirements(const pg::Given<pg::Document> &given) {
    if (!given)
        return std::nullopt;
    const pg::JsonValue whole = pg::json_root(given.required().jsonb);
    if (!whole.is_object() && !whole.is_array())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                        "requirements must be an array of objects or an object, not %s",
                        whole.described());
    if (whole.is_array()) {
        pg::JsonWalk walk(whole);
        std::size_t index = 0;
        for (auto one = walk.next_element(); one; one = walk.next_element(), ++index)
            if (!one->is_object())
                throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                                "requirements[%zu] must be an object, not %s", index,
                                one->described());
    }
    return given.optional();
}

template <class Call>
Save read_save(const Call &call, std::pmr::memory_resource *memory) {
    Save save{sessions::written_session(call.text("session_id")),
              sessions::checked_name(call.text("run_id")),
              checked_status(call.text("status")),
              call.json("state"),
              checked_path(call.list("state_path")),
              checked_requirements(call.json("requirements")),
              checked_statuses("expected_status", call.texts("expected_status")),
              call.text("agent_id").at_most(access::longest_id),
              std::pmr::vector<Message>(memory)};
    if (save.path)
        call.json("state").required();
    if (call.json("messages"))
        save.messages = read_messages(call.json("messages"), std::nullopt, memory);
    return save;
}

std::optional<Existing> locked_run(const access::Tenant &tenant, std::string_view run_id) {
    const pg::Rows rows = lock_run.run(SnapshotOf::now, {tenant, run_id});
    if (rows.empty())
        return std::nullopt;
    const auto [session, status, state, agent] =
        rows.get<pg::Uuid, pg::Text, pg::Json, std::optional<pg::Text>>(0);
    return Existing{session, pg::copied_text(status), pg::copied({state}),
                    agent ? std::optional(pg::copied_text(*agent)) : std::nullopt};
}

// A run stays in its session.
void check_session(const access::Tenant &tenant, const Save &save, const Existing &run,
                   const sessions::Locked &session) {
    if (std::memcmp(run.session.data, session.key.data, UUID_LEN) == 0)
        return;
    const pg::Rows rows = find_session_name.run(SnapshotOf::now, {tenant, run.session});
    const pg::Quoted shown(save.run_id);
    const pg::Quoted other(rows.empty() ? std::string_view() : rows.get<pg::Text>(0));
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                    "run_id: run \"%.*s\" belongs to session \"%.*s\"", shown.length, shown.text,
                    other.length, other.text)
        .hint("A run stays in its session; another one needs another run_id.");
}

void check_expected(const Save &save, const std::optional<Existing> &run) {
    if (!save.expected || (run && std::ranges::count(*save.expected, run->status) > 0))
        return;
    const pg::Quoted shown(save.run_id);
    if (!run)
        throw pg::Error(ERRCODE_T_R_SERIALIZATION_FAILURE, "there is no run \"%.*s\"", shown.length,
                        shown.text)
            .hint("It was deleted, or never saved; without expected_status it is made.");
    throw pg::Error(ERRCODE_T_R_SERIALIZATION_FAILURE,
                    "the status of run \"%.*s\" is %.*s, which expected_status does not name",
                    shown.length, shown.text, static_cast<int>(run->status.size()),
                    run->status.data())
        .hint("Read it again (memory.run), and decide anew.");
}

std::optional<pg::Document> state_after(const Save &save, const std::optional<Existing> &run) {
    if (!save.path)
        return save.state;
    return with_place(run ? std::optional(run->state) : std::nullopt, *save.path, *save.state);
}

// How often a new run is tried that another session's writer makes, and drops, at once.
constexpr int most_tries = 20;

// Its state. Within a session writers wait for each other: a run of this name that comes meanwhile
// is of another one.
pg::Document make_new(const access::Tenant &tenant, const Save &save,
                      const sessions::Locked &session, const pg::Values &values) {
    for (int tries = 0; tries < most_tries; ++tries) {
        const pg::Rows made = make.run(SnapshotOf::now, values);
        if (!made.empty())
            return pg::copied({made.get<pg::Json>(0)});
        if (const auto other = locked_run(tenant, save.run_id))
            check_session(tenant, save, *other, session);
    }
    pg::throw_kept_out("runs", 0, 1);
}

// Its state afterwards.
pg::Document write(const access::Tenant &tenant, const Save &save, const sessions::Locked &session,
                   const std::optional<Existing> &run) {
    const pg::Values values{tenant,
                            save.run_id,
                            session.key,
                            save.status,
                            state_after(save, run),
                            save.requirements,
                            save.agent,
                            access::agent_setting()};
    if (run)
        return pg::copied({change.write(values, "runs").get<pg::Json>(0)});
    return make_new(tenant, save, session, values);
}

// Messages of a completed run are kept where the policy says so; of any other they always are.
void write_messages(const access::Tenant &tenant, const Save &save, const sessions::Locked &session,
                    const std::optional<Existing> &run) {
    const std::string_view status = save.status.value_or(run ? run->status : running);
    std::optional<std::string_view> agent = save.agent;
    if (!agent)
        agent = run && run->agent ? run->agent : access::agent_setting();
    const Place place{tenant, save.session_id, session, {}, agent};
    if (status == completed && !policy_of(SnapshotOf::now, tenant, agent).save_history)
        drop_run_messages(place, save.run_id);
    else if (!save.messages.empty())
        put_run_messages(place, save.run_id, save.messages);
}

} // namespace

MEMORY_CALL(memory_save_run, "session_id text, run_id text, status text, state jsonb,"
                             " state_path text[], requirements jsonb, messages jsonb,"
                             " expected_status text[], user_id text, agent_id text") {
    pg::ContextResource memory(CurrentMemoryContext);
    const Save save = read_save(call, &memory);
    const access::Writing writing(call, room);
    const access::Tenant &tenant = writing.tenant();
    const sessions::Locked session =
        sessions::lock(tenant, save.session_id, save.agent ? save.agent : access::agent_setting());
    const std::optional<Existing> run = locked_run(tenant, save.run_id);
    if (run)
        check_session(tenant, save, *run, session);
    check_expected(save, run);
    const pg::Document state = write(tenant, save, session, run);
    write_messages(tenant, save, session, run);
    return call.result(state);
}

} // namespace memory::conversations
