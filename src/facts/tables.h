// This room and its tables.
#pragma once

#include "schema/rooms.h"

namespace memory::facts {

extern const schema::Room room;

} // namespace memory::facts
