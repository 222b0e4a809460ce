// Files that the build makes texts of (tools/worker.mk).
#include "worker/prompts.h"

#include <array>

namespace memory::worker {

namespace {

constexpr std::array<std::string_view, task_names.size()> prompts{
    "",
#include "prompts/extract.inc"
    ,
#include "prompts/summarize.inc"
    ,
#include "prompts/profile.inc"
};

} // namespace

std::string_view own_prompt(Task task) { return prompts[static_cast<std::size_t>(task)]; }

} // namespace memory::worker
