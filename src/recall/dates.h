// Dates that a query names, and whether a row is of one.
#pragma once

#include "pg/datum.h"
#include "text/dates.h"

#include <span>

extern "C" {
#include "datatype/timestamp.h"
}

namespace memory::recall {

// Those of a query; most have none. What is counted back is counted from the time of the statement,
// or from `until` where that is earlier, in the time zone of the session.
std::pmr::vector<text::NamedDate> dates_of_query(std::string_view query,
                                                 std::optional<pg::Instant> until,
                                                 std::pmr::memory_resource *memory);

// Whether a time is in one of them, in the time zone of the session.
bool is_of(TimestampTz time, std::span<const text::NamedDate> dates);

// By ISO 8601: 2026-11-19, 2026-11, 2026, and --11-19 of any year. Ends with a zero.
using WrittenDate = std::array<char, 40>;
WrittenDate iso_date(const text::NamedDate &date);

} // namespace memory::recall
