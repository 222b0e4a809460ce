// An embedding without a model: features of a text, hashed into a vector of unit length, so that
// texts that share words or parts of words are near. Lexical, not semantic. What the features are,
// and what they were measured to be worth: docs/hash_embedding.md.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <span>
#include <string_view>

#include "text/interruption.h"

namespace memory::text {

inline constexpr std::size_t max_embedding_dimensions = 16000;

// Writes the embedding of `text` into `vector`, whose size, 1 to max_embedding_dimensions, is the
// number of dimensions. The same text gives the same bits on every machine and in every version;
// a text without any word gives the first unit vector. `text` is UTF-8; malformed bytes count as
// U+FFFD. Working memory comes from `memory` and goes back to it. Throws IcuFailure and
// TextTooLong.
void hash_embedding(std::string_view text, std::span<float> vector,
                    std::pmr::memory_resource *memory,
                    Interruption &interruption = Interruption::none());

} // namespace memory::text
