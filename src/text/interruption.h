// How long work is ended from outside: the room knows neither signals nor deadlines, so its caller
// lends it something to ask.
#pragma once

#include <cstddef>

namespace memory::text {

class Interruption {
  public:
    // Throws what is to end the work. Otherwise nothing has happened; called every millisecond or
    // so.
    virtual void check() = 0;

    // For work that nothing ends.
    static Interruption &none();

  protected:
    ~Interruption() = default;
};

// Asks once in so much work. A step is about what a byte of text costs to analyse, so that loops of
// any kind can count in it.
class Pause {
  public:
    static constexpr std::size_t steps_between = 16 * 1024;

    explicit Pause(Interruption &interruption) : interruption_(&interruption) {}

    void step(std::size_t steps = 1) {
        if (steps < left_)
            left_ -= steps;
        else
            ask();
    }

    Interruption &interruption() const { return *interruption_; }

  private:
    void ask() {
        left_ = steps_between;
        interruption_->check();
    }

    Interruption *interruption_;
    std::size_t left_ = steps_between;
};

} // namespace memory::text
