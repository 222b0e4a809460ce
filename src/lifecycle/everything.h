// All rows of a user.
#pragma once

#include "access/scope.h"
#include "lifecycle/receipt.h"

namespace memory::lifecycle {

// Deletes them from every table of users. Locks what writers of the user lock: sessions, stores of
// checkpoints and lines, each in the order that writers take. What begins to be written meanwhile,
// and has none of these locks to wait for, is written afterwards, and stays. Needs a live Spi.
void forget_everything(const access::Tenant &tenant, Receipt &receipt,
                       std::pmr::memory_resource *memory);

} // namespace memory::lifecycle
