// The room in the list of rooms: behind those whose rows its functions forget.
#include "lifecycle/tables.h"

namespace memory::lifecycle {

constinit const schema::Room room{"lifecycle", {}, nullptr};

} // namespace memory::lifecycle
