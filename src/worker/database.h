// The database as a worker sees it: jobs are claimed, finished and failed, over libpq.
#pragma once

#include "worker/job.h"

#include <chrono>
#include <libpq-fe.h>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memory::worker {

// The connection is gone, or was never made.
class NotConnected final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The server has refused a statement.
class Refused final : public std::runtime_error {
  public:
    Refused(std::string_view state, const std::string &message)
        : std::runtime_error(message), sqlstate(state) {}

    // Another transaction was in the way: the same again may do.
    bool is_passing() const { return sqlstate == "40001" || sqlstate == "40P01"; }
    // The extension is missing, its tables are, or the role may not use them.
    bool is_about_setup() const {
        return sqlstate == "42501" || sqlstate == "55000" || sqlstate == "3F000" ||
               sqlstate == "42883" || sqlstate == "42P01" || sqlstate == "42704";
    }

    std::string sqlstate;
};

// What is handed in for a job.
struct Finish {
    const Job *job;
    std::vector<float> embedding; // either this
    std::string result;           // or this
};

// What has become of it.
struct Finished {
    enum class How : std::uint8_t { stored, voided, refused } how = How::refused;
    std::string error; // of one that is refused
};

class Database {
  public:
    // Connects. `connection` is a connection string, may be empty. Throws NotConnected, and Refused
    // where the extension is missing.
    explicit Database(const std::string &connection);

    // Up to `most` jobs of these tasks.
    std::vector<Job> claim(std::size_t most, const std::vector<std::string> &tasks,
                           std::chrono::seconds lease);
    // All of them in one transaction; where one is refused, each in a transaction of its own.
    // In the order in which they were claimed.
    std::vector<Finished> finish(std::span<const Finish> jobs);
    // Without `retry_in` the database decides.
    void fail(const Job &job, const std::string &error,
              std::optional<std::chrono::milliseconds> retry_in);

    // Whether writes tell of jobs: then this session listens.
    bool listen();
    // Whether a write has told since the last call.
    bool is_told();
    int socket() const { return PQsocket(connection_.get()); }

    // Malformed parts that the database has left out since the last call.
    std::uint64_t take_dropped() { return std::exchange(dropped_, 0); }

    // Chooses a model for the task embed where there is none; the one in use afterwards.
    std::string choose(const std::string &model, const std::string &url);

  private:
    struct EndConnection {
        void operator()(PGconn *connection) const { PQfinish(connection); }
    };
    struct EndResult {
        void operator()(PGresult *result) const { PQclear(result); }
    };
    using Rows = std::unique_ptr<PGresult, EndResult>;
    using Parameters = std::vector<std::optional<std::string>>;

    // Of texts. Throws.
    Rows run(const char *statement, const Parameters &parameters);
    Rows checked(Rows rows) const;
    void note(const PGresult *notice);
    static void receive_notice(void *database, const PGresult *notice);

    void prepare();
    void send(const Finish &finish);
    std::vector<Finished> finish_together(std::span<const Finish> jobs);
    Finished finish_alone(const Finish &finish);
    // The answers to statements that have been sent, up to the end of a pipeline.
    std::vector<Rows> pipeline_answers(std::size_t statements);

    std::unique_ptr<PGconn, EndConnection> connection_;
    std::uint64_t dropped_ = 0;
};

} // namespace memory::worker
