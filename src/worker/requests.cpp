// The part of the loop between lanes and answers.
#include "worker/protocol/retry_after.h"
#include "worker/protocol/verdict.h"
#include "worker/worker.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace memory::worker {

namespace {

using namespace std::chrono_literals;

// Jobs wait inside this program for a server that wants to be left alone, as long as their lease
// lasts. Where that is longer than this, others take their place.
constexpr auto short_wait = 5s;

// After which a key or a model may have been put right.
constexpr auto forbidden_wait = 5min;

} // namespace

// --- the lanes -------------------------------------------------------------------------------

Lane *Worker::lane_for(const Job &job, const Place &place) {
    auto &lane = lanes_[{job.task, place.url, asking_.model_of(job)}];
    if (!lane)
        lane = std::make_unique<Lane>(job.task, place.url, place.auth_header, options_.batch);
    return lane.get();
}

void Worker::enqueue(Job job) {
    const Place place = asking_.place_of(job);
    if (place.fault.empty()) {
        Lane *lane = lane_for(job, place);
        return lane->add(std::move(job));
    }
    report_.trouble(place.fault);
    Together one;
    one.push_back(std::move(job));
    fail(std::move(one), place.fault, forbidden_wait);
}

void Worker::fail(Together jobs, const std::string &why, std::optional<Duration> retry_in,
                  Outcome outcome) {
    for (Job &job : jobs) {
        Reading reading;
        reading.fault = why;
        outgoing_.push_back({std::move(job), std::move(reading), retry_in, outcome});
    }
}

bool Worker::has_open_lane(Task task) const {
    const auto now = Clock::now();
    return std::any_of(lanes_.begin(), lanes_.end(), [task, now](const auto &lane) {
        return lane.second->task == task && !lane.second->breaker.is_open(now);
    });
}

bool Worker::is_on_trial(const std::vector<std::string> &tasks) const {
    const auto now = Clock::now();
    return std::all_of(tasks.begin(), tasks.end(), [this, now](const std::string &task) {
        bool is_tried = false;
        for (const auto &[key, lane] : lanes_) {
            if (name_of(lane->task) != task || lane->breaker.is_open(now))
                continue;
            if (!lane->breaker.is_on_trial())
                return false;
            is_tried = true;
        }
        return is_tried;
    });
}

std::vector<std::string> Worker::open_tasks(const Claims &claims) const {
    std::vector<std::string> open;
    for (const std::string &name : claims.tasks) {
        const bool is_known = std::any_of(lanes_.begin(), lanes_.end(), [&name](const auto &lane) {
            return name_of(lane.second->task) == name;
        });
        if (!is_known || has_open_lane(*task_named(name)))
            open.push_back(name);
    }
    return open;
}

void Worker::release_stuck() {
    const auto now = Clock::now();
    for (const auto &[key, lane] : lanes_) {
        if (lane->empty() || !lane->breaker.is_open(now))
            continue;
        const auto left = std::chrono::ceil<Duration>(lane->breaker.closes_at() - now);
        const bool has_neighbour = has_open_lane(lane->task);
        const bool is_short = left <= short_wait || (!is_ending_ && !has_neighbour);
        if (!is_short)
            fail(lane->take_all(), lane->url + " is left alone for a while", left,
                 Outcome::released);
    }
}

void Worker::start_requests() {
    bool has_started = true;
    while (has_started) {
        has_started = false;
        for (const auto &[key, lane] : lanes_) {
            if (http_.in_flight() < options_.requests && !lane->empty() &&
                lane->breaker.lets_pass(Clock::now(), lane->under_way))
                has_started = start_request(*lane) || has_started;
        }
    }
}

// Jobs whose lease would end before their answer are given back: another worker may have them then.
bool Worker::start_request(Lane &lane) {
    Together jobs = lane.take();
    const auto last = Clock::now() + options_.timeout;
    const auto late = std::stable_partition(
        jobs.begin(), jobs.end(), [last](const Job &job) { return job.lease_end > last; });
    fail({std::make_move_iterator(late), std::make_move_iterator(jobs.end())},
         "it waited for its turn until its lease was nearly over", 0ms, Outcome::released);
    jobs.erase(late, jobs.end());
    if (jobs.empty())
        return true;
    Request request = asking_.request(lane, jobs);
    const std::uint64_t tag = next_tag_++;
    http_.start(tag, std::move(request));
    ++lane.under_way;
    under_way_.emplace(tag, UnderWay{&lane, std::move(jobs), lane.format});
    return true;
}

// --- the answers -----------------------------------------------------------------------------

void Worker::take(const Answer &answer) {
    auto found = under_way_.find(answer.tag);
    UnderWay asked = std::move(found->second);
    under_way_.erase(found);
    Lane &lane = *asked.lane;
    --lane.under_way;
    metrics_.count_request(answer.status, answer.took);
    const auto now = Clock::now();
    const Verdict verdict = answer.status == 0 ? Verdict::passing : verdict_of(answer.status);
    const bool is_alone = asked.jobs.size() == 1;
    if (verdict == Verdict::answered) {
        lane.breaker.succeeded();
        take_readings(std::move(asked), answer);
    } else if (verdict == Verdict::refused) {
        lane.breaker.succeeded();
        take_refusal(std::move(asked), answer);
    } else if (verdict == Verdict::wait) {
        take_wait(std::move(asked), answer);
    } else if (verdict == Verdict::forbidden) {
        lane.breaker.refused_all(now);
        const std::string why = asking_.failure(lane, answer, true);
        report_.trouble(why);
        fail(std::move(asked.jobs), why, forbidden_wait);
        fail(lane.take_all(), why, forbidden_wait, Outcome::released);
    } else {
        lane.breaker.failed(now);
        report_.trouble(asking_.failure(lane, answer, false));
        fail(std::move(asked.jobs), asking_.failure(lane, answer, is_alone), std::nullopt);
    }
}

void Worker::take_readings(UnderWay asked, const Answer &answer) {
    Readings readings = asking_.read(asked.jobs, answer.body);
    metrics_.count_tokens(readings.tokens);
    const std::string &fault = readings.of_jobs[0].fault;
    if (!fault.empty()) {
        report_.trouble(asked.lane->url + ": " + fault);
        if (asked.jobs.size() > 1)
            return asked.lane->add_halves(std::move(asked.jobs));
    }
    for (std::size_t n = 0; n < asked.jobs.size(); ++n)
        outgoing_.push_back({std::move(asked.jobs[n]), std::move(readings.of_jobs[n]), std::nullopt,
                             Outcome::failed});
}

// One of many texts may be the reason; or that the server does not know how JSON is asked for.
void Worker::take_refusal(UnderWay asked, const Answer &answer) {
    Lane &lane = *asked.lane;
    if (asked.jobs.size() > 1)
        return lane.add_halves(std::move(asked.jobs));
    if (lane.task != Task::embed && asked.format != Format::none) {
        // Requests that were started together are refused together.
        if (lane.format == asked.format)
            lane.format = asked.format == Format::schema ? Format::object : Format::none;
        return lane.add_again(std::move(asked.jobs));
    }
    report_.trouble(asking_.failure(lane, answer, false));
    fail(std::move(asked.jobs), asking_.failure(lane, answer, true), std::nullopt);
}

void Worker::take_wait(UnderWay asked, const Answer &answer) {
    Lane &lane = *asked.lane;
    const auto now = Clock::now();
    const auto today = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    const auto told = parse_retry_after(answer.retry_after, today);
    if (told)
        lane.breaker.wait(now, *told);
    else
        lane.breaker.refused_all(now);
    report_.trouble(asking_.failure(lane, answer, false));
    const auto left = std::chrono::ceil<Duration>(lane.breaker.closes_at() - now);
    const auto back = now + std::max(left, Duration(0)) + options_.timeout;
    if (std::ranges::all_of(asked.jobs, [back](const Job &job) { return job.lease_end > back; }))
        lane.add_again(std::move(asked.jobs));
    else
        fail(std::move(asked.jobs), asking_.failure(lane, answer, false), left);
}

} // namespace memory::worker
