// What reading throws when the bytes are not what any writer wrote.
//
// Reading never trusts: whatever the bytes, a reader ends, stays inside its span, and either gives
// values within the bounds that it promises or throws Corrupt. Writing trusts its caller; what it
// requires is asserted.
#pragma once

#include <exception>

namespace memory::codec {

class Corrupt : public std::exception {
  public:
    // `what` is a literal that says which rule the bytes break.
    explicit Corrupt(const char *what) noexcept : what_(what) {}

    const char *what() const noexcept override { return what_; }

  private:
    const char *what_;
};

} // namespace memory::codec
