// What is asked of models.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace memory::worker {

enum class Task : std::uint8_t { embed, extract, summarize, profile };

constexpr std::array<std::string_view, 4> task_names{"embed", "extract", "summarize", "profile"};

constexpr std::string_view name_of(Task task) { return task_names[static_cast<std::size_t>(task)]; }

constexpr std::optional<Task> task_named(std::string_view name) {
    for (std::size_t n = 0; n < task_names.size(); ++n) {
        if (task_names[n] == name)
            return static_cast<Task>(n);
    }
    return std::nullopt;
}

} // namespace memory::worker
