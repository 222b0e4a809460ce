// XXH64 as its specification has it: four lanes of eight bytes, merged, then what is left.
#include "checkpoints/delta/checksum.h"

#include "checkpoints/delta/format.h"

#include <array>

namespace memory::delta {

namespace {

constexpr std::uint64_t prime_1 = 0x9E3779B185EBCA87U;
constexpr std::uint64_t prime_2 = 0xC2B2AE3D27D4EB4FU;
constexpr std::uint64_t prime_3 = 0x165667B19E3779F9U;
constexpr std::uint64_t prime_4 = 0x85EBCA77C2B2AE63U;
constexpr std::uint64_t prime_5 = 0x27D4EB2F165667C5U;
constexpr std::size_t stripe = 32;

constexpr std::uint64_t rounded(std::uint64_t lane, std::uint64_t input) {
    return std::rotl(lane + input * prime_2, 31) * prime_1;
}

using Lanes = std::array<std::uint64_t, 4>;

void add(Bytes stripes, Lanes &lanes) {
    const std::uint8_t *const end = stripes.data() + stripes.size();
    for (const std::uint8_t *at = stripes.data(); at < end; at += stripe)
        for (std::size_t i = 0; i < lanes.size(); ++i)
            lanes[i] = rounded(lanes[i], codec::load<std::uint64_t>(at + 8 * i));
}

// The lanes of whole stripes, merged.
std::uint64_t merged(Bytes stripes, text::Interruption &interruption) {
    Lanes lanes{prime_1 + prime_2, prime_2, 0, std::uint64_t{0} - prime_1};
    text::Pause pause(interruption);
    for (std::size_t done = 0; done < stripes.size(); done += part_size) {
        const Bytes part = stripes.subspan(done, std::min(part_size, stripes.size() - done));
        add(part, lanes);
        pause.step(part.size());
    }
    std::uint64_t sum = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) +
                        std::rotl(lanes[3], 18);
    for (const std::uint64_t lane : lanes)
        sum = (sum ^ rounded(0, lane)) * prime_1 + prime_4;
    return sum;
}

} // namespace

std::uint64_t checksum(codec::Bytes bytes, text::Interruption &interruption) {
    const std::size_t whole = bytes.size() - bytes.size() % stripe;
    std::uint64_t sum = whole > 0 ? merged(bytes.first(whole), interruption) : prime_5;
    sum += bytes.size();
    const std::uint8_t *at = bytes.data() + whole;
    const std::uint8_t *const end = bytes.data() + bytes.size();
    for (; end - at >= 8; at += 8)
        sum = std::rotl(sum ^ rounded(0, codec::load<std::uint64_t>(at)), 27) * prime_1 + prime_4;
    if (end - at >= 4) {
        sum = std::rotl(sum ^ codec::load<std::uint32_t>(at) * prime_1, 23) * prime_2 + prime_3;
        at += 4;
    }
    for (; at < end; ++at)
        sum = std::rotl(sum ^ *at * prime_5, 11) * prime_1;
    sum = (sum ^ (sum >> 33)) * prime_2;
    sum = (sum ^ (sum >> 29)) * prime_3;
    return sum ^ (sum >> 32);
}

} // namespace memory::delta
