// A state between jsonb and the bytes that are stored: JSON text in UTF-8, so that it is the same
// in every database.
#pragma once

#include "pg/datum.h"

namespace memory::checkpoints {

// In the current memory context.
pg::Bytes state_bytes(pg::Document state);
// An error when the bytes are no JSON, or hold a character that the database's encoding lacks.
pg::Document state_of(pg::Bytes bytes);

} // namespace memory::checkpoints
