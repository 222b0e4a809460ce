// The library: its magic block, and what happens when a backend loads it.
#include "access/scope.h"
#include "episodes/settings.h"
#include "index/crash_point.h"
#include "index/options.h"
#include "index/planner.h"
#include "pg/entry.h"
#include "recall/settings.h"
#include "text/settings_sql.h"

extern "C" {
#pragma GCC visibility push(default)
PG_MODULE_MAGIC;
void _PG_init(void);
#pragma GCC visibility pop
}

void _PG_init() {
    memory::pg::entry([] {
        memory::pg::call([] {
            memory::access::define_settings();
            memory::episodes::define_settings();
            memory::recall::define_settings();
            memory::text::define_settings();
            memory::index::define_options();
            memory::index::define_crash_points();
            memory::index::install_planner_hook();
            MarkGUCPrefixReserved("memory");
        });
    });
}
