// memory.max_content.
#include "episodes/settings.h"

#include "pg/backend.h"

namespace memory::episodes {

namespace {

constinit int max_content_kilobytes = 1024;

} // namespace

void define_settings() {
    DefineCustomIntVariable("memory.max_content", "The longest content or response of an episode.",
                            nullptr, &max_content_kilobytes, 1024, 1, 256 * 1024, PGC_USERSET,
                            GUC_UNIT_KB, nullptr, nullptr, nullptr);
}

std::size_t max_content() { return static_cast<std::size_t>(max_content_kilobytes) * 1024; }

} // namespace memory::episodes
