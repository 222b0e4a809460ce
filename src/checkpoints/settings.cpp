// memory.max_state and memory.checkpoints_kept.
#include "checkpoints/settings.h"

#include "pg/error.h"

namespace memory::checkpoints {

namespace {

constinit int max_state_kilobytes = 64 * 1024;
constinit int kept = 0;

} // namespace

void define_settings() {
    DefineCustomIntVariable("memory.max_state",
                            "The longest state of a checkpoint, with the parts of the same call.",
                            nullptr, &max_state_kilobytes, 64 * 1024, 1, 512 * 1024, PGC_USERSET,
                            GUC_UNIT_KB, nullptr, nullptr, nullptr);
    DefineCustomIntVariable(
        "memory.checkpoints_kept", "How many checkpoints of a session and path are kept; 0 is all.",
        nullptr, &kept, 0, 0, INT_MAX, PGC_USERSET, 0, nullptr, nullptr, nullptr);
}

void check_size(const char *what, std::size_t bytes) {
    const std::size_t most = static_cast<std::size_t>(max_state_kilobytes) * 1024;
    if (bytes > most)
        throw pg::Error(ERRCODE_PROGRAM_LIMIT_EXCEEDED,
                        "%s have %zu bytes, more than memory.max_state allows (%zu)", what, bytes,
                        most)
            .hint("Raise memory.max_state, or keep elsewhere what is large.");
}

std::int64_t checkpoints_kept() { return kept; }

} // namespace memory::checkpoints
