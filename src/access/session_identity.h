// The identity of a session under protect(), for functions that write: a write for another user is
// refused in the caller's words, and not by a policy of a table that the caller does not know. The
// policies decide what is written; this only says it sooner.
#pragma once

#include "access/scope.h"

namespace memory::access {

class SessionIdentity {
  public:
    // Evaluates it where row security applies to the caller. Needs the tables.
    SessionIdentity();

    bool may_write(const Tenant &tenant) const {
        return !is_protected_ || identity_ == tenant.user;
    }
    // The error for a tenant that it may not write.
    [[noreturn]] void refuse() const;
    void check_may_write(const Tenant &tenant) const {
        if (!may_write(tenant))
            refuse();
    }

  private:
    bool is_protected_ = false;
    std::optional<std::string_view> identity_; // in the current memory context
};

} // namespace memory::access
