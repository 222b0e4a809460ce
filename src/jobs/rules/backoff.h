// When a job that has failed is tried again. Pure: no PostgreSQL header.
#pragma once

#include <algorithm>
#include <cstdint>

namespace memory::jobs::rules {

// After so many attempts a job has failed for good.
inline constexpr std::int32_t most_attempts = 8;

// Seconds until the next attempt, after so many: 2, 4, 8, …, an hour at most.
constexpr std::int64_t seconds_after(std::int32_t attempts) noexcept {
    constexpr std::int64_t an_hour = 3600;
    constexpr std::int32_t more_than_an_hour = 12;
    return std::min(an_hour, std::int64_t{1} << std::clamp(attempts, 0, more_than_an_hour));
}

} // namespace memory::jobs::rules
