// This room and its tables.
#pragma once

#include "schema/rooms.h"

namespace memory::items {

extern const schema::Room room;

} // namespace memory::items
