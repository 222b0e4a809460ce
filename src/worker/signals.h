// SIGTERM and SIGINT as a descriptor that becomes readable.
#pragma once

namespace memory::worker {

// One at a time.
class Signals {
  public:
    Signals();
    ~Signals();
    Signals(const Signals &) = delete;
    Signals &operator=(const Signals &) = delete;

    int descriptor() const { return reading_; }
    // How often the end has been asked for.
    int asked();

  private:
    int reading_;
    int asked_ = 0;
};

} // namespace memory::worker
