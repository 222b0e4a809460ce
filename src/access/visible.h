// What row security leaves of a user's rows, asked before they are ranked.
#pragma once

#include "access/scope.h"

namespace memory::access {

// Whether row security hides all episodes, or all facts, of this tenant from the caller. A ranking
// reads the tenant's index before policies are asked, and would tell by what it takes which words
// are there. Where no row security applies to the caller it is false, and nothing is asked. Needs a
// live Spi.
bool hides_all_episodes(const Tenant &tenant);
bool hides_all_facts(const Tenant &tenant);

} // namespace memory::access
