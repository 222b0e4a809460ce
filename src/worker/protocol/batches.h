// Which texts go into one request: as many as fit, all for the same model at the same address.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memory::worker {

struct BatchLimits {
    std::size_t texts = 64;
    std::size_t bytes = 1 << 20; // of texts; a longer text goes alone
};

// How many texts may share a request with one that has failed so often: half as many each time, so
// that a text which no server can answer soon fails alone.
constexpr std::size_t shared_with(std::size_t most, int failures) {
    return std::max<std::size_t>(1, failures > 30 ? 0 : most >> failures);
}

// Collects texts until a batch is full. Item is what a text belongs to.
template <typename Item>
class Batch {
  public:
    explicit Batch(const BatchLimits &limits) : limits_(limits), most_(limits.texts) {}

    bool has_room_for(std::size_t bytes, int failures) const {
        return items_.empty() ||
               (items_.size() < std::min(most_, shared_with(limits_.texts, failures)) &&
                bytes_ + bytes <= limits_.bytes);
    }
    void add(Item item, std::size_t bytes, int failures) {
        items_.push_back(std::move(item));
        bytes_ += bytes;
        most_ = std::min(most_, shared_with(limits_.texts, failures));
    }
    std::vector<Item> take() && { return std::move(items_); }
    bool empty() const { return items_.empty(); }

  private:
    BatchLimits limits_;
    std::size_t most_;
    std::size_t bytes_ = 0;
    std::vector<Item> items_;
};

} // namespace memory::worker
