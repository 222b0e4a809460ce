// Places at which a test lets the server die, to see what recovery makes of it.
#pragma once

namespace memory::index {

// Declares the setting memory.crash_at. Called once, when the library is loaded.
void define_crash_points();

// PANIC if the setting, which only a superuser sets, is `name`.
void crash_point(const char *name);

} // namespace memory::index
