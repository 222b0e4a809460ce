// Arguments that functions about runs, summaries, profiles and policies have in common.
#pragma once

#include "access/call.h"

namespace memory::conversations {

// The agent that a profile or a policy is for: '' where none is given. The setting memory.agent_id
// does not count: what is written without an argument is read without one.
inline std::string_view key_agent(const pg::Given<std::string_view> &agent) {
    return agent.not_empty("Leave it out, or pass NULL, for the one of the user.")
        .at_most(access::longest_id)
        .or_else("");
}

} // namespace memory::conversations
