// Where in the order of bytes the strings are that are near a word, so that what goes through
// sorted terms can leave out all between them. docs/recall.md, "Misspelt words".
#pragma once

#include "text/spelling.h"

#include <memory_resource>
#include <string>

namespace memory::text {

// The strings are those that Spelling::distance() gives no more than a limit: at first the one of
// the word's length. Quicker where one asks about strings that ascend.
class NearStrings {
  public:
    // `word` must outlive it.
    NearStrings(const Spelling &word, std::pmr::memory_resource *memory);

    std::uint32_t limit() const noexcept { return limit_; }
    // To no more edits than before.
    void limit(std::uint32_t edits);

    // From `from` on no string below this one is near; nothing if none is from there on. It is
    // `from` itself, or valid until the next call.
    std::optional<std::string_view> least(std::string_view from);

  private:
    static constexpr std::uint32_t most = Spelling::most_distance;

    // How far a string's beginning may have come: sets of places in the word, by the edits made.
    struct State {
        std::array<std::uint64_t, most + 1> behind{}; // behind so many letters of the word
        // The second of two letters has been read in place of the first, at this place.
        std::array<std::uint64_t, most + 1> exchanging{};
        std::size_t end = 0; // of the string's beginning, in bytes
    };

    const State &last() const { return path_[depth_]; }
    std::uint64_t places_of(char32_t letter) const;
    State step(const State &from, char32_t letter, std::uint32_t bytes) const;
    State step_to(const State &from, std::size_t place);

    // More edits allow all that fewer do.
    bool is_live(const State &state) const {
        return (state.behind[limit_] | state.exchanging[limit_]) != 0;
    }
    bool is_near(const State &state) const {
        return state.behind[limit_] >> word_.letters_.count != 0;
    }
    bool allows_any_letter(const State &state) const {
        return limit_ > 0 && state.behind[limit_ - 1] != 0;
    }
    std::optional<std::size_t> next_letter(const State &state, std::string_view above) const;

    void return_to_common_beginning(std::string_view from);
    bool follow(std::string_view from);
    std::string_view completed(State state);
    std::optional<std::string_view> least_above(std::string_view from);

    const Spelling &word_;
    std::uint32_t limit_;
    std::pmr::string bytes_; // of the word
    std::array<std::uint8_t, Spelling::most_letters + 1> starts_{};
    std::uint64_t within_;         // the places of the word and the one behind it
    std::uint64_t letters_within_; // of the word alone
    // Of each letter of the word, in the order of their bytes.
    std::array<std::uint32_t, Spelling::most_letters> keys_{};
    std::array<std::uint64_t, 64> places_{};       // of letters, by their class
    std::array<State, Spelling::room + 1> path_{}; // through followed_, as far as it is live
    std::size_t depth_ = 0;
    std::pmr::string followed_;
    std::pmr::string found_;
};

} // namespace memory::text
