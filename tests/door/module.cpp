// door_test.so: drives src/pg from SQL (door_test.sql), so that pg_regress can prove the door.
#include "fail.h"
#include "pg/entry.h"

extern "C" {
#pragma GCC visibility push(default)
PG_MODULE_MAGIC;
void _PG_init(void);
#pragma GCC visibility pop
}

namespace door {

namespace {

constinit char *checked = nullptr;

// A callback of PostgreSQL that is no SQL function: SET door.checked = 'how to fail'.
bool check(char **value, void **, GucSource) {
    return pg::entry([value] {
        failure (*value)();
        return true;
    });
}

} // namespace

} // namespace door

void _PG_init() {
    memory::pg::entry([] {
        memory::pg::call([] {
            DefineCustomStringVariable("door.checked", "Fails as it is told.", nullptr,
                                       &door::checked, "nothing", PGC_USERSET, 0, door::check,
                                       nullptr, nullptr);
        });
    });
}
