// Puts a word's places together with the first letters that are asked for.
#include "index/segment/near_terms.h"

namespace memory::segment {

NearTerms::NearTerms(const text::Spelling &word, std::pmr::memory_resource *memory)
    : word_(word), strings_(word, memory), above_alike_(word.first_letter(), memory),
      next_(memory) {
    ++above_alike_.back(); // it ends a character, so it is not the last byte that there is
}

void NearTerms::aim(std::string_view from) {
    const std::optional<std::string_view> found = place(from);
    at_end_ = !found;
    if (found)
        next_ = *found;
}

std::optional<std::string_view> NearTerms::place(std::string_view from) {
    if (beginning_ == Beginning::same && from < word_.first_letter())
        from = word_.first_letter();
    if (beginning_ == Beginning::other && begins_alike(from))
        from = above_alike_;
    const std::optional<std::string_view> found = strings_.least(from);
    if (!found || beginning_ == Beginning::any ||
        begins_alike(*found) == (beginning_ == Beginning::same))
        return found;
    return beginning_ == Beginning::same ? std::nullopt : strings_.least(above_alike_);
}

std::optional<std::uint32_t> NearTerms::distance(std::string_view term) const {
    if (beginning_ != Beginning::any && begins_alike(term) != (beginning_ == Beginning::same))
        return std::nullopt;
    const std::optional<std::uint32_t> edits = word_.distance(term);
    return edits && *edits <= strings_.limit() ? edits : std::nullopt;
}

} // namespace memory::segment
