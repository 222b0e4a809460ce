// Whether a server is asked now. After failures in a row it is left alone, longer each time, and
// then asked once, until it answers.
#pragma once

#include "worker/protocol/backoff.h"

#include <chrono>
#include <cstddef>

namespace memory::worker {

class Breaker {
  public:
    using Clock = std::chrono::steady_clock;
    using Duration = Backoff::Duration;

    bool is_open(Clock::time_point now) const { return now < closes_at_; }
    // Until when nothing is asked.
    Clock::time_point closes_at() const { return closes_at_; }
    // Whether one more request may start beside those that are under way.
    bool lets_pass(Clock::time_point now, std::size_t under_way) const {
        return !is_open(now) && (!is_on_trial() || under_way == 0);
    }
    // It has failed, and has not answered since.
    bool is_on_trial() const { return failures_ >= patience; }
    int failures() const { return failures_; }

    void succeeded() {
        failures_ = 0;
        backoff_.reset();
    }
    void failed(Clock::time_point now) {
        if (++failures_ >= patience)
            closes_at_ = now + backoff_.next();
    }
    // As the server asks.
    void wait(Clock::time_point now, Duration time) {
        closes_at_ = std::max(closes_at_, now + time);
    }
    // It answers nothing at the moment: one failure is enough.
    void refused_all(Clock::time_point now) {
        failures_ = std::max(failures_ + 1, patience);
        closes_at_ = now + backoff_.next();
    }

    static constexpr Duration least{500};
    static constexpr Duration most{60000};
    static constexpr int patience = 3; // failures before it is left alone

  private:
    Backoff backoff_{least, most};
    Clock::time_point closes_at_{};
    int failures_ = 0;
};

} // namespace memory::worker
