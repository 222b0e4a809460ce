// The jobs that go to one model at one address, and how that server does.
#pragma once

#include "worker/job.h"
#include "worker/protocol/batches.h"
#include "worker/protocol/breaker.h"
#include "worker/protocol/chat.h"

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

namespace memory::worker {

// Jobs that are asked for with one request, in the order of claiming.
using Together = std::vector<Job>;

class Lane {
  public:
    Lane(Task what, std::string address, std::string auth_header, const BatchLimits &limits)
        : task(what), url(std::move(address)), auth(std::move(auth_header)), limits_(limits) {}

    void add(Job job) { jobs_.push_back(std::move(job)); }
    // Those that wait go again before all others, as they are, or in two halves.
    void add_again(Together jobs) { again_.push_front(std::move(jobs)); }
    void add_halves(Together jobs);

    bool empty() const { return jobs_.empty() && again_.empty(); }
    std::size_t held() const;
    // What one request is about; not empty where the lane is not.
    Together take();
    // All that wait.
    Together take_all();

    const Task task;
    const std::string url;  // of the endpoint
    const std::string auth; // a header; may be empty
    Breaker breaker;
    Format format = Format::schema;
    std::size_t under_way = 0; // requests

  private:
    BatchLimits limits_;
    std::deque<Job> jobs_;
    std::deque<Together> again_;
};

} // namespace memory::worker
