// The tables of this room, for memory.init().
#pragma once

#include "setup/schema.h"

namespace memory::facts {

std::span<const setup::Step> table_steps();

} // namespace memory::facts
