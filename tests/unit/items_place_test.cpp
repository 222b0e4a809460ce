// Places of items: their order is that of paths and keys, ranges have what is under a path and
// nothing else, and different items have different places.
#include "items/place/place.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace memory::items::place {
namespace {

using Names = std::vector<std::string>;

struct Item {
    Names path;
    std::string key;

    friend auto operator<=>(const Item &, const Item &) = default;
};

std::vector<std::string_view> views_of(const Names &names) { return {names.begin(), names.end()}; }

std::string place_of(const Item &item) {
    return std::string(of(views_of(item.path), item.key, std::pmr::new_delete_resource()));
}

bool is_in(const Range &range, const std::string &place) {
    return std::string_view(range.from) <= place && place < std::string_view(range.to);
}

bool begins_with(const Names &path, const Names &prefix) {
    return prefix.size() <= path.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

// Few letters and short names, so that much is nearly the same; bytes 1 and 255 among them.
class Random {
  public:
    std::string name(std::size_t least, std::size_t most) {
        static const std::string letters = "ab\x01\xff%*";
        std::string name;
        for (std::size_t n = between(least, most); n > 0; --n)
            name += letters[between(0, letters.size() - 1)];
        return name;
    }
    Names path(std::size_t most_names) {
        Names path(between(0, most_names));
        for (std::string &one : path)
            one = name(1, 3);
        return path;
    }
    std::size_t between(std::size_t low, std::size_t high) {
        return std::uniform_int_distribution<std::size_t>(low, high)(engine_);
    }

  private:
    std::mt19937 engine_{20261119};
};

TEST(ItemsPlace, OrderIsThatOfPathsAndKeys) {
    Random random;
    std::vector<Item> items;
    for (int n = 0; n < 2000; ++n)
        items.push_back({random.path(4), random.name(1, 3)});
    std::ranges::sort(items,
                      [](const Item &a, const Item &b) { return place_of(a) < place_of(b); });
    EXPECT_TRUE(std::ranges::is_sorted(items, [](const Item &a, const Item &b) {
        if (a.path != b.path)
            return std::ranges::lexicographical_compare(
                a.path, b.path, [](std::string_view x, std::string_view y) { return x < y; });
        return std::string_view(a.key) < std::string_view(b.key);
    }));
}

TEST(ItemsPlace, DifferentItemsHaveDifferentPlaces) {
    Random random;
    std::vector<std::pair<std::string, Item>> found;
    for (int n = 0; n < 5000; ++n) {
        const Item item{random.path(4), random.name(1, 3)};
        found.emplace_back(place_of(item), item);
    }
    std::ranges::sort(found);
    for (std::size_t n = 1; n < found.size(); ++n)
        EXPECT_EQ(found[n - 1].first == found[n].first, found[n - 1].second == found[n].second);
}

TEST(ItemsPlace, RangesHaveWhatIsUnderAPathAndNothingElse) {
    Random random;
    for (int n = 0; n < 20000; ++n) {
        const Item item{random.path(4), random.name(1, 3)};
        const Names prefix = random.path(3);
        const auto views = views_of(prefix);
        const Range below = under(views, std::pmr::new_delete_resource());
        const Range here = at(views, std::pmr::new_delete_resource());
        EXPECT_TRUE(below.exact && here.exact);
        EXPECT_EQ(is_in(below, place_of(item)), begins_with(item.path, prefix));
        EXPECT_EQ(is_in(here, place_of(item)), item.path == prefix);
    }
}

// Paths and keys of 1 kB, whose places do not fit.
TEST(ItemsPlace, LongPlacesEndInADigestAndStayInTheirRanges) {
    Random random;
    for (int n = 0; n < 2000; ++n) {
        Item item{{}, std::string(random.between(1, 1024), 'k') + "1"};
        for (std::size_t left = random.between(600, 1024); left > 0;) {
            const std::size_t size = std::min(left, random.between(1, 3));
            item.path.emplace_back(size, 'p');
            left -= size;
        }
        const std::string place = place_of(item);
        EXPECT_LE(place.size(), longest);
        for (const std::size_t depth : {std::size_t{1}, item.path.size() / 2, item.path.size()}) {
            const Names prefix(item.path.begin(),
                               item.path.begin() + static_cast<std::ptrdiff_t>(depth));
            const auto views = views_of(prefix);
            EXPECT_TRUE(is_in(under(views, std::pmr::new_delete_resource()), place));
            EXPECT_EQ(is_in(at(views, std::pmr::new_delete_resource()), place) &&
                          at(views, std::pmr::new_delete_resource()).exact,
                      depth == item.path.size() &&
                          at(views, std::pmr::new_delete_resource()).exact);
        }
        Item other = item;
        other.key.back() = '2';
        EXPECT_NE(place_of(other), place);
        other = item;
        other.path.back() += 'q';
        EXPECT_NE(place_of(other), place);
    }
}

TEST(ItemsPlace, AnExactRangeOfALongPathHasNoOtherPath) {
    Names path(500, "p");
    const Range range = under(views_of(path), std::pmr::new_delete_resource());
    EXPECT_TRUE(range.exact);
    Names longer = path;
    longer[499] = "pp";
    EXPECT_FALSE(is_in(range, place_of({longer, std::string(1000, 'k')})));
    longer = path;
    longer.emplace_back(500, 'q');
    EXPECT_TRUE(is_in(range, place_of({longer, std::string(1000, 'k')})));
    EXPECT_FALSE(under(views_of(Names(800, "p")), std::pmr::new_delete_resource()).exact);
}

TEST(ItemsPlace, AStarIsAnyOneName) {
    const auto match = [](const Names &path, const Names &prefix, const Names &suffix) {
        return matches(views_of(path), views_of(prefix), views_of(suffix));
    };
    EXPECT_TRUE(match({"a", "b", "c"}, {"a"}, {"c"}));
    EXPECT_TRUE(match({"a", "b", "c"}, {"*", "b"}, {"b", "*"}));
    EXPECT_TRUE(match({"a", "b"}, {"a", "b"}, {"a", "b"}));
    EXPECT_TRUE(match({}, {}, {}));
    EXPECT_FALSE(match({"a"}, {"a", "*"}, {}));
    EXPECT_FALSE(match({"a"}, {}, {"*", "a"}));
    EXPECT_FALSE(match({"ab"}, {"a*"}, {}));
    EXPECT_FALSE(match({"a", "b", "c"}, {"b"}, {}));
}

} // namespace
} // namespace memory::items::place
