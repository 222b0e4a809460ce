// Offsets in characters, from 0, as substr() and every client language count them; analysis counts
// bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace memory::text {

// Counts from the byte that was asked about last, in either direction. Tokens come in the order of
// the text, but that a whole steps back to its first part, and no byte is in more than a few
// wholes: so all offsets of a text's tokens together take time in proportion to the text.
class CharacterOffsets {
  public:
    explicit CharacterOffsets(std::string_view utf8) : utf8_(utf8) {}

    // The characters before `byte`, which is at most the text's size.
    std::int32_t at(std::size_t byte);

  private:
    bool begins_character(std::size_t byte) const {
        return (static_cast<unsigned char>(utf8_[byte]) & 0xC0) != 0x80;
    }

    std::string_view utf8_;
    std::size_t byte_ = 0;
    std::int32_t character_ = 0;
};

} // namespace memory::text
