// The profile of a user, for rooms that make one.
#pragma once

#include "access/scope.h"

namespace memory::conversations {

// Adds traits to those that are known; a null says nothing. An empty agent is the profile for all
// of them. Needs a live Spi.
void update_profile(const access::Tenant &tenant, std::string_view agent, pg::Document traits);

} // namespace memory::conversations
