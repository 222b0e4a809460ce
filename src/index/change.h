// The one WAL record on a root page by which pages written beside a tenant take the place of
// others.
#pragma once

#include "index/tenant.h"

namespace memory::index {

// What becomes of a tenant.
struct Change {
    std::optional<Run> added;
    std::span<const Run> replaced; // runs that are read, of which `added` is made
    Run log{};                     // the oldest pages of the log, if they are in `added`
    bool root_records_sealed = false;
    bool dead_left_out = false; // that VACUUM has not seen
};

// Whether a root page takes a change, at this moment.
bool has_room(Relation index, BlockNumber root, const Change &change);

// Makes a change, under the tenant's lock. False, and the tenant is what it was, if its root page
// has no room any more: what was written for `added` is lost then, and VACUUM finds it.
bool publish(Relation index, BlockNumber root, const Change &change);

} // namespace memory::index
