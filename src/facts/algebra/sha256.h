// SHA-256 (FIPS 180-4) of short texts, for keys of an index. The server's own (common/cryptohash.h)
// goes through OpenSSL, which took 5 % of an assertion for twenty bytes, and may be configured to
// refuse.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace memory::facts::algebra {

class Sha256 {
  public:
    void add(std::string_view bytes);
    // Of all bytes that were added. Last.
    std::array<std::uint8_t, 32> digest();

  private:
    static constexpr std::size_t block_size = 64;

    void add(std::uint8_t byte);
    void take_block();

    std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::uint8_t, block_size> block_{};
    std::uint64_t size_ = 0; // of what was added
};

// The first 64 bits of SHA-256 of the namespace, a byte 0, and the user. No text of PostgreSQL's
// contains a byte 0, so different pairs are different bytes.
std::uint64_t tenant_hash(std::string_view name_space, std::string_view user);

} // namespace memory::facts::algebra
