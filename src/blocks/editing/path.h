// Names of blocks as paths: segments joined by `/`. A leading `/` is part of the name and no
// segment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace memory::editing {

enum class Fault : std::uint8_t { none, empty_segment, dot_segment };

// What is wrong with a name; an empty name is an empty segment.
Fault fault_in(std::string_view name);

// The functions below are for names without a fault.

// Whether it lies in a directory: it then has no place in the prompt.
constexpr bool is_file(std::string_view name) { return name.find('/') != name.npos; }

std::size_t segments(std::string_view name);

// The name of the directory that the first `count` segments lead to, or the name itself where it
// has no more.
std::string_view first_segments(std::string_view name, std::size_t count);

// Whether `name` lies below `directory`: `a/b` below `a`, but not `ab`, nor `a` itself.
constexpr bool is_below(std::string_view name, std::string_view directory) {
    return name.size() > directory.size() && name.starts_with(directory) &&
           name[directory.size()] == '/';
}

// Calls visit(directory) for each directory that the name lies in, the outermost first.
template <class Visit>
void each_directory(std::string_view name, Visit &&visit) {
    for (std::size_t at = name.find('/', 1); at != name.npos; at = name.find('/', at + 1))
        visit(name.substr(0, at));
}

} // namespace memory::editing
