// Files that the command line names.
#pragma once

#include <string>

namespace memory::worker {

// The whole of a file. Throws BadOption in the option's name.
std::string read_file(const char *option, const std::string &name);

// The key: of a file, where one is given, else of the environment; empty where there is none.
// Throws BadOption where it could not stand in a header.
std::string read_key(const std::string &file);

} // namespace memory::worker
