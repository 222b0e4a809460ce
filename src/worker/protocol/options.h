// The command line of memory-worker.
#pragma once

#include "worker/protocol/batches.h"
#include "worker/protocol/task.h"

#include <array>
#include <chrono>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace memory::worker {

// A mistake in what the program has been called with.
class BadOption final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

enum class Header : std::uint8_t { automatic, bearer, api_key };
enum class Log : std::uint8_t { automatic, line, json, quiet };

struct Options {
    std::string connection; // of libpq; empty: its environment
    std::vector<std::string> tasks;
    std::string url;
    std::string model;
    std::optional<int> dimensions; // that embedding models are told
    std::string key_file;
    std::vector<std::string> key_hosts; // that may see the key, beside the obvious ones
    Header header = Header::automatic;
    std::string ca_file;
    BatchLimits batch;
    std::size_t requests = 4; // at once
    std::chrono::seconds timeout{60};
    std::chrono::seconds connect_timeout{10};
    std::chrono::seconds lease{0};        // as parse_options() leaves it: longer than a request
    std::chrono::milliseconds poll{2000}; // at most, between two looks for work
    std::array<std::string, task_names.size()> prompts; // files; empty: the program's own
    std::string metrics;
    Log log = Log::automatic;
    bool once = false;
    bool choose = false;
    bool help = false;
    bool version = false;
};

// Of the words behind the program's name. Throws BadOption.
Options parse_options(std::span<const std::string_view> words);

// What --help prints.
std::string_view usage();

} // namespace memory::worker
