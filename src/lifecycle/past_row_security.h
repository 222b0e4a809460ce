// What functions that are about all users do as the owner of the tables.
#pragma once

#include "pg/handles.h"

namespace memory::lifecycle {

// Acts as the tables' owner, past row security that is forced on it, as foreign keys' checks do,
// while it lives. An error unless the caller may act as the owner, is an admin or, for a view that
// monitoring reads, a member of pg_monitor; the function or view is named in it. Plans that were
// made under row security are not used meanwhile, nor those that are made meanwhile afterwards.
// Needs a live Spi.
class PastRowSecurity {
  public:
    enum class Of { function, view };

    explicit PastRowSecurity(const char *name, Of what = Of::function);
    ~PastRowSecurity();
    PastRowSecurity(const PastRowSecurity &) = delete;
    PastRowSecurity &operator=(const PastRowSecurity &) = delete;

  private:
    pg::ActingAs owner_;
};

} // namespace memory::lifecycle
