// The cosine between vectors of floats.
#pragma once

#include <span>

namespace memory::rank {

// The cosine of many vectors with one.
class Cosine {
  public:
    // The elements must outlive it.
    explicit Cosine(std::span<const float> one);

    // Whether it has a direction: its length is above 0 and finite. Without, every cosine is NaN.
    bool has_direction() const;

    std::size_t dimensions() const { return one_.size(); }

    // Of a vector of as many dimensions; within [-1, 1], or NaN where `other` has no direction.
    double with(std::span<const float> other) const;

  private:
    std::span<const float> one_;
    double length_;
};

} // namespace memory::rank
