// A job that this worker has claimed.
#pragma once

#include "worker/protocol/task.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memory::worker {

struct Job {
    using Clock = std::chrono::steady_clock;

    std::uint64_t number = 0; // in the order of claiming
    std::string id;           // of the claim
    Task task = Task::embed;
    std::string about; // for logs: thing and target
    std::string model;
    std::string url; // may be empty
    std::string options;
    std::optional<int> dimensions;
    std::string payload;            // JSON; not of embed
    std::vector<std::string> texts; // of embed
    int failures = 0;               // before this claim
    Clock::time_point lease_end;

    std::size_t bytes() const {
        std::size_t sum = payload.size();
        for (const std::string &text : texts)
            sum += text.size();
        return sum;
    }
};

} // namespace memory::worker
