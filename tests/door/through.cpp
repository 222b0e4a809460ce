// Errors on their way through C++, and through C++ and PostgreSQL in turns.
#include "fail.h"
#include "pg/spi.h"

extern "C" {
#include "utils/regproc.h"
}

namespace door {

namespace {

// What a comparator is told, by a static as in PostgreSQL's own sorts.
constinit Fail comparator_failure = nullptr;

int compare_or_fail(const void *left, const void *right) {
    return pg::entry([=] {
        const Live live;
        const int a = *static_cast<const int *>(left);
        const int b = *static_cast<const int *>(right);
        if (a == 3 || b == 3)
            comparator_failure();
        return a < b ? -1 : a > b;
    });
}

} // namespace

// (sql): runs it through SPI.
MEMORY_FUNCTION(door_execute) {
    const Live live;
    const std::string sql(arguments.text(0).value());
    const pg::Spi spi;
    pg::run_utility(sql.c_str());
    return pg::to_datum(true);
}

// (function): calls it as PostgreSQL's own code would.
MEMORY_FUNCTION(door_call) {
    const Live live;
    const Oid function = DatumGetObjectId(arguments.datum(0));
    return pg::call([function] { return OidFunctionCall0(function); });
}

// (depth, how): itself, `depth` times over, through PostgreSQL's function manager; then fails.
MEMORY_FUNCTION(door_descend) {
    const Live live;
    const int depth = DatumGetInt32(arguments.datum(0));
    if (depth == 0) {
        failure(arguments.text(1).value())();
        return pg::to_datum(true);
    }
    const Oid self = arguments.raw()->flinfo->fn_oid;
    const Datum how = arguments.datum(1);
    return pg::call([=] { return OidFunctionCall2(self, Int32GetDatum(depth - 1), how); });
}

// (how): the same failure in a comparator that PostgreSQL's sort calls.
MEMORY_FUNCTION(door_fail_in_comparator) {
    const Live live;
    std::array<int, 8> numbers{5, 3, 8, 1, 7, 2, 6, 4};
    comparator_failure = failure(arguments.text(0).value());
    pg::call(
        [&numbers] { pg_qsort(numbers.data(), numbers.size(), sizeof(int), compare_or_fail); });
    return pg::to_datum(std::is_sorted(numbers.begin(), numbers.end()));
}

// A warning on the way is no error.
MEMORY_FUNCTION(door_warn) {
    const Live live;
    pg::call([] { ereport(WARNING, (errmsg("only a warning"))); });
    return pg::to_datum(!pg::error_in_flight());
}

// Works on with objects until something interrupts it.
MEMORY_FUNCTION(door_spin) {
    const Live live;
    for (;;) {
        const std::string fresh(100, 'x');
        pg::check_for_interrupts();
    }
    return arguments.null_result();
}

// (times): what check_for_interrupts() lets through when nothing interrupts.
MEMORY_FUNCTION(door_check_for_interrupts) {
    const std::int32_t times = DatumGetInt32(arguments.datum(0));
    std::int32_t done = 0;
    for (; done < times; ++done)
        pg::check_for_interrupts();
    return pg::to_datum(done);
}

// The error that comes when a cancel has been asked for: at the check, not before it.
MEMORY_FUNCTION(door_cancel_myself) {
    const Live live;
    pg::call([] {
        InterruptPending = true;
        QueryCancelPending = true;
    });
    const bool came_here = true;
    pg::check_for_interrupts();
    return pg::to_datum(!came_here);
}

} // namespace door
