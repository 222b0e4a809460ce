// This room and its tables. (Those of the log are in sessions/.)
#pragma once

#include "schema/rooms.h"

namespace memory::conversations {

extern const schema::Room room;

} // namespace memory::conversations
