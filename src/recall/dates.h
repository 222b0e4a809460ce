// Dates that a query names, and whether a row is of one.
#pragma once

#include "pg/backend.h"
#include "text/dates.h"

#include <span>

extern "C" {
#include "datatype/timestamp.h"
}

namespace memory::recall {

// Those of a query; most have none.
std::pmr::vector<text::NamedDate> dates_of_query(std::string_view query,
                                                 std::pmr::memory_resource *memory);

// Whether a time is in one of them, in the time zone of the session.
bool is_of(TimestampTz time, std::span<const text::NamedDate> dates);

} // namespace memory::recall
