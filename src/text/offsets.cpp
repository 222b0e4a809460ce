// Offsets of tokens in characters.
#include "text/offsets.h"

namespace memory::text {

std::int32_t CharacterOffsets::at(std::size_t byte) {
    for (; byte_ < byte; ++byte_)
        character_ += begins_character(byte_) ? 1 : 0;
    for (; byte_ > byte; --byte_)
        character_ -= begins_character(byte_ - 1) ? 1 : 0;
    return character_;
}

} // namespace memory::text
