// This room and its table.
#pragma once

#include "schema/rooms.h"

namespace memory::retention {

extern const schema::Room room;

} // namespace memory::retention
