// This room, which is about the rows of all others (docs/lifecycle.md).
#pragma once

#include "schema/rooms.h"

namespace memory::lifecycle {

extern const schema::Room room;

} // namespace memory::lifecycle
