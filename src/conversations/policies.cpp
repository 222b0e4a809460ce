// memory.set_policy, and what policies decide.
#include "conversations/policy.h"

#include "access/call.h"
#include "conversations/arguments.h"
#include "conversations/sql.h"
#include "conversations/tables.h"
#include "pg/statement.h"

namespace memory::conversations {

namespace {

using pg::SnapshotOf;

// $3 an agent or NULL. The most exact one comes first.
MEMORY_STATEMENT(find_policies, R"(
    SELECT p.save_history, p.save_summary, p.save_profile, p.load_history, p.load_summary,
        p.load_profile, p.tool_messages, p.last_runs
    FROM memory.policies p
    WHERE {tenant:p} AND p.agent_id = ANY (ARRAY['', coalesce($3, '')])
    ORDER BY p.agent_id DESC)"_sql);

MEMORY_STATEMENT(set, R"(
    INSERT INTO memory.policies AS p (namespace, user_id, agent_id, save_history, save_summary,
        save_profile, load_history, load_summary, load_profile, tool_messages, last_runs)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    ON CONFLICT (namespace, user_id, agent_id) DO UPDATE
    SET save_history = coalesce(excluded.save_history, p.save_history),
        save_summary = coalesce(excluded.save_summary, p.save_summary),
        save_profile = coalesce(excluded.save_profile, p.save_profile),
        load_history = coalesce(excluded.load_history, p.load_history),
        load_summary = coalesce(excluded.load_summary, p.load_summary),
        load_profile = coalesce(excluded.load_profile, p.load_profile),
        tool_messages = coalesce(excluded.tool_messages, p.tool_messages),
        last_runs = coalesce(excluded.last_runs, p.last_runs))"_sql);

using Flag = std::optional<bool>;

// What policies say, from the most exact one on.
struct Said {
    std::array<Flag, 7> flags; // in the order of the columns
    std::optional<std::int64_t> last_runs;
};

template <class Value>
void say_unless_said(std::optional<Value> &said, const std::optional<Value> &next) {
    if (!said)
        said = next;
}

void add(Said &said, const pg::Rows &rows, std::uint64_t row) {
    for (std::size_t n = 0; n < said.flags.size(); ++n)
        say_unless_said(said.flags[n], rows.find<pg::Bool>(row, static_cast<int>(n)));
    say_unless_said(said.last_runs, rows.find<pg::Int8>(row, static_cast<int>(said.flags.size())));
}

} // namespace

Policy policy_of(SnapshotOf snapshot, const access::Tenant &tenant,
                 std::optional<std::string_view> agent) {
    const pg::Rows rows = find_policies.run(snapshot, {tenant, agent});
    Said said;
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        add(said, rows, row);
    const auto &[save_history, save_summary, save_profile, load_history, load_summary, load_profile,
                 tool_messages] = said.flags;
    Policy policy;
    policy.save_history = save_history.value_or(true);
    policy.save_summary = save_summary.value_or(true);
    policy.save_profile = save_profile.value_or(true);
    policy.load_history = load_history.value_or(policy.save_history);
    policy.load_summary = load_summary.value_or(policy.save_summary);
    policy.load_profile = load_profile.value_or(policy.save_profile);
    policy.tool_messages = tool_messages.value_or(true);
    policy.last_runs = said.last_runs;
    return policy;
}

MEMORY_CALL(memory_set_policy,
            "save_history boolean, save_summary boolean, save_profile boolean,"
            " load_history boolean, load_summary boolean, load_profile boolean,"
            " tool_messages boolean, last_runs bigint, user_id text, agent_id text") {
    const std::array<Flag, 7> flags{call.boolean("save_history"), call.boolean("save_summary"),
                                    call.boolean("save_profile"), call.boolean("load_history"),
                                    call.boolean("load_summary"), call.boolean("load_profile"),
                                    call.boolean("tool_messages")};
    const std::optional<std::int64_t> last_runs =
        call.bigint("last_runs").between(1, access::most_rows);
    const std::string_view agent = key_agent(call.text("agent_id"));
    const access::Writing writing(call, room);
    if (!last_runs && std::ranges::none_of(flags, [](Flag flag) { return flag.has_value(); }))
        return call.nothing();
    pg::Values row{writing.tenant(), agent};
    for (const Flag flag : flags)
        row.add(flag);
    row.add(last_runs);
    set.write(row, "policies");
    return call.nothing();
}

} // namespace memory::conversations
