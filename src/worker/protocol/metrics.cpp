// Writes the counters.
#include "worker/protocol/metrics.h"

#include <charconv>

namespace memory::worker {

namespace {

void begin(std::string &to, std::string_view name, std::string_view type, std::string_view help) {
    for (const std::string_view part :
         {std::string_view("# HELP memory_worker_"), name, std::string_view(" "), help,
          std::string_view("\n# TYPE memory_worker_"), name, std::string_view(" "), type,
          std::string_view("\n")})
        to += part;
}

template <typename Number>
void add(std::string &to, std::string_view name, std::string_view labels, Number value) {
    std::array<char, 32> room{};
    const auto written = std::to_chars(room.data(), room.data() + room.size(), value);
    to += "memory_worker_";
    to += name;
    if (!labels.empty())
        to += "{" + std::string(labels) + "}";
    to += " ";
    to.append(room.data(), written.ptr);
    to += "\n";
}

std::string label(std::string_view name, std::string_view value) {
    return std::string(name) + "=\"" + std::string(value) + "\"";
}

} // namespace

void Metrics::count_request(long status, std::chrono::duration<double> took) {
    ++requests_[status];
    seconds_ += took.count();
    for (std::size_t n = 0; n < bounds.size(); ++n) {
        if (took.count() <= bounds[n])
            ++within_[n];
    }
}

std::uint64_t Metrics::total(Outcome outcome) const {
    std::uint64_t sum = 0;
    for (const auto &task : jobs_)
        sum += task[index(outcome)];
    return sum;
}

std::uint64_t Metrics::dropped() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t task : dropped_)
        sum += task;
    return sum;
}

std::string Metrics::text() const {
    std::string to;
    begin(to, "jobs_total", "counter", "Jobs that have ended, by task and outcome.");
    for (std::size_t task = 0; task < task_names.size(); ++task) {
        for (std::size_t outcome = 0; outcome < outcome_names.size(); ++outcome)
            add(to, "jobs_total",
                label("task", task_names[task]) + "," + label("outcome", outcome_names[outcome]),
                jobs_[task][outcome]);
    }
    begin(to, "dropped_total", "counter", "Malformed parts of answers that were left out.");
    for (std::size_t task = 0; task < task_names.size(); ++task)
        add(to, "dropped_total", label("task", task_names[task]), dropped_[task]);
    begin(to, "requests_total", "counter", "Requests by status of HTTP; 0: no answer.");
    std::uint64_t requests = 0;
    for (const auto &[status, count] : requests_) {
        add(to, "requests_total", label("status", std::to_string(status)), count);
        requests += count;
    }
    begin(to, "request_seconds", "histogram", "How long requests took.");
    constexpr std::array<std::string_view, bounds.size()> names{"0.05", "0.1", "0.25", "0.5",
                                                                "1",    "5",   "15",   "60"};
    for (std::size_t n = 0; n < bounds.size(); ++n)
        add(to, "request_seconds_bucket", label("le", names[n]), within_[n]);
    add(to, "request_seconds_bucket", label("le", "+Inf"), requests);
    add(to, "request_seconds_sum", "", seconds_);
    add(to, "request_seconds_count", "", requests);
    begin(to, "tokens_total", "counter", "Tokens that servers have counted.");
    add(to, "tokens_total", "", tokens_);
    begin(to, "reconnects_total", "counter", "Connections to the database that were made again.");
    add(to, "reconnects_total", "", reconnects_);
    begin(to, "jobs_held", "gauge", "Jobs that this worker has now.");
    add(to, "jobs_held", "", held_);
    begin(to, "requests_in_flight", "gauge", "Requests that are under way.");
    add(to, "requests_in_flight", "", in_flight_);
    return to;
}

} // namespace memory::worker
