// This room and its tables.
#pragma once

#include "schema/rooms.h"

namespace memory::checkpoints {

extern const schema::Room room;

} // namespace memory::checkpoints
