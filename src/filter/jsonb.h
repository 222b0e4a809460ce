// A jsonb as a filter, and its mistakes as errors.
#pragma once

#include "filter/language/parser.h"
#include "json/jsonb_sql.h"

namespace memory::filter {

// The condition that `jsonb` is; it must be an object. A mistake in it is an error that names
// `filter`. Views the jsonb.
language::Condition parsed(const pg::JsonValue &jsonb, json::JsonbReader &reader,
                           std::pmr::memory_resource *memory);

} // namespace memory::filter
