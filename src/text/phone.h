// Phone numbers, however they are punctuated: groups of digits joined into one number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/token.h"

namespace memory::text {

// Follows the digit groups of a text. Call order: add() for every atom that is digits alone, in
// text order; end() when any other atom, a run or the text's end comes.
class PhoneNumbers {
  public:
    PhoneNumbers(std::string_view text, TokenSink &sink) : text_(text), sink_(sink) {}

    // The group at [begin, end) of the text, already known to be decimal digits of one byte or more
    // each.
    void add(std::uint32_t begin, std::uint32_t end, std::uint32_t ordinal);

    // Hands what has been gathered to the sink, if it can be a phone number.
    void end() {
        if (groups_ != 0)
            finish();
    }

  private:
    static constexpr std::size_t most_digits = 15; // E.164
    static constexpr std::size_t fewest_digits = 7;
    static constexpr std::size_t most_groups = 8;

    bool continues_at(std::uint32_t begin);
    void start(std::uint32_t begin, std::uint32_t ordinal);
    void finish();
    void emit(std::string_view number);
    std::string_view digits() const { return {digits_.data(), size_}; }

    std::string_view text_;
    TokenSink &sink_;
    std::array<char, most_digits> digits_;
    std::size_t size_ = 0;   // more than most_digits: too long to be a phone number
    std::size_t groups_ = 0; // 0: no number begun
    std::uint32_t begin_ = 0;
    std::uint32_t end_ = 0;
    std::uint32_t ordinal_ = 0;
    bool international_ = false; // a plus sign stands before the first group
    bool punctuated_ = false;    // a hyphen, point or slash has been seen: no bare space may follow
    bool trunk_zero_ = false;    // the group to come is the (0) of +44 (0)20
};

} // namespace memory::text
