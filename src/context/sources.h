// Where the memories of a prompt come from. What is returned views the current memory context, and
// is in the order in which it matters. All of it needs a live Spi.
#pragma once

#include "context/prompt/prompt.h"
#include "context/question.h"

#include <vector>

namespace memory::context {

using Memories = std::pmr::vector<prompt::Memory>;

// How many facts, and how many messages, a prompt may be made of.
std::int64_t others_considered(const Question &question);

// Episodes that answer the question, or the newest where nothing is asked, but for `others`; as
// many as half of the budget could hold.
Memories recalled(const Question &question, std::span<const pg_uuid_t> others,
                  std::pmr::memory_resource *memory);

// Current facts: those that answer the question, and then the newest.
Memories current_facts(const Question &question, std::pmr::memory_resource *memory);

} // namespace memory::context
