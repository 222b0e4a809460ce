// Names as paths, byte by byte: no byte of `/` is part of another character in any encoding of a
// server.
#include "blocks/editing/path.h"

#include <algorithm>

namespace memory::editing {

namespace {

std::string_view without_leading_slash(std::string_view name) {
    return name.starts_with('/') ? name.substr(1) : name;
}

} // namespace

Fault fault_in(std::string_view name) {
    std::string_view rest = without_leading_slash(name);
    for (;;) {
        const std::size_t end = std::min(rest.find('/'), rest.size());
        const std::string_view segment = rest.substr(0, end);
        if (segment.empty())
            return Fault::empty_segment;
        if (segment == "." || segment == "..")
            return Fault::dot_segment;
        if (end == rest.size())
            return Fault::none;
        rest.remove_prefix(end + 1);
    }
}

std::size_t segments(std::string_view name) {
    return 1 + static_cast<std::size_t>(std::ranges::count(without_leading_slash(name), '/'));
}

std::string_view first_segments(std::string_view name, std::size_t count) {
    std::size_t end = 0;
    for (std::size_t n = 0; n < count && end != name.npos; ++n)
        end = name.find('/', end + 1);
    return name.substr(0, end);
}

} // namespace memory::editing
