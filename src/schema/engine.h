// Whether an engine that spreads tables over nodes is there (shards.h).
#pragma once

namespace memory::schema {

bool has_engine();

} // namespace memory::schema
