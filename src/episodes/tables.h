// The tables of this room, for memory.init().
#pragma once

#include "setup/schema.h"

namespace memory::episodes {

setup::Room room();

} // namespace memory::episodes
