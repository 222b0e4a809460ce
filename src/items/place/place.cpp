// The format: a byte 1, each name with a byte 0 behind it, another 0, the key.
#include "items/place/place.h"

#include "facts/algebra/sha256.h"

#include <algorithm>

namespace memory::items::place {

namespace {

constexpr char first = '\1';
constexpr char end_of_name = '\0';

std::pmr::string beginning(Path path, std::pmr::memory_resource *memory) {
    std::pmr::string place(1, first, memory);
    for (const std::string_view name : path)
        place.append(name).push_back(end_of_name);
    return place;
}

// All places that begin with `from`, which ends in a byte less than 255: 0, 1, or where it is cut
// off, any.
Range beginning_with(std::pmr::string from) {
    const bool exact = from.size() <= kept;
    if (!exact)
        from.resize(kept);
    std::pmr::string to(from, from.get_allocator());
    while (static_cast<unsigned char>(to.back()) == 0xff)
        to.pop_back();
    to.back() = static_cast<char>(static_cast<unsigned char>(to.back()) + 1);
    return {std::move(from), std::move(to), exact};
}

} // namespace

// Lengths tell whole places and those with a digest apart: the former are shorter.
std::pmr::string of(Path path, std::string_view key, std::pmr::memory_resource *memory) {
    std::pmr::string place = beginning(path, memory);
    place.push_back(end_of_name);
    place.append(key);
    if (place.size() < longest)
        return place;
    facts::algebra::Sha256 whole;
    whole.add(place);
    place.resize(kept);
    for (const std::uint8_t byte : whole.digest())
        place.push_back(static_cast<char>(byte));
    return place;
}

Range under(Path prefix, std::pmr::memory_resource *memory) {
    return beginning_with(beginning(prefix, memory));
}

Range at(Path path, std::pmr::memory_resource *memory) {
    std::pmr::string from = beginning(path, memory);
    from.push_back(end_of_name);
    return beginning_with(std::move(from));
}

bool matches(Path path, Path prefix, Path suffix) {
    const auto is = [](std::string_view wanted, std::string_view name) {
        return wanted == any_name || wanted == name;
    };
    return prefix.size() <= path.size() && suffix.size() <= path.size() &&
           std::ranges::equal(prefix, path.first(prefix.size()), is) &&
           std::ranges::equal(suffix, path.last(suffix.size()), is);
}

} // namespace memory::items::place
