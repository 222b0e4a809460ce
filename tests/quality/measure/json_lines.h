// Reads the data sets: gzipped files of one JSON object a line.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace quality {

// The fields that evaluation needs. Absent ones are empty.
struct Line {
    std::string id;
    std::string text;
    std::string lang;
    std::vector<std::string> evidence;
};

// Calls `use` with every line of the file. Throws std::runtime_error if it cannot be read.
void read_lines(const std::string &path, const std::function<void(const Line &)> &use);

} // namespace quality
