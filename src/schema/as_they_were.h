// Rows that are written as they were elsewhere: with all that belongs to them, so that nothing is
// to be made of them here.
#pragma once

#include <utility>

namespace memory::schema {

namespace detail {
inline constinit bool as_they_were = false;
} // namespace detail

// While it lives, this backend's triggers leave rows as they are written: none gets an end, or a
// history of its own.
class AsTheyWere {
  public:
    AsTheyWere() noexcept : before_(std::exchange(detail::as_they_were, true)) {}
    ~AsTheyWere() { detail::as_they_were = before_; }
    AsTheyWere(const AsTheyWere &) = delete;
    AsTheyWere &operator=(const AsTheyWere &) = delete;

  private:
    bool before_;
};

// For such triggers.
inline bool as_they_were() noexcept { return detail::as_they_were; }

} // namespace memory::schema
