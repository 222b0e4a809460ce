// The parts of a session and path: which are there, by name and version.
#pragma once

#include "checkpoints/refs.h"
#include "checkpoints/versions.h"

namespace memory::checkpoints {

struct Part {
    Ref ref;
    std::string_view type;
    std::optional<std::int64_t> number; // of its data; nothing: it is known to be empty
};

// Those of `wanted` that are there, in the order of names and versions. What they hold is in the
// current memory context. Needs a live Spi.
std::pmr::vector<Part> find_parts(const Path &path, std::span<const Ref> wanted,
                                  pg::SnapshotOf snapshot, std::pmr::memory_resource *memory);

// Null where it is not among them.
const Part *find(std::span<const Part> parts, const Ref &ref);

// A part as a call gives it.
struct GivenPart {
    Ref ref;
    std::string_view type;
    std::optional<pg::Bytes> data; // nothing: it is known to be empty
};

// Writes those that are not there yet, each against the version of the same name in `before`;
// returns how many numbers, from `number` on, that took. Needs a live Spi and the store's lock.
std::int64_t write_parts(const Path &path, std::span<const GivenPart> given, const Refs &before,
                         Versions &versions, std::int64_t number,
                         std::pmr::memory_resource *memory);

} // namespace memory::checkpoints
