// The compression function and the padding of SHA-256, in the standard's own names.
#include "facts/algebra/sha256.h"

#include <bit>

namespace memory::facts::algebra {

namespace {

constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using Schedule = std::array<std::uint32_t, 64>;

Schedule schedule_of(const std::array<std::uint8_t, 64> &block) {
    Schedule w;
    for (std::size_t t = 0; t < 16; ++t)
        w[t] = std::uint32_t{block[4 * t]} << 24 | std::uint32_t{block[4 * t + 1]} << 16 |
               std::uint32_t{block[4 * t + 2]} << 8 | std::uint32_t{block[4 * t + 3]};
    for (std::size_t t = 16; t < w.size(); ++t) {
        const std::uint32_t sigma0 =
            std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
        const std::uint32_t sigma1 =
            std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t] = w[t - 16] + sigma0 + w[t - 7] + sigma1;
    }
    return w;
}

} // namespace

void Sha256::take_block() {
    const Schedule w = schedule_of(block_);
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t t = 0; t < w.size(); ++t) {
        const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const std::uint32_t choice = (e & f) ^ (~e & g);
        const std::uint32_t first = h + sum1 + choice + round_constants[t] + w[t];
        const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + sum0 + majority;
    }
    const std::array<std::uint32_t, 8> added{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state_.size(); ++i)
        state_[i] += added[i];
}

void Sha256::add(std::uint8_t byte) {
    block_[size_ % block_size] = byte;
    if (++size_ % block_size == 0)
        take_block();
}

void Sha256::add(std::string_view bytes) {
    for (const char byte : bytes)
        add(static_cast<std::uint8_t>(byte));
}

std::array<std::uint8_t, 32> Sha256::digest() {
    const std::uint64_t bits = 8 * size_;
    add(std::uint8_t{0x80});
    while (size_ % block_size != block_size - sizeof bits)
        add(std::uint8_t{0});
    for (int shift = 56; shift >= 0; shift -= 8)
        add(static_cast<std::uint8_t>(bits >> shift));
    std::array<std::uint8_t, 32> result;
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = static_cast<std::uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
    return result;
}

std::uint64_t tenant_hash(std::string_view name_space, std::string_view user) {
    Sha256 sha256;
    sha256.add(name_space);
    sha256.add(std::string_view("\0", 1));
    sha256.add(user);
    const std::array<std::uint8_t, 32> digest = sha256.digest();
    std::uint64_t beginning = 0;
    for (std::size_t i = 0; i < sizeof beginning; ++i)
        beginning = beginning << 8 | digest[i];
    return beginning;
}

} // namespace memory::facts::algebra
