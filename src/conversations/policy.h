// What is kept of a user's conversations and what of it goes into prompts, as memory.set_policy has
// said.
#pragma once

#include "access/scope.h"
#include "pg/spi.h"

namespace memory::conversations {

// Each flag is decided by the policy of user and agent, else by the policy of the user, else it is
// as here. A load flag that no policy sets is as its save flag.
struct Policy {
    bool save_history = true; // messages of completed runs
    bool save_summary = true;
    bool save_profile = true;
    bool load_history = true;
    bool load_summary = true;
    bool load_profile = true;
    bool tool_messages = true;             // among the history that is loaded
    std::optional<std::int64_t> last_runs; // whose messages are loaded; nothing: of all
};

// What holds for this agent of a user; without an agent, for the user. Needs a live Spi.
Policy policy_of(pg::SnapshotOf snapshot, const access::Tenant &tenant,
                 std::optional<std::string_view> agent);

} // namespace memory::conversations
