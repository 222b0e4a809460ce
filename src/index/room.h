// What is known of the room for rewriting: sealing and merging need pages before they give any
// back, and are left for later where there are none.
#pragma once

#include "index/page.h"

namespace memory::index {

class Room {
  public:
    // Runs `body`, which writes about so many pages: not, if what has failed before it had no more,
    // so that a full disk costs one attempt and not one for each tenant. False if there was no
    // room; then `body` has published nothing.
    template <class Body>
    bool rewrite(std::uint64_t pages, Body &&body) {
        if (left_ && pages > *left_) {
            ++failures_;
            return false;
        }
        try {
            body();
        } catch (const NoRoom &none) {
            left_ = none.pages();
            why_ = none;
            ++failures_;
            return false;
        }
        if (left_)
            *left_ -= std::min(*left_, pages);
        return true;
    }

    // How often something was left for later; and why, if it was.
    std::uint64_t failures() const noexcept { return failures_; }
    const std::optional<NoRoom> &why() const noexcept { return why_; }

  private:
    std::uint64_t failures_ = 0;
    std::optional<NoRoom> why_;
    std::optional<std::uint64_t> left_; // free pages that there may still be
};

} // namespace memory::index
