// This room and its tables.
#pragma once

#include "schema/rooms.h"

namespace memory::episodes {

extern const schema::Room room;

} // namespace memory::episodes
