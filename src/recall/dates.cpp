// Keeps the names of the months for the backend's life, and takes times apart.
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

struct Months {
    explicit Months(MemoryContext context) : resource(context), names(&resource) {}
    pg::ContextResource resource;
    text::MonthNames names;
};

constinit Months *months = nullptr;

// Made below the current context, so that a failure leaves nothing; then they stay.
const text::MonthNames &month_names() {
    if (months == nullptr) {
        const MemoryContext context = pg::call([] {
            return AllocSetContextCreate(CurrentMemoryContext, "memory month names",
                                         ALLOCSET_SMALL_SIZES);
        });
        Months *made = pg::make_in<Months>(context, context);
        pg::call([context] { MemoryContextSetParent(context, TopMemoryContext); });
        months = made;
    }
    return months->names;
}

// A date has a digit, of ASCII or of another script.
bool may_name_date(std::string_view query) {
    return std::any_of(query.begin(), query.end(), [](char byte) {
        return (byte >= '0' && byte <= '9') || static_cast<signed char>(byte) < 0;
    });
}

} // namespace

std::pmr::vector<text::NamedDate> dates_of_query(std::string_view query,
                                                 std::pmr::memory_resource *memory) {
    if (!may_name_date(query))
        return std::pmr::vector<text::NamedDate>(memory);
    return text::named_dates(query, month_names(), memory, text::server_interruption);
}

bool is_of(TimestampTz time, std::span<const text::NamedDate> dates) {
    if (dates.empty() || TIMESTAMP_NOT_FINITE(time))
        return false;
    pg_tm parts{};
    int zone = 0;
    fsec_t fraction = 0;
    const bool known = pg::call(
        [&] { return timestamp2tm(time, &zone, &parts, &fraction, nullptr, nullptr) == 0; });
    return known && std::any_of(dates.begin(), dates.end(), [&](const text::NamedDate &date) {
               return (date.year == 0 || date.year == parts.tm_year) &&
                      (date.month == 0 || date.month == parts.tm_mon) &&
                      (date.day == 0 || date.day == parts.tm_mday);
           });
}

} // namespace memory::recall
