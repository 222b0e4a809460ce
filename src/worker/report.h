// What the program says: a line of progress on a terminal, lines of JSON elsewhere, and the file
// of metrics. No text of a memory and no key is ever in it.
#pragma once

#include "worker/protocol/metrics.h"
#include "worker/protocol/options.h"

#include <chrono>
#include <map>
#include <string>
#include <string_view>

namespace memory::worker {

class Report {
  public:
    // `file` of metrics may be empty.
    Report(Log log, std::string file);

    void info(std::string_view message) { say("info", message); }
    void warning(std::string_view message) { say("warning", message); }
    // The same message again within some seconds is counted, and said later.
    void trouble(const std::string &message);
    // Shows progress, and writes the metrics, when it is time to.
    void progress(const Metrics &metrics);
    // The same at the end, whatever the time is.
    void end(const Metrics &metrics, std::string_view why);

  private:
    using Clock = std::chrono::steady_clock;
    struct Said {
        Clock::time_point at;
        std::uint64_t since = 0;
    };

    void say(std::string_view level, std::string_view message);
    void show_line(const Metrics &metrics);
    void show_json(const Metrics &metrics, std::string_view message);
    void write_file(const Metrics &metrics);

    Log log_;
    std::string file_;
    std::map<std::string, Said> troubles_;
    Clock::time_point shown_{};
    Clock::time_point written_{};
    std::uint64_t shown_jobs_ = 0;
    std::uint64_t ended_jobs_ = 0; // when the rate was measured last
    double rate_ = 0;
    bool line_is_open_ = false;
    bool file_failed_ = false;
};

} // namespace memory::worker
