// Any bytes are refused or read as a delta within its bounds; what is written is read back, also
// through a chain.
#include "checkpoints/delta/delta.h"

#include "fuzz/codec_fuzz.h"

namespace {

using namespace codec_fuzz;
using memory::delta::Delta;

std::string restored(std::string_view keyframe, const std::vector<std::string> &chain) {
    std::vector<Delta> deltas;
    for (const std::string &written : chain)
        deltas.emplace_back(as_bytes(written));
    constexpr std::size_t most = 1 << 20; // what a damaged head says may be 1 GB
    if (!deltas.empty() && deltas.back().target_size() > most)
        throw Corrupt("too long for this test");
    std::string to(deltas.empty() ? keyframe.size() : deltas.back().target_size(), '?');
    memory::delta::restore(as_bytes(keyframe), deltas,
                           {reinterpret_cast<std::uint8_t *>(to.data()), to.size()},
                           std::pmr::get_default_resource(), memory::text::Interruption::none());
    return to;
}

void read_anything(FuzzedDataProvider &data) {
    const std::string keyframe = data.ConsumeRandomLengthString(300);
    std::vector<std::string> chain;
    while (data.remaining_bytes() > 0 && chain.size() < 4)
        chain.push_back(data.ConsumeRandomLengthString(300));
    try {
        (void)restored(keyframe, chain);
    } catch (const Corrupt &) {
    }
}

// Versions share parts that the fuzzer chooses.
void write_and_read(FuzzedDataProvider &data) {
    const std::string keyframe = data.ConsumeRandomLengthString(400);
    std::string state = keyframe;
    std::vector<std::string> chain;
    while (data.remaining_bytes() > 0 && chain.size() < 8) {
        std::string next;
        while (data.ConsumeBool() && next.size() < 2000) {
            const std::size_t at = data.ConsumeIntegralInRange<std::size_t>(0, state.size());
            next += state.substr(at, data.ConsumeIntegral<std::uint8_t>());
            next += data.ConsumeRandomLengthString(20);
        }
        ByteBuffer buffer = new_buffer();
        memory::delta::write(as_bytes(state), as_bytes(next), buffer,
                             memory::text::Interruption::none());
        chain.emplace_back(buffer.begin(), buffer.end());
        state = next;
        require(restored(keyframe, chain) == state, "a version is read back");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *bytes, std::size_t size) {
    FuzzedDataProvider data(bytes, size);
    if (data.ConsumeBool())
        read_anything(data);
    else
        write_and_read(data);
    return 0;
}
