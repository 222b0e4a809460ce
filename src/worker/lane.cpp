// Batches out of a queue.
#include "worker/lane.h"

#include <iterator>
#include <utility>

namespace memory::worker {

void Lane::add_halves(Together jobs) {
    const auto middle = jobs.begin() + static_cast<std::ptrdiff_t>(jobs.size() / 2);
    Together second(std::make_move_iterator(middle), std::make_move_iterator(jobs.end()));
    jobs.erase(middle, jobs.end());
    add_again(std::move(second));
    add_again(std::move(jobs));
}

std::size_t Lane::held() const {
    std::size_t count = jobs_.size();
    for (const Together &together : again_)
        count += together.size();
    return count;
}

Together Lane::take() {
    if (!again_.empty()) {
        Together jobs = std::move(again_.front());
        again_.pop_front();
        return jobs;
    }
    BatchLimits limits = limits_;
    // A question of words is a request of its own.
    if (task != Task::embed)
        limits.texts = 1;
    Batch<Job> batch(limits);
    while (!jobs_.empty() && batch.has_room_for(jobs_.front().bytes(), jobs_.front().failures)) {
        const std::size_t bytes = jobs_.front().bytes();
        const int failures = jobs_.front().failures;
        batch.add(std::move(jobs_.front()), bytes, failures);
        jobs_.pop_front();
    }
    return std::move(batch).take();
}

Together Lane::take_all() {
    Together all;
    while (!empty()) {
        Together some = take();
        all.insert(all.end(), std::make_move_iterator(some.begin()),
                   std::make_move_iterator(some.end()));
    }
    return all;
}

} // namespace memory::worker
