// VACUUM's pauses.
#pragma once

#include "pg/call.h"

extern "C" {
#include "commands/vacuum.h"
}

namespace memory::index {

// Waits as vacuum_cost_delay says, and lets a cancel in. Not while a page is locked.
inline void vacuum_delay() {
    pg::call([] {
#if PG_VERSION_NUM >= 180000
        vacuum_delay_point(false);
#else
        vacuum_delay_point();
#endif
    });
}

} // namespace memory::index
