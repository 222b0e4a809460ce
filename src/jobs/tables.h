// This room and its tables.
#pragma once

#include "schema/rooms.h"

namespace memory::jobs {

extern const schema::Room room;

} // namespace memory::jobs
