// Decisions that a snapshot must not be too old for.
#pragma once

#include "pg/handles.h"
#include "pg/spi.h"

extern "C" {
#include "access/xact.h"
}

namespace memory::pg {

// Above READ COMMITTED all statements see what the transaction's first one saw; a lock that has
// been waited for does not change that. An error to be retried when ask(SnapshotOf) says something
// else of the newest snapshot; `what` says what has changed. Needs the lock that keeps it from
// changing again, and a live Spi.
template <class Ask>
void check_fresh(Ask ask, const char *what) {
    if (!IsolationUsesXactSnapshot())
        return;
    const auto seen = ask(SnapshotOf::now);
    const FreshSnapshot newest(GetLatestSnapshot);
    if (ask(SnapshotOf::caller) != seen)
        throw Error(ERRCODE_T_R_SERIALIZATION_FAILURE, "could not serialize access: %s", what);
}

} // namespace memory::pg
