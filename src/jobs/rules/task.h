// What models are asked to do, and their words in SQL. Pure: no PostgreSQL header.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace memory::jobs::rules {

enum class Task { embed, extract, summarize, profile };

inline constexpr std::array<std::string_view, 4> task_words{"embed", "extract", "summarize",
                                                            "profile"};

constexpr std::string_view word_of(Task task) noexcept {
    return task_words[static_cast<std::size_t>(task)];
}

constexpr std::optional<Task> task_named(std::string_view word) noexcept {
    for (std::size_t n = 0; n < task_words.size(); ++n)
        if (task_words[n] == word)
            return static_cast<Task>(n);
    return std::nullopt;
}

} // namespace memory::jobs::rules
