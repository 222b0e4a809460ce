// When to look for jobs of some tasks, and for how many.
#pragma once

#include "worker/protocol/backoff.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace memory::worker {

// Between two looks that find nothing the time doubles, from 50 ms on.
class Claims {
  public:
    using Clock = std::chrono::steady_clock;

    // So many jobs of these tasks are held at once.
    Claims(std::vector<std::string> names, std::size_t at_once, Backoff::Duration longest)
        : tasks(std::move(names)), most(at_once), backoff_(std::chrono::milliseconds(50), longest) {
    }

    // A look is worth its while where half of what is held is gone, and where the last one found
    // less than it asked for, some time later.
    bool is_due(Clock::time_point now, std::size_t held) const {
        return now >= next_ && held <= most / 2;
    }
    Clock::time_point next() const { return next_; }
    void found(Clock::time_point now, std::size_t asked, std::size_t jobs) {
        was_empty_ = jobs == 0;
        if (jobs > 0)
            backoff_.reset();
        next_ = jobs == asked ? now : now + backoff_.next();
    }
    // Something has been queued.
    void wake() {
        backoff_.reset();
        next_ = {};
    }
    // The last look found nothing.
    bool was_empty() const { return was_empty_; }

    const std::vector<std::string> tasks;
    const std::size_t most;

  private:
    Backoff backoff_;
    Clock::time_point next_{};
    bool was_empty_ = false;
};

} // namespace memory::worker
