// This room and its table.
#pragma once

#include "schema/rooms.h"

namespace memory::models {

extern const schema::Room room;

} // namespace memory::models
