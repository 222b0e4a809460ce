// What VACUUM does about logs of vector codes, which are not sealed: where a third of the bytes on
// their full pages is gone, what is left is written anew, densely.
#pragma once

#include "index/room.h"
#include "index/tenant.h"

namespace memory::index {

// Writes the records of a tenant's full pages into a packed run, if enough of them are gone. Under
// the tenant's lock. Without room the tenant stays as it is.
void compact(Relation index, BlockNumber root, Room &room);

} // namespace memory::index
