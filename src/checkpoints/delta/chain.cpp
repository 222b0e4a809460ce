// When chains end, and how one is read.
#include "checkpoints/delta/chain.h"

#include "checkpoints/delta/checksum.h"

#include <cassert>
#include <numeric>

namespace memory::delta {

bool is_keyframe_due(std::span<const std::size_t> chain, std::size_t delta, std::size_t size) {
    if (chain.empty() || chain.size() >= longest_chain || delta > size / 2)
        return true;
    const std::size_t deltas = std::accumulate(chain.begin() + 1, chain.end(), delta);
    return deltas > chain.front() / 2;
}

const char *rebuild(std::span<const Bytes> chain, const Check &check, std::span<std::uint8_t> to,
                    std::pmr::memory_resource *memory, text::Interruption &interruption) {
    assert(!chain.empty() && to.size() == check.size);
    try {
        std::pmr::vector<Delta> deltas(memory);
        for (const Bytes written : chain.subspan(1))
            deltas.emplace_back(written);
        restore(chain.front(), deltas, to, memory, interruption);
    } catch (const codec::Corrupt &corrupt) {
        return corrupt.what();
    }
    return checksum(to, interruption) == check.checksum ? nullptr : "its checksum is another";
}

} // namespace memory::delta
