// What a worker has done since it began, in the text format of Prometheus.
#pragma once

#include "worker/protocol/task.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace memory::worker {

// What became of a job.
enum class Outcome : std::uint8_t {
    done,    // its result is stored
    voided,  // its row changed or went meanwhile
    failed,  // this time; the database decides whether there is another
    released // given back, as it could not be asked
};

constexpr std::array<std::string_view, 4> outcome_names{"done", "void", "failed", "released"};

class Metrics {
  public:
    void count(Task task, Outcome outcome) { ++jobs_[index(task)][index(outcome)]; }
    // A request that has ended. Status 0: there was no answer.
    void count_request(long status, std::chrono::duration<double> took);
    void count_dropped(Task task, std::uint64_t parts) { dropped_[index(task)] += parts; }
    void count_tokens(std::int64_t tokens) { tokens_ += tokens; }
    void count_reconnect() { ++reconnects_; }
    // What is held now.
    void set_held(std::size_t jobs, std::size_t requests) {
        held_ = jobs;
        in_flight_ = requests;
    }

    std::uint64_t total(Outcome outcome) const;
    std::uint64_t of(Task task, Outcome outcome) const {
        return jobs_[index(task)][index(outcome)];
    }
    std::uint64_t dropped() const;
    std::size_t held() const { return held_; }
    std::size_t in_flight() const { return in_flight_; }

    std::string text() const;

  private:
    static constexpr std::array<double, 8> bounds{.05, .1, .25, .5, 1, 5, 15, 60};
    template <typename Enum>
    static constexpr std::size_t index(Enum value) {
        return static_cast<std::size_t>(value);
    }

    std::array<std::array<std::uint64_t, outcome_names.size()>, task_names.size()> jobs_{};
    std::array<std::uint64_t, task_names.size()> dropped_{};
    std::map<long, std::uint64_t> requests_; // by status
    std::array<std::uint64_t, bounds.size()> within_{};
    double seconds_ = 0;
    std::int64_t tokens_ = 0;
    std::uint64_t reconnects_ = 0;
    std::size_t held_ = 0;
    std::size_t in_flight_ = 0;
};

} // namespace memory::worker
