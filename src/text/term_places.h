// Which of some terms are in a text, and which stand beside each other there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "text/token.h"

namespace memory::text {

// A term that is looked for, with its number.
struct NumberedTerm {
    std::string_view term;
    std::uint32_t number;
};

// Takes the tokens of one text. Weak ones are passed over: the words to both sides of a stop word
// stand beside each other. Call order: clear(), analyze into it, then ask. Storage is kept from
// text to text.
class TermPlaces final : public TokenSink {
  public:
    // Terms are distinct, and outlive it.
    TermPlaces(std::span<const NumberedTerm> terms, std::pmr::memory_resource *memory);

    void clear() { places_.clear(); }
    void take(const Token &token) override;

    // Calls take(number) for each of the terms that is there, as often as it is.
    template <class Take>
    void each_term(Take &&take) const {
        for (const Place &place : places_)
            if (place.number != no_number)
                take(place.number);
    }

    // Calls take(number, number) for each two of the terms that stand beside each other, in their
    // order, as often as they do.
    template <class Take>
    void each_pair(Take &&take) {
        // A whole comes after its parts, and stands where the first of them does.
        std::sort(places_.begin(), places_.end());
        Iterator begin = places_.begin();
        while (begin != places_.end()) {
            const auto end = end_of_unit(begin);
            const auto next = end_of_unit(end);
            for (auto one = begin; one != end; ++one)
                for (auto other = end; other != next; ++other)
                    if (one->number != no_number && other->number != no_number)
                        take(one->number, other->number);
            begin = end;
        }
    }

  private:
    static constexpr std::uint32_t no_number = UINT32_MAX;

    struct Place {
        std::uint32_t unit;
        std::uint32_t number;
        friend auto operator<=>(const Place &, const Place &) = default;
    };
    using Iterator = std::pmr::vector<Place>::const_iterator;

    Iterator end_of_unit(Iterator begin) const {
        const Iterator end = places_.end();
        return begin == end ? end : std::find_if(begin, end, [begin](const Place &place) {
            return place.unit != begin->unit;
        });
    }

    std::pmr::vector<NumberedTerm> terms_; // ascending
    std::pmr::vector<Place> places_;       // of all tokens but weak ones
};

} // namespace memory::text
