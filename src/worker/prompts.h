// The prompts that the program brings along.
#pragma once

#include "worker/protocol/task.h"

#include <string_view>

namespace memory::worker {

// Of src/worker/prompts; empty for embed, which has none.
std::string_view own_prompt(Task task);

} // namespace memory::worker
