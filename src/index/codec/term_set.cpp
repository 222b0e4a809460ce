// Computes how many bytes each target shares with the next.
#include "index/codec/term_set.h"

#include <cassert>

namespace memory::codec {

TermSet::TermSet(std::span<const std::string_view> terms, std::pmr::memory_resource *memory)
    : targets_(memory) {
    targets_.reserve(terms.size());
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const bool last = i + 1 == terms.size();
        assert(!terms[i].empty() && (last || terms[i] < terms[i + 1]));
        const std::size_t shared = last ? 0 : common_prefix(terms[i], terms[i + 1]);
        targets_.push_back({terms[i], static_cast<std::uint32_t>(shared)});
    }
}

} // namespace memory::codec
