// Puts together the time, its fraction as a counter (RFC 9562, section 6.2, method 3), and random
// bits.
#include "pg/uuid7.h"

#include "pg/call.h"
#include "pg/random.h"

extern "C" {
#include "port/pg_bswap.h"
}

namespace memory::pg {

namespace {

constinit std::uint64_t last_tick = 0;

// The time in units of 1/4096 ms, greater than in every call before.
std::uint64_t next_tick() {
    constexpr std::int64_t unix_epoch_microseconds =
        (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * std::int64_t{USECS_PER_DAY};
    const auto now = static_cast<std::uint64_t>(GetCurrentTimestamp() + unix_epoch_microseconds);
    const std::uint64_t tick = (now / 1000) << 12 | ((now % 1000) * 4096 / 1000);
    last_tick = std::max(tick, last_tick + 1);
    return last_tick;
}

} // namespace

pg_uuid_t new_id() {
    const std::uint64_t tick = next_tick();
    const std::uint64_t high =
        pg_hton64((tick >> 12) << 16 | std::uint64_t{7} << 12 | (tick & 0xfff));
    const std::uint64_t low = pg_hton64(std::uint64_t{2} << 62 | (random_bits() >> 2));
    pg_uuid_t id;
    std::memcpy(id.data, &high, sizeof high);
    std::memcpy(id.data + 8, &low, sizeof low);
    return id;
}

} // namespace memory::pg
