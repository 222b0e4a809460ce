// POST /embeddings: a request for the vectors of several texts, and what is in the answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memory::worker {

// pgvector's own limit.
constexpr std::size_t most_dimensions = 16000;

// The body of a request. `dimensions` is sent where the model is to be told.
std::string embedding_request(std::string_view model, std::span<const std::string_view> texts,
                              std::optional<int> dimensions);

struct Embedded {
    // One for each text, in the order of the texts. Empty where `fault` says why.
    std::vector<std::vector<float>> vectors;
    std::string fault;
    std::int64_t tokens = 0; // that the server has counted
};

// The vectors of an answer to a request with so many texts. Vectors are lists of numbers, or their
// little-endian bytes in base64. Elements may name the text that they are about (`index`). Any
// number that is not finite, any count but the right one, is a fault of the whole answer: which
// text a vector belongs to would be a guess.
Embedded read_embeddings(std::string_view answer, std::size_t texts);

} // namespace memory::worker
