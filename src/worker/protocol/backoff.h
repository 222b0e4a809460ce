// Waiting that doubles: between two looks for work, and between two tries to reach a server.
#pragma once

#include <algorithm>
#include <chrono>

namespace memory::worker {

class Backoff {
  public:
    using Duration = std::chrono::milliseconds;

    // `least` is more than nothing.
    constexpr Backoff(Duration least, Duration most) : least_(least), most_(most), next_(least) {}

    // How long to wait this time; the next time twice as long, up to the most.
    constexpr Duration next() {
        const Duration now = next_;
        next_ = std::min(next_ * 2, most_);
        return now;
    }
    constexpr void reset() { next_ = least_; }

  private:
    Duration least_;
    Duration most_;
    Duration next_;
};

} // namespace memory::worker
