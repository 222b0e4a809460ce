// Which of many databases has a user (docs/scale.md). Clients calculate it, too, in any language:
// the answer for a user and a number of shards never changes.
#pragma once

#include <cstdint>
#include <string_view>

namespace memory::scale {

// Shards are counted by a power of two, so that twice as many split each in two.
bool is_shard_count(std::int64_t shards) noexcept;

// From 0: the first 64 bits of SHA-256 of the user in UTF-8, a big-endian number, modulo `shards`.
// The anonymous user is the empty text. So shard_of(user, 2 * n) is either shard_of(user, n) or n
// more than it. Requires is_shard_count(shards).
std::int64_t shard_of(std::string_view user, std::int64_t shards);

} // namespace memory::scale
