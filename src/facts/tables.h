// The tables of this room, for memory.init().
#pragma once

#include "setup/schema.h"

namespace memory::facts {

setup::Room room();

} // namespace memory::facts
