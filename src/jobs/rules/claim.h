// The id of a claim: what next_jobs() gives a worker and finish_job() finds the job by. Pure: no
// PostgreSQL header.
//
//     embed-0002e0c5f3a91b40-0190a4c2d1e87b3f8c5d2e6f7a8b9c0d-9f86d081884c7d65
//     task  due              target                           token
//
// The first three are where index memory.jobs_due has the job, the token says that it is this claim
// of it. All of it is in lower case, so that an id is written in one way only.
#pragma once

#include "jobs/rules/task.h"

#include <cstdint>
#include <memory_resource>
#include <string>

namespace memory::jobs::rules {

struct Claim {
    Task task;
    std::int64_t due; // in microseconds, as PostgreSQL has it
    std::array<std::uint8_t, 16> target;
    std::uint64_t token;

    friend bool operator==(const Claim &, const Claim &) = default;
};

// The longest id.
inline constexpr std::size_t longest_claim = 76;

std::pmr::string written(const Claim &claim, std::pmr::memory_resource *memory);

// Nothing where the text is not what written() makes.
std::optional<Claim> read_claim(std::string_view text) noexcept;

} // namespace memory::jobs::rules
