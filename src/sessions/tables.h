// This room and its table.
#pragma once

#include "schema/rooms.h"

namespace memory::sessions {

extern const schema::Room room;

} // namespace memory::sessions
