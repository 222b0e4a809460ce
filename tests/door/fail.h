// The ways in which a frame of C++ can end early.
#pragma once

#include "pg/function.h"

namespace door {

namespace pg = memory::pg;

// Fails in its way: by an error of PostgreSQL or by an exception.
using Fail = void (*)();

// By name; "nothing" is a way that does not fail.
Fail failure(std::string_view name);

// Counts itself, so that an object whose destructor was skipped is still counted. Its text is on
// the heap and is lost with it.
class Live {
  public:
    Live() : text_(200, 'x') { ++count_; }
    Live(const Live &) = delete;
    Live &operator=(const Live &) = delete;
    ~Live() { --count_; }

    static int count() noexcept { return count_; }

  private:
    static inline constinit int count_ = 0;
    std::string text_;
};

} // namespace door
