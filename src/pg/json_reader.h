// JSON text into jsonb.
#pragma once

#include "pg/datum.h"

namespace memory::pg {

// What jsonb_in() makes of `text`, in the current memory context, and its errors. Text as
// jsonb_out() writes it is read in a third of the time: what it means is taken from where it
// stands.
Document jsonb_of(std::string_view text);

} // namespace memory::pg
