// The settings of this room.
#pragma once

namespace memory::jobs {

// Declares them. Called once, when the library is loaded.
void define_settings();

// memory.notify_jobs.
bool notifies() noexcept;

} // namespace memory::jobs
