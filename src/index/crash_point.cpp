// The setting memory.crash_at, and the PANIC at the place that it names.
#include "index/crash_point.h"

#include "pg/call.h"

extern "C" {
#include "access/xlog.h"
}

namespace memory::index {

namespace {

constinit char *crash_at = nullptr;

} // namespace

void define_crash_points() {
    DefineCustomStringVariable(
        "memory.crash_at", "For tests: where in the index the server is to die.", nullptr,
        &crash_at, "", PGC_SUSET, GUC_NO_SHOW_ALL | GUC_NOT_IN_SAMPLE, nullptr, nullptr, nullptr);
}

void crash_point(const char *name) {
    if (crash_at == nullptr || *crash_at == '\0') [[likely]]
        return;
    if (std::strcmp(crash_at, name) == 0)
        pg::call([name] {
            XLogFlush(XactLastRecEnd); // recovery is to find all that has been done
            elog(PANIC, "memory.crash_at: %s", name);
        });
}

} // namespace memory::index
