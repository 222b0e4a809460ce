// A user's shard is the low bits of its hash.
#include "scale/shard.h"

#include "facts/algebra/sha256.h"

#include <cassert>

namespace memory::scale {

bool is_shard_count(std::int64_t shards) noexcept {
    return shards > 0 && (shards & (shards - 1)) == 0;
}

std::int64_t shard_of(std::string_view user, std::int64_t shards) {
    assert(is_shard_count(shards));
    facts::algebra::Sha256 sha256;
    sha256.add(user);
    const auto digest = sha256.digest();
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < sizeof hash; ++i)
        hash = hash << 8 | digest[i];
    return static_cast<std::int64_t>(hash & static_cast<std::uint64_t>(shards - 1));
}

} // namespace memory::scale
