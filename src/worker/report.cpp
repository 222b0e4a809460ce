// Writes to stderr, and the metrics to a file that is replaced as a whole.
#include "worker/report.h"

#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>
#include <utility>

namespace memory::worker {

namespace {

using nlohmann::json;
using namespace std::chrono_literals;

std::string now_text() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

void write_line(const json &line) {
    const std::string text = line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    std::fwrite(text.data(), 1, text.size(), stderr);
}

std::uint64_t ended(const Metrics &metrics) {
    return metrics.total(Outcome::done) + metrics.total(Outcome::voided) +
           metrics.total(Outcome::failed) + metrics.total(Outcome::released);
}

class File {
  public:
    explicit File(const std::string &name)
        : descriptor_(open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {}
    ~File() {
        if (descriptor_ >= 0)
            close(descriptor_);
    }
    File(const File &) = delete;
    File &operator=(const File &) = delete;

    bool write(std::string_view text) {
        while (descriptor_ >= 0 && !text.empty()) {
            const ssize_t written = ::write(descriptor_, text.data(), text.size());
            if (written <= 0)
                return false;
            text.remove_prefix(static_cast<std::size_t>(written));
        }
        return descriptor_ >= 0;
    }

  private:
    int descriptor_;
};

} // namespace

Report::Report(Log log, std::string file) : log_(log), file_(std::move(file)) {
    if (log_ == Log::automatic)
        log_ = isatty(STDERR_FILENO) != 0 ? Log::line : Log::json;
    if (!file_.empty())
        write_file(Metrics());
    if (file_failed_)
        throw BadOption("--metrics: " + file_ + " cannot be written");
}

void Report::say(std::string_view level, std::string_view message) {
    if (log_ == Log::quiet)
        return;
    if (log_ == Log::json)
        return write_line({{"time", now_text()}, {"level", level}, {"message", message}});
    std::fprintf(stderr, "%smemory-worker: %.*s\n", line_is_open_ ? "\r\033[K" : "",
                 static_cast<int>(message.size()), message.data());
    line_is_open_ = false;
}

void Report::trouble(const std::string &message) {
    constexpr auto quiet_time = 10s;
    constexpr std::size_t most_remembered = 200;
    const auto now = Clock::now();
    if (troubles_.size() > most_remembered)
        troubles_.clear();
    const auto [said, is_new] = troubles_.try_emplace(message, Said{now, 0});
    if (!is_new && now - said->second.at < quiet_time) {
        ++said->second.since;
        return;
    }
    const std::uint64_t times = std::exchange(said->second, Said{now, 0}).since;
    say("warning", times == 0 ? message : message + " (" + std::to_string(times + 1) + " times)");
}

void Report::show_line(const Metrics &metrics) {
    const auto of = [&metrics](Outcome outcome) {
        return static_cast<unsigned long long>(metrics.total(outcome));
    };
    std::fprintf(
        stderr,
        "\r\033[Kmemory-worker: %llu done, %llu void, %llu failed; %zu held, %zu requests; "
        "%.0f/s",
        of(Outcome::done), of(Outcome::voided), of(Outcome::failed), metrics.held(),
        metrics.in_flight(), rate_);
    std::fflush(stderr);
    line_is_open_ = true;
}

void Report::show_json(const Metrics &metrics, std::string_view message) {
    write_line({{"time", now_text()},
                {"level", "info"},
                {"message", message},
                {"done", metrics.total(Outcome::done)},
                {"void", metrics.total(Outcome::voided)},
                {"failed", metrics.total(Outcome::failed)},
                {"released", metrics.total(Outcome::released)},
                {"dropped", metrics.dropped()},
                {"held", metrics.held()},
                {"requests", metrics.in_flight()}});
}

void Report::progress(const Metrics &metrics) {
    const auto now = Clock::now();
    const auto since = now - shown_;
    if (log_ == Log::line && since >= 250ms) {
        const std::uint64_t jobs = ended(metrics);
        const double seconds = std::chrono::duration<double>(since).count();
        // The mean of some of the last looks.
        if (shown_ != Clock::time_point())
            rate_ += .3 * (static_cast<double>(jobs - ended_jobs_) / seconds - rate_);
        ended_jobs_ = jobs;
        shown_ = now;
        show_line(metrics);
    } else if (log_ == Log::json && since >= 30s) {
        if (std::exchange(shown_jobs_, ended(metrics)) != ended(metrics))
            show_json(metrics, "progress");
        shown_ = now;
    }
    if (!file_.empty() && now - written_ >= 2s)
        write_file(metrics);
}

void Report::end(const Metrics &metrics, std::string_view why) {
    if (log_ == Log::json)
        show_json(metrics, why);
    if (log_ == Log::line) {
        show_line(metrics);
        say("info", why);
    }
    if (!file_.empty())
        write_file(metrics);
}

void Report::write_file(const Metrics &metrics) {
    written_ = Clock::now();
    const std::string beside = file_ + "." + std::to_string(getpid());
    const bool is_written =
        File(beside).write(metrics.text()) && std::rename(beside.c_str(), file_.c_str()) == 0;
    if (!is_written)
        unlink(beside.c_str());
    if (!is_written && !std::exchange(file_failed_, true))
        warning(file_ + " cannot be written");
}

} // namespace memory::worker
