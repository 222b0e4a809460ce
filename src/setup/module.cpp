// The library: its magic block, and what happens when a backend loads it.
#include "index/crash_point.h"
#include "index/planner.h"
#include "pg/entry.h"
#include "schema/rooms.h"

extern "C" {
#pragma GCC visibility push(default)
PG_MODULE_MAGIC;
void _PG_init(void);
#pragma GCC visibility pop
}

void _PG_init() {
    memory::pg::entry([] {
        memory::pg::call([] {
            for (const memory::schema::Room *room : memory::schema::rooms())
                if (room->define_settings != nullptr)
                    room->define_settings();
            memory::index::define_crash_points();
            memory::index::install_planner_hook();
            MarkGUCPrefixReserved("memory");
        });
    });
}
