// The loop, and what goes to the database.
#include "worker/worker.h"

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

namespace memory::worker {

namespace {

using namespace std::chrono_literals;

// How long the end may wait for a server that is left alone, or for the database.
constexpr auto grace = 10s;

// Jobs of one transaction: what one of them breaks is done again.
constexpr std::size_t most_together = 128;

// Those that are asked for many at a time are held in another number than those of words.
std::vector<Claims> claims_of(const Options &options) {
    std::vector<std::string> embedding;
    std::vector<std::string> words;
    for (const std::string_view task : task_names) {
        const bool is_asked =
            options.tasks.empty() || std::ranges::find(options.tasks, task) != options.tasks.end();
        if (is_asked)
            (task == name_of(Task::embed) ? embedding : words).emplace_back(task);
    }
    std::vector<Claims> claims;
    if (!embedding.empty())
        claims.emplace_back(embedding, options.batch.texts * options.requests * 2, options.poll);
    if (!words.empty())
        claims.emplace_back(words, options.requests * 2, options.poll);
    return claims;
}

} // namespace

Worker::Worker(const Options &options, const Asking &asking, Report &report)
    : options_(options), asking_(asking), report_(report),
      http_({options.timeout, options.connect_timeout, options.ca_file}),
      claims_(claims_of(options)) {
    database_.emplace(options_.connection);
    listens_ = database_->listen();
}

// --- the database ----------------------------------------------------------------------------

void Worker::reconnect(const std::string &why) {
    report_.warning("the database has gone: " + why);
    Backoff backoff(100ms, 10s);
    for (;;) {
        is_ending_ = is_ending_ || signals_.asked() > 0;
        if (is_ending_ && ending_since_ == Clock::time_point())
            ending_since_ = Clock::now();
        if (is_ending_ && Clock::now() - ending_since_ > grace)
            throw NotConnected(why);
        try {
            database_.reset();
            database_.emplace(options_.connection);
            listens_ = database_->listen();
            break;
        } catch (const NotConnected &again) {
            report_.trouble(again.what());
            std::this_thread::sleep_for(backoff.next());
        }
    }
    metrics_.count_reconnect();
    report_.info("the database is back");
}

template <typename Call>
auto Worker::with_database(const Call &call) {
    for (;;) {
        try {
            return call(*database_);
        } catch (const NotConnected &lost) {
            reconnect(lost.what());
        }
    }
}

void Worker::claim() {
    if (is_ending_)
        return;
    for (Claims &claims : claims_)
        claim_for(claims);
}

void Worker::claim_for(Claims &claims) {
    const bool is_embedding = claims.tasks[0] == name_of(Task::embed);
    std::size_t held = 0;
    for (const auto &[key, lane] : lanes_)
        held += (lane->task == Task::embed) == is_embedding ? lane->held() : 0;
    if (!claims.is_due(Clock::now(), held))
        return;
    const std::vector<std::string> tasks = open_tasks(claims);
    // What is left alone is looked for later; one job is enough for a trial.
    const std::size_t room = tasks.empty() ? 0 : is_on_trial(tasks) ? 1 : claims.most - held;
    std::vector<Job> jobs;
    if (room > 0)
        jobs = with_database(
            [&](Database &database) { return database.claim(room, tasks, options_.lease); });
    claims.found(Clock::now(), room == 0 ? 1 : room, jobs.size());
    for (Job &job : jobs) {
        job.number = next_number_++;
        enqueue(std::move(job));
    }
}

void Worker::hand_in() {
    std::vector<Outgoing> all = std::exchange(outgoing_, {});
    std::ranges::sort(all, {}, [](const Outgoing &each) { return each.job.number; });
    std::vector<Outgoing> results;
    for (Outgoing &each : all) {
        if (!each.reading.fault.empty())
            hand_in_failure(each);
        else
            results.push_back(std::move(each));
        if (results.size() == most_together)
            hand_in_results(results);
    }
    hand_in_results(results);
}

void Worker::hand_in_results(std::vector<Outgoing> &results) {
    if (results.empty())
        return;
    std::vector<Finish> finishes;
    finishes.reserve(results.size());
    for (Outgoing &each : results)
        finishes.push_back(
            {&each.job, std::move(each.reading.embedding), std::move(each.reading.result)});
    const std::vector<Finished> finished =
        with_database([&finishes](Database &database) { return database.finish(finishes); });
    for (std::size_t n = 0; n < results.size(); ++n) {
        Outgoing &each = results[n];
        if (finished[n].how == Finished::How::refused) {
            each.reading.fault = finished[n].error;
            report_.trouble("an answer is refused: " + finished[n].error);
            hand_in_failure(each);
            continue;
        }
        const bool is_stored = finished[n].how == Finished::How::stored;
        metrics_.count(each.job.task, is_stored ? Outcome::done : Outcome::voided);
        metrics_.count_dropped(each.job.task, each.reading.dropped);
    }
    // Facts are all that the database counts.
    metrics_.count_dropped(Task::extract, database_->take_dropped());
    results.clear();
}

void Worker::hand_in_failure(const Outgoing &failed) {
    try {
        with_database([&failed](Database &database) {
            database.fail(failed.job, failed.reading.fault, failed.retry_in);
        });
        metrics_.count(failed.job.task, failed.outcome);
    } catch (const Refused &refused) {
        // The lease ends by itself.
        if (refused.is_about_setup())
            throw;
        report_.trouble(std::string("a failure cannot be told: ") + refused.what());
    }
}

// --- the loop --------------------------------------------------------------------------------

std::size_t Worker::held() const {
    std::size_t count = 0;
    for (const auto &[key, lane] : lanes_)
        count += lane->held();
    for (const auto &[tag, asked] : under_way_)
        count += asked.jobs.size();
    return count;
}

void Worker::note_progress() {
    metrics_.set_held(held(), http_.in_flight());
    report_.progress(metrics_);
}

bool Worker::is_done() {
    const bool is_idle = held() == 0 && outgoing_.empty();
    if (is_ending_)
        return is_idle;
    return options_.once && is_idle &&
           std::ranges::all_of(claims_, [](const Claims &claims) { return claims.was_empty(); });
}

Worker::Duration Worker::time_to_wait() const {
    constexpr Duration longest = 1s;
    auto next = Clock::now() + longest;
    for (const auto &[key, lane] : lanes_) {
        if (!lane->empty() && lane->breaker.is_open(Clock::now()))
            next = std::min(next, lane->breaker.closes_at());
    }
    for (const Claims &claims : claims_) {
        if (!is_ending_ && claims.next() > Clock::now())
            next = std::min(next, claims.next());
    }
    return std::max(Duration(1), std::chrono::ceil<Duration>(next - Clock::now()));
}

bool Worker::run() {
    for (;;) {
        claim();
        release_stuck();
        start_requests();
        hand_in();
        note_progress();
        if (is_done())
            break;
        std::vector<int> descriptors{signals_.descriptor()};
        if (listens_)
            descriptors.push_back(database_->socket());
        for (const Answer &answer : http_.wait(time_to_wait(), descriptors))
            take(answer);
        if (listens_ && with_database([](Database &database) { return database.is_told(); }))
            std::ranges::for_each(claims_, &Claims::wake);
        if (const int asked = signals_.asked(); asked > 0 && !is_ending_) {
            is_ending_ = true;
            ending_since_ = Clock::now();
        } else if (asked > 1) {
            break;
        }
    }
    const bool is_all_done =
        metrics_.total(Outcome::failed) + metrics_.total(Outcome::released) == 0;
    note_progress();
    report_.end(metrics_, is_ending_ ? "ended" : "nothing is left to do");
    return is_all_done;
}

} // namespace memory::worker
