// memory_internal.status(), which view memory.status shows.
#include "lifecycle/past_row_security.h"
#include "pg/function_call.h"
#include "status/relations.h"
#include "status/waiting.h"

namespace memory::status {

MEMORY_CALL(memory_status, "") {
    pg::ResultSet rows(call.arguments());
    const pg::Spi spi;
    const lifecycle::PastRowSecurity acting("memory.status", lifecycle::PastRowSecurity::Of::view);
    const bool whole = add_relations(rows);
    if (whole) {
        add_expired(rows);
        add_jobs(rows);
    }
    return call.nothing();
}

} // namespace memory::status
