// What row security leaves of a user's rows, asked before they are ranked.
#pragma once

#include "access/scope.h"

namespace memory::access {

// Whether row security hides all episodes, all facts or all items of this tenant from the caller;
// an error when the caller may not read them. A ranking reads the tenant's index before PostgreSQL
// is asked about either, and would tell by what it takes which words are there. Of a caller that
// may read the whole table nothing is asked. Needs a live Spi.
bool hides_all_episodes(const Tenant &tenant);
bool hides_all_facts(const Tenant &tenant);
bool hides_all_items(const Tenant &tenant);

// Whether the rows of a user in this table, which is no partition, are all readable to the caller
// where one of them is: the whole table is, or the policies ask for a row's namespace and user
// alone, as memory.protect's do.
bool reads_whole_users(Oid table);

} // namespace memory::access
