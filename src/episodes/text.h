// The text that an episode is recalled by.
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>

namespace memory::episodes {

// As memory_internal.episode_text(); of a missing text, the empty one.
inline std::pmr::string recalled_text(std::string_view content, std::string_view response,
                                      std::pmr::memory_resource *memory) {
    std::pmr::string text(content, memory);
    if (!content.empty() && !response.empty())
        text += '\n';
    return text += response;
}

} // namespace memory::episodes
