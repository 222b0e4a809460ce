// What the door costs, for docs/door.md; no test depends on it.
#include "fail.h"
#include "pg/attempt.h"
#include "pg/memory.h"

#include <chrono>

namespace door {

namespace {

// A nanosecond clock around `times` runs of `body`.
template <class Body>
double nanoseconds(int times, Body &&body) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < times; ++i)
        body();
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
    return spent.count() / times;
}

constinit volatile int counter = 0;

[[gnu::noinline]] void count() { counter = counter + 1; }

void fail_in_postgres() {
    ereport(ERROR, (errcode(ERRCODE_DIVISION_BY_ZERO), errmsg_internal("timed")));
}

// An error of PostgreSQL, swallowed by the means of C: what the door adds to is this.
void swallow_in_c(Fail fail) {
    const MemoryContext before = CurrentMemoryContext;
    PG_TRY();
    { fail(); }
    PG_CATCH();
    {
        MemoryContextSwitchTo(before);
        FlushErrorState();
    }
    PG_END_TRY();
}

// One entry() whose body fails, and PostgreSQL's handler around it.
void through_entry(Fail fail) {
    static constinit Fail failing = nullptr;
    failing = fail;
    swallow_in_c([] { pg::entry([] { failing(); }); });
}

} // namespace

// (what, times): nanoseconds of one.
MEMORY_FUNCTION(door_nanoseconds) {
    const std::string_view what = arguments.text(0).value();
    const int times = DatumGetInt32(arguments.datum(1));
    const auto timed = [&]() -> double {
        if (what == "a function")
            return nanoseconds(times, [] { count(); });
        if (what == "call()")
            return nanoseconds(times, [] { pg::call([] { count(); }); });
        if (what == "entry()")
            return nanoseconds(times, [] { pg::entry([] { count(); }); });
        if (what == "attempt()")
            return nanoseconds(times, [] { pg::attempt([] { count(); }); });
        if (what == "an error in C")
            return nanoseconds(times, [] { swallow_in_c(fail_in_postgres); });
        if (what == "an error through call() and entry()")
            return nanoseconds(times, [] { through_entry([] { pg::call(fail_in_postgres); }); });
        if (what == "an exception through entry()")
            return nanoseconds(times, [] {
                through_entry([] { throw pg::Error(ERRCODE_DIVISION_BY_ZERO, "timed"); });
            });
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "nothing of that name to time");
    };
    return Float8GetDatum(timed());
}

} // namespace door
