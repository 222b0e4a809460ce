// Which of many prefixes a term begins with.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>

namespace memory::index::grammar {

// Calls `use(n)` for every n of `prefixes` that the term begins with. The prefixes are distinct
// and ascend in byte order. Takes a binary search a prefix that is found, and at most one a byte
// of the term, however many prefixes there are.
template <typename Use>
void each_prefix_of(std::span<const std::pmr::string> prefixes, std::string_view term, Use use) {
    for (;;) {
        const auto end =
            std::upper_bound(prefixes.begin(), prefixes.end(), term,
                             [](std::string_view a, std::string_view b) { return a < b; });
        if (end == prefixes.begin())
            return;
        const std::string_view last = *(end - 1);
        const bool begins = term.starts_with(last);
        if (begins)
            use(static_cast<std::uint32_t>(end - prefixes.begin() - 1));
        // What else it begins with is shorter, and a prefix of what these two share.
        const auto differ = std::mismatch(term.begin(), term.end(), last.begin(), last.end()).first;
        const auto shared = static_cast<std::size_t>(differ - term.begin());
        if (shared == 0)
            return;
        term = term.substr(0, begins ? shared - 1 : shared);
    }
}

} // namespace memory::index::grammar
