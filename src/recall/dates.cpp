// Keeps what ICU says of dates for the backend's life, and takes times apart.
#include "recall/dates.h"

#include "pg/call.h"
#include "pg/memory.h"
#include "text/interruption_sql.h"

extern "C" {
#include "pgtime.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"
}

namespace memory::recall {

namespace {

struct Reader {
    explicit Reader(MemoryContext context) : resource(context), dates(&resource) {}
    pg::ContextResource resource;
    text::DateReader dates;
};

constinit Reader *kept_reader = nullptr;

// Made below the current context, so that a failure leaves nothing; then it stays.
text::DateReader &reader() {
    if (kept_reader == nullptr) {
        const MemoryContext context = pg::call([] {
            return AllocSetContextCreate(CurrentMemoryContext, "memory names of dates",
                                         ALLOCSET_SMALL_SIZES);
        });
        Reader *made = pg::make_in<Reader>(context, context);
        pg::call([context] { MemoryContextSetParent(context, TopMemoryContext); });
        kept_reader = made;
    }
    return kept_reader->dates;
}

// Empty of a time that has none.
text::NamedDate day_of(TimestampTz time) {
    pg_tm parts{};
    int zone = 0;
    fsec_t fraction = 0;
    if (TIMESTAMP_NOT_FINITE(time) || pg::call([&] {
            return timestamp2tm(time, &zone, &parts, &fraction, nullptr, nullptr) != 0;
        }))
        return {};
    return {parts.tm_year, parts.tm_mon, parts.tm_mday};
}

} // namespace

std::pmr::vector<text::NamedDate> dates_of_query(std::string_view query,
                                                 std::optional<pg::Instant> until,
                                                 std::pmr::memory_resource *memory) {
    const TimestampTz now = GetCurrentStatementStartTimestamp();
    const text::NamedDate today = day_of(until ? std::min(now, until->time) : now);
    // Before the first year there is nothing to count back.
    return reader().read(query, today.year > 0 ? today : text::NamedDate(), memory,
                         text::server_interruption);
}

bool is_of(TimestampTz time, std::span<const text::NamedDate> dates) {
    if (dates.empty())
        return false;
    const text::NamedDate its = day_of(time);
    return its.day != 0 && std::any_of(dates.begin(), dates.end(), [&](const auto &date) {
               return (date.year == 0 || date.year == its.year) &&
                      (date.month == 0 || date.month == its.month) &&
                      (date.day == 0 || date.day == its.day);
           });
}

WrittenDate iso_date(const text::NamedDate &date) {
    WrittenDate text;
    if (date.year == 0)
        std::snprintf(text.data(), text.size(), "--%02d-%02d", date.month, date.day);
    else if (date.month == 0)
        std::snprintf(text.data(), text.size(), "%04d", date.year);
    else if (date.day == 0)
        std::snprintf(text.data(), text.size(), "%04d-%02d", date.year, date.month);
    else
        std::snprintf(text.data(), text.size(), "%04d-%02d-%02d", date.year, date.month, date.day);
    return text;
}

} // namespace memory::recall
