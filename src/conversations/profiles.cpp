// memory.set_profile and memory.profile: what is known of a user.
#include "conversations/arguments.h"
#include "conversations/policy.h"
#include "conversations/profile.h"
#include "conversations/sql.h"
#include "conversations/tables.h"
#include "pg/statement.h"

namespace memory::conversations {

namespace {

using pg::SnapshotOf;

constexpr pg::Choice<bool> modes[]{{"update", false}, {"replace", true}};

MEMORY_STATEMENT(replace, R"(
    INSERT INTO memory.profiles AS p (namespace, user_id, agent_id, traits)
    VALUES ($1, $2, $3, $4)
    ON CONFLICT (namespace, user_id, agent_id) DO UPDATE
    SET traits = excluded.traits, updated_at = greatest(p.updated_at, now()))"_sql);

// A null says nothing of a trait, known or not.
MEMORY_STATEMENT(update, R"(
    INSERT INTO memory.profiles AS p (namespace, user_id, agent_id, traits)
    VALUES ($1, $2, $3, coalesce((SELECT pg_catalog.jsonb_object_agg(t.key, t.value)
                                  FROM pg_catalog.jsonb_each($4) t WHERE t.value <> 'null'),
                                 '{}'::jsonb))
    ON CONFLICT (namespace, user_id, agent_id) DO UPDATE
    SET traits = p.traits || excluded.traits, updated_at = greatest(p.updated_at, now()))"_sql);

MEMORY_STATEMENT(find, R"(
    SELECT p.traits FROM memory.profiles p WHERE {tenant:p} AND p.agent_id = $3)"_sql);

std::optional<std::string_view> policys_agent(std::string_view agent) {
    return agent.empty() ? std::nullopt : std::optional(agent);
}

} // namespace

void update_profile(const access::Tenant &tenant, std::string_view agent, pg::Document traits) {
    update.write({tenant, agent, traits}, "profiles");
}

MEMORY_CALL(memory_set_profile, "traits jsonb, mode text, user_id text, agent_id text") {
    const pg::Document traits = call.json("traits").object().required();
    pg::Statement &write = call.text("mode").one_of(modes).or_else(false) ? replace : update;
    const std::string_view agent = key_agent(call.text("agent_id"));
    const access::Writing writing(call, room);
    if (!policy_of(SnapshotOf::now, writing.tenant(), policys_agent(agent)).save_profile) {
        pg::call([] {
            ereport(NOTICE, (errmsg("the profile is not kept: save_profile is false"),
                             errhint("memory.set_policy says what is kept.")));
        });
        return call.nothing();
    }
    write.write({writing.tenant(), agent, traits}, "profiles");
    return call.nothing();
}

MEMORY_CALL(memory_profile, "user_id text, agent_id text") {
    const std::string_view agent = key_agent(call.text("agent_id"));
    const access::Reading reading(call, room);
    const pg::Rows rows = find.run(SnapshotOf::caller, {reading.tenant(), agent});
    if (rows.empty())
        return call.null();
    return call.result(pg::Document{rows.get<pg::Json>(0)});
}

} // namespace memory::conversations
