// What is told of others' words, in logs and in the database.
#pragma once

#include <string>
#include <string_view>

namespace memory::worker {

// A text of others as part of a message: one line of UTF-8 without controls, at most so many
// characters, and without `secret` in it, where that is not empty.
std::string quotable(std::string_view text, std::string_view secret, std::size_t most = 300);

} // namespace memory::worker
