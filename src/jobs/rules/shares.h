// How one call's jobs are shared out among tasks: evenly, and what one of them has not goes to the
// others. Pure: no PostgreSQL header.
#pragma once

#include "jobs/rules/task.h"

#include <cstdint>
#include <span>

namespace memory::jobs::rules {

// Calls take(task, most), which says how many it has looked at and how many of these were handed
// out, until `wanted` are handed out or no task has more. A task that looks at fewer than it was
// asked for has no more.
struct Taken {
    std::int64_t looked_at;
    std::int64_t handed_out;
};

template <class Take>
void share(std::span<const Task> tasks, std::int64_t wanted, Take &&take) {
    std::array<Task, task_words.size()> left{};
    std::size_t count = 0;
    for (const Task task : tasks)
        left[count++] = task;
    while (count > 0 && wanted > 0) {
        std::size_t kept = 0;
        for (std::size_t n = 0; n < count && wanted > 0; ++n) {
            const auto others = static_cast<std::int64_t>(count - n);
            const std::int64_t part = (wanted + others - 1) / others;
            const Taken taken = take(left[n], part);
            wanted -= taken.handed_out;
            if (taken.looked_at >= part)
                left[kept++] = left[n];
        }
        count = kept;
    }
}

} // namespace memory::jobs::rules
