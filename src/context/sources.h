// Where the memories of a prompt come from. What is returned views the current memory context, and
// is in the order in which it matters. All of it needs a live Spi.
#pragma once

#include "context/prompt/prompt.h"
#include "context/question.h"

#include <vector>

namespace memory::context {

using Memories = std::pmr::vector<prompt::Memory>;

// How many episodes a prompt may be made of, and how many facts, and how many messages: so few that
// ranking them is quick, and that facts leave room for messages.
std::int64_t considered(const Question &question);

// The blocks that are pinned, in the order of their places.
Memories pinned(const Question &question, std::pmr::memory_resource *memory);

// Episodes that answer the question, or the newest where nothing is asked, but for `others`.
Memories recalled(const Question &question, std::span<const pg_uuid_t> others,
                  std::pmr::memory_resource *memory);

// Current facts: those that answer the question, and then the newest.
Memories current_facts(const Question &question, std::pmr::memory_resource *memory);

} // namespace memory::context
