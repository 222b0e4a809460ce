// Writes and reads the JSON of /embeddings.
#include "worker/protocol/embeddings.h"

#include "worker/protocol/lenient_json.h"

#include <array>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace memory::worker {

namespace {

using nlohmann::json;

// Why an answer is of no use.
class Fault final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The six bits of a letter of base64; 64 where it is none.
unsigned bits_of(char letter) {
    if (letter >= 'A' && letter <= 'Z')
        return static_cast<unsigned>(letter - 'A');
    if (letter >= 'a' && letter <= 'z')
        return static_cast<unsigned>(letter - 'a') + 26;
    if (letter >= '0' && letter <= '9')
        return static_cast<unsigned>(letter - '0') + 52;
    return letter == '+' ? 62U : letter == '/' ? 63U : 64U;
}

std::vector<std::uint8_t> bytes_of(std::string_view base64) {
    while (base64.ends_with('='))
        base64.remove_suffix(1);
    std::vector<std::uint8_t> bytes;
    bytes.reserve(base64.size() / 4 * 3 + 2);
    unsigned held = 0;
    unsigned bits = 0;
    for (const char letter : base64) {
        const unsigned next = bits_of(letter);
        if (next == 64)
            throw Fault("an embedding is a text that is no base64");
        held = (held << 6 | next) & 0xFFFFU;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes.push_back(static_cast<std::uint8_t>(held >> bits));
        }
    }
    return bytes;
}

std::vector<float> floats_of(std::string_view base64) {
    const std::vector<std::uint8_t> bytes = bytes_of(base64);
    if (bytes.size() % 4 != 0)
        throw Fault("an embedding in base64 has a part of a number at its end");
    std::vector<float> vector(bytes.size() / 4);
    for (std::size_t n = 0; n < vector.size(); ++n) {
        std::uint32_t word = 0;
        for (std::size_t byte = 4; byte-- > 0;)
            word = word << 8 | bytes[4 * n + byte];
        vector[n] = std::bit_cast<float>(word);
    }
    return vector;
}

std::vector<float> floats_of(const json &list) {
    std::vector<float> vector;
    vector.reserve(list.size());
    for (const json &number : list) {
        if (!number.is_number())
            throw Fault("an embedding has something in it that is no number");
        vector.push_back(static_cast<float>(number.get<double>()));
    }
    return vector;
}

std::vector<float> vector_of(const json &embedding) {
    std::vector<float> vector;
    if (embedding.is_array())
        vector = floats_of(embedding);
    else if (embedding.is_string())
        vector = floats_of(std::string_view(embedding.get_ref<const std::string &>()));
    else
        throw Fault("an element of data has no embedding");
    if (vector.empty() || vector.size() > most_dimensions)
        throw Fault("an embedding has " + std::to_string(vector.size()) + " dimensions");
    for (const float number : vector) {
        if (!std::isfinite(number))
            throw Fault("an embedding has a number that no vector can hold");
    }
    return vector;
}

// Which text an element of the list is about.
std::size_t place_of(const json &element, std::size_t position, std::size_t texts) {
    const json &index = part_of(element, "index");
    if (index.is_null())
        return position;
    if (!index.is_number_unsigned() || index.get<std::uint64_t>() >= texts)
        throw Fault("an element of data has an index that no text has");
    return index.get<std::size_t>();
}

std::vector<std::vector<float>> vectors_of(const json &answer, std::size_t texts) {
    const json &data = part_of(answer, "data");
    if (!data.is_array())
        throw Fault("the answer has no list data");
    if (data.size() != texts)
        throw Fault("the answer has " + std::to_string(data.size()) + " embeddings for " +
                    std::to_string(texts) + " texts");
    std::vector<std::vector<float>> vectors(texts);
    for (std::size_t n = 0; n < texts; ++n) {
        const json &element = data[n];
        std::vector<float> &place = vectors[place_of(element, n, texts)];
        if (!place.empty())
            throw Fault("two elements of data have the same index");
        place = vector_of(part_of(element, "embedding"));
    }
    return vectors;
}

} // namespace

std::string embedding_request(std::string_view model, std::span<const std::string_view> texts,
                              std::optional<int> dimensions) {
    json request{{"model", model}, {"input", json::array()}};
    for (const std::string_view text : texts)
        request["input"].push_back(text);
    if (dimensions)
        request["dimensions"] = *dimensions;
    return request.dump(-1, ' ', false, json::error_handler_t::replace);
}

Embedded read_embeddings(std::string_view text, std::size_t texts) {
    Embedded result;
    const json answer = read_exactly(text);
    if (answer.is_discarded()) {
        result.fault = "the answer is not JSON, or only a part of it";
        return result;
    }
    try {
        result.vectors = vectors_of(answer, texts);
    } catch (const Fault &fault) {
        result.fault = fault.what();
        return result;
    }
    result.tokens = count_in(part_of(answer, "usage"), "total_tokens");
    return result;
}

} // namespace memory::worker
