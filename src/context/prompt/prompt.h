// A prompt section out of memories, within a budget of tokens: what context() returns. The layout
// and the rules are in docs/conversations.md, "Context".
//
// For every budget: the prompt has at most so many tokens, each memory is in it whole or not at
// all, and a larger budget loses a memory only to one that goes before it.
#pragma once

#include <cstdint>
#include <exception>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace memory::prompt {

// What names the speaker. Other roles are words of the application's, and are not shown.
enum class Speaker : std::uint8_t { unknown, user, assistant };
Speaker speaker_of(std::string_view role);

struct Memory {
    std::string_view id;    // what to cite it by
    std::string_view kind;  // our own word; empty where memory.get knows the id
    std::string_view text;  // as others have written it
    std::string_view day{}; // our own, as 2026-03-01; may be empty
    Speaker speaker = Speaker::unknown;
};

// Each list with what goes first at its beginning.
struct Contents {
    std::span<const Memory> pinned{};
    std::span<const Memory> recalled{};
    std::span<const Memory> summary{};
    std::span<const Memory> facts{};
    std::span<const Memory> messages{}; // newest first; they stand in the prompt oldest first
};

// Memories that are pinned take more than the budget.
class PinnedTooLong final : public std::exception {
  public:
    PinnedTooLong(std::size_t all, std::size_t most, std::size_t one) noexcept
        : tokens(all), largest(most), largest_tokens(one) {}
    const char *what() const noexcept override { return "what is pinned is over the budget"; }

    std::size_t tokens;         // that a prompt of them alone has
    std::size_t largest;        // among them, from 0
    std::size_t largest_tokens; // of that one
};

// Empty when there is nothing to show. Without `max_tokens` there is no limit; it is not negative.
std::pmr::string packed(const Contents &contents, std::optional<std::int64_t> max_tokens,
                        std::pmr::memory_resource *memory);

} // namespace memory::prompt
