// memory.export_user(): all that a user has, as lines.
#include "access/call.h"
#include "access/session_identity.h"
#include "episodes/tables.h"
#include "lines/line.h"
#include "pg/function_call.h"

namespace memory::moving {

namespace {

// Calls visit(table) for each that has lines: what users share before what rests on it.
template <class Visit>
void each_table_with_lines(Visit &&visit) {
    for (const schema::Room *room : schema::rooms())
        for (const bool of_users : {false, true})
            for (const schema::Table &table : room->tables)
                if (schema::of_users(table) == of_users && lines::has_lines(table))
                    visit(table);
}

} // namespace

MEMORY_CALL(memory_export_user, "user_id text") {
    schema::require_all(schema::Need::to_read);
    access::Reading reading(call, episodes::room);
    // Row security would hide every row, but not what it costs to find them.
    if (!access::SessionIdentity().may_write(reading.tenant()))
        return call.nothing();
    each_table_with_lines([&](const schema::Table &table) {
        lines::each_line(table, reading.tenant(), pg::SnapshotOf::caller,
                         [&](Datum line) { reading.rows().add(line); });
    });
    return call.nothing();
}

} // namespace memory::moving
