// This room and its tables.
#pragma once

#include "schema/rooms.h"

namespace memory::blocks {

extern const schema::Room room;

} // namespace memory::blocks
