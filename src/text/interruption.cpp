// The interruption that never comes.
#include "text/interruption.h"

namespace memory::text {

namespace {

class Never final : public Interruption {
  public:
    void check() override {}
};

constinit Never never;

} // namespace

Interruption &Interruption::none() { return never; }

} // namespace memory::text
