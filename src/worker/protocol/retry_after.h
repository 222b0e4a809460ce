// How long a server asks to be left alone.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace memory::worker {

// The value of a header Retry-After: seconds, with a fraction too, or a date of HTTP (RFC 9110,
// 10.2.3), which is compared with `now`. A date that is over is no wait at all. Nothing where it is
// neither. At most a day.
std::optional<std::chrono::milliseconds> parse_retry_after(std::string_view value,
                                                           std::chrono::sys_seconds now);

} // namespace memory::worker
