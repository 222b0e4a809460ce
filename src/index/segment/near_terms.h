// Finds the terms of segments that are near some words, and reads little more than those.
#pragma once

#include "index/segment/reader.h"
#include "text/interruption.h"
#include "text/near_strings.h"

namespace memory::segment {

// Which terms a word is compared with.
enum class Beginning : std::uint8_t {
    any,
    same,  // those that begin with the word's first letter
    other, // the rest
};

// A word that each_near() goes through terms for.
class NearTerms {
  public:
    // `word` must outlive it.
    NearTerms(const text::Spelling &word, std::pmr::memory_resource *memory);

    // What is found from now on, also if each_near() is under way.
    void look_for(Beginning beginning) { beginning_ = beginning; }
    Beginning beginning() const { return beginning_; }
    // At most so many edits away, if those are fewer than before; at first what a word of its
    // length allows.
    void limit(std::uint32_t edits) {
        if (edits < strings_.limit())
            strings_.limit(edits);
    }

    // Goes to the first place, from `from` on, where such a term may be.
    void aim(std::string_view from);
    bool at_end() const { return at_end_; }
    std::string_view next() const { return next_; }
    // Goes on if that is before a term. Whether the term is there.
    bool goes_to(std::string_view term) {
        if (!at_end_ && next_ < term)
            aim(term);
        return !at_end_ && next_ == term;
    }

    // How many edits away the term is; nothing if it is none of those.
    std::optional<std::uint32_t> distance(std::string_view term) const;

    std::uint32_t limit() const { return strings_.limit(); }
    std::string_view first_letter() const { return word_.first_letter(); }

  private:
    bool begins_alike(std::string_view string) const { return string.starts_with(first_letter()); }
    std::optional<std::string_view> place(std::string_view from);

    const text::Spelling &word_;
    text::NearStrings strings_;
    Beginning beginning_ = Beginning::any;
    std::pmr::string above_alike_; // above all that begins with the word's first letter
    std::pmr::string next_;
    bool at_end_ = false;
};

inline constexpr std::size_t steps_a_place = 32; // for a pause

// Goes from place to place.
template <class Take>
void each_near_by_places(TermWalk &terms, std::span<NearTerms> words, std::string_view from,
                         text::Pause &pause, Take &&take) {
    std::array<char, codec::longest_term + 1> above; // the least string above the term
    for (NearTerms &word : words)
        word.aim(from);
    for (;;) {
        const NearTerms *first = nullptr;
        for (const NearTerms &word : words)
            if (!word.at_end() && (first == nullptr || word.next() < first->next()))
                first = &word;
        if (first == nullptr || !terms.advance(first->next()))
            return;
        const std::string_view term = terms.term();
        if (term < first->next())
            throw codec::Corrupt("terms that do not ascend");
        *std::copy(term.begin(), term.end(), above.begin()) = '\0';
        for (std::size_t n = 0; n < words.size(); ++n) {
            pause.step(steps_a_place);
            if (!words[n].goes_to(term))
                continue;
            if (const auto edits = words[n].distance(term))
                take(n, *edits);
            words[n].aim({above.data(), term.size() + 1});
        }
    }
}

// Compares all terms from `from` on that begin with `beginning`.
template <class Take>
void each_near_of_all(TermWalk &terms, std::span<const NearTerms> words, std::string_view from,
                      std::string_view beginning, text::Pause &pause, Take &&take) {
    for (bool more = terms.seek(from); more && terms.term().starts_with(beginning);
         more = terms.next())
        for (std::size_t n = 0; n < words.size(); ++n) {
            pause.step(steps_a_place);
            if (const auto edits = words[n].distance(terms.term()))
                take(n, *edits);
        }
}

// Calls `take(n, edits)` for each term from `from` on that is found for the nth word; all look for
// the same beginnings. `terms`, which have not been moved before, stand at it. With two edits
// nearly every block of a dictionary has a place, and to read it whole is quicker.
template <class Take>
void each_near(TermWalk &terms, std::span<NearTerms> words, std::string_view from,
               text::Pause &pause, Take &&take) {
    const bool has_few_places = std::all_of(words.begin(), words.end(),
                                            [](const NearTerms &word) { return word.limit() < 2; });
    if (has_few_places)
        return each_near_by_places(terms, words, from, pause, take);
    if (words.front().beginning() != Beginning::same)
        return each_near_of_all(terms, words, from, {}, pause, take);
    for (std::size_t n = 0; n < words.size(); ++n) {
        const std::string_view first = words[n].first_letter();
        each_near_of_all(terms, words.subspan(n, 1), std::max(from, first), first, pause,
                         [&](std::size_t, std::uint32_t edits) { take(n, edits); });
    }
}

} // namespace memory::segment
