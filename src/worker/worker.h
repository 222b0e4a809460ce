// The loop of memory-worker: jobs are claimed, asked for, and handed in, until there is no more to
// do or the program is to end.
//
// One thread: while a statement runs in the database, answers gather in the sockets. So requests
// are started before results are handed in, and more jobs are held than are under way.
#pragma once

#include "worker/asking.h"
#include "worker/claims.h"
#include "worker/database.h"
#include "worker/http.h"
#include "worker/lane.h"
#include "worker/report.h"
#include "worker/signals.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace memory::worker {

class Worker {
  public:
    Worker(const Options &options, const Asking &asking, Report &report);

    // Until SIGTERM, or with --once until nothing is left. Whether all has been done.
    bool run();

  private:
    using Clock = Job::Clock;
    using Duration = std::chrono::milliseconds;

    // A request that is under way.
    struct UnderWay {
        Lane *lane;
        Together jobs;
        Format format;
    };
    // What is to be handed in for a job: a reading, or a failure.
    struct Outgoing {
        Job job;
        Reading reading;
        std::optional<Duration> retry_in; // of a failure; without it the database decides
        Outcome outcome = Outcome::failed;
    };

    // --- the database; each call is made again on another connection where one is lost
    template <typename Call>
    auto with_database(const Call &call);
    void reconnect(const std::string &why);
    void claim();
    void claim_for(Claims &claims);
    void hand_in();
    void hand_in_results(std::vector<Outgoing> &results);
    void hand_in_failure(const Outgoing &failed);

    // --- the lanes
    void enqueue(Job job);
    Lane *lane_for(const Job &job, const Place &place);
    void start_requests();
    bool start_request(Lane &lane);
    void fail(Together jobs, const std::string &why, std::optional<Duration> retry_in,
              Outcome outcome = Outcome::failed);
    // Jobs that wait for a server which is left alone longer than they may wait.
    void release_stuck();
    // Whether a server for the task may be asked now.
    bool has_open_lane(Task task) const;
    // Whether all servers that may be asked for these tasks have failed, and are to be tried.
    bool is_on_trial(const std::vector<std::string> &tasks) const;
    // Tasks that are known of no server, or of one that may be asked.
    std::vector<std::string> open_tasks(const Claims &claims) const;

    // --- the answers
    void take(const Answer &answer);
    void take_readings(UnderWay asked, const Answer &answer);
    void take_refusal(UnderWay asked, const Answer &answer);
    void take_wait(UnderWay asked, const Answer &answer);

    std::size_t held() const;
    void note_progress();
    bool is_done();
    Duration time_to_wait() const;

    const Options &options_;
    const Asking &asking_;
    Report &report_;
    Signals signals_;
    Http http_;
    std::optional<Database> database_;
    bool listens_ = false;
    std::vector<Claims> claims_;
    std::map<std::tuple<Task, std::string, std::string>, std::unique_ptr<Lane>> lanes_;
    std::map<std::uint64_t, UnderWay> under_way_;
    std::vector<Outgoing> outgoing_;
    Metrics metrics_;
    std::uint64_t next_number_ = 0;
    std::uint64_t next_tag_ = 0;
    bool is_ending_ = false;
    Clock::time_point ending_since_{};
};

} // namespace memory::worker
