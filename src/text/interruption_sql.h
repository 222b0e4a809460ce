// Cancel, statement_timeout and shutdown of the server, for the work of the pure rooms. Only the
// shell includes this.
#pragma once

#include "pg/call.h"
#include "text/interruption.h"

namespace memory::text {

class ServerInterruption final : public Interruption {
  public:
    void check() override { pg::check_for_interrupts(); }
};

inline constinit ServerInterruption server_interruption;

} // namespace memory::text
