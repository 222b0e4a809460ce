// Places of any two items: they are in the order of paths and keys, equal only where these are, and
// in the ranges of exactly the prefixes that begin their paths; a range that is not exact has more,
// never less.
#include "items/place/place.h"

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace {

using namespace memory::items::place;
using Names = std::vector<std::string>;

struct Item {
    Names path;
    std::string key;
};

void require(bool holds) {
    if (!holds)
        std::abort();
}

// A text of PostgreSQL's: no byte 0, and not empty; now and then a long one.
std::string name(FuzzedDataProvider &data) {
    std::string name = data.ConsumeRandomLengthString(40);
    std::ranges::replace(name, '\0', '\1');
    if (data.ConsumeBool())
        name.append(data.ConsumeIntegralInRange<std::size_t>(0, 1000), 'x');
    return name.empty() ? "n" : name;
}

Item item(FuzzedDataProvider &data, const Names &begin) {
    Item item;
    item.path.assign(begin.begin(), begin.begin() + data.ConsumeIntegralInRange<std::ptrdiff_t>(
                                                        0, std::ssize(begin)));
    while (item.path.size() < 600 && data.ConsumeBool())
        item.path.push_back(name(data));
    if (data.ConsumeBool())
        item.path.insert(item.path.end(), data.ConsumeIntegralInRange<std::size_t>(0, 600), "p");
    item.key = name(data);
    return item;
}

std::vector<std::string_view> views_of(const Names &names) { return {names.begin(), names.end()}; }

std::string place_of(const Item &item) {
    return std::string(of(views_of(item.path), item.key, std::pmr::new_delete_resource()));
}

bool is_in(const Range &range, const std::string &place) {
    return std::string_view(range.from) <= place && place < std::string_view(range.to);
}

// By bytes, as std::string compares.
bool is_before(const Item &a, const Item &b) {
    return a.path != b.path ? std::ranges::lexicographical_compare(a.path, b.path) : a.key < b.key;
}

void check_range(const Item &of, std::size_t depth, const Item &other) {
    const Names prefix(of.path.begin(), of.path.begin() + static_cast<std::ptrdiff_t>(depth));
    const auto views = views_of(prefix);
    const Range below = under(views, std::pmr::new_delete_resource());
    const bool begins =
        depth <= other.path.size() && std::equal(prefix.begin(), prefix.end(), other.path.begin());
    require(is_in(below, place_of(of)));
    require(below.exact ? is_in(below, place_of(other)) == begins
                        : !begins || is_in(below, place_of(other)));
    const Range here = at(views, std::pmr::new_delete_resource());
    const bool is_it = other.path == prefix;
    require(here.exact ? is_in(here, place_of(other)) == is_it
                       : !is_it || is_in(here, place_of(other)));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *bytes, std::size_t size) {
    FuzzedDataProvider data(bytes, size);
    const Item a = item(data, {});
    const Item b = item(data, a.path);
    const std::string first = place_of(a);
    const std::string second = place_of(b);
    require(first.size() <= longest && second.size() <= longest);
    require((first == second) == (a.path == b.path && a.key == b.key));
    if (first.substr(0, kept) != second.substr(0, kept))
        require((first < second) == is_before(a, b));
    for (const std::size_t depth : {std::size_t{0}, a.path.size() / 2, a.path.size()})
        check_range(a, depth, b);
    return 0;
}
