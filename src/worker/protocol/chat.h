// POST /chat/completions: one question to a model, and the words of its answer.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace memory::worker {

// How a model is asked for JSON. Servers that do not know one of them refuse the request.
enum class Format : std::uint8_t { schema, object, none };

struct Question {
    std::string_view model;
    std::string_view system; // what is to be done
    std::string_view user;   // what with
    std::string_view name;   // of the schema
};

// The body of a request. The members of `extra`, an object, stand in it as they are, unless they
// are written here, or are for the database (`jobs`, `every`).
std::string chat_request(const Question &question, const nlohmann::json &schema, Format format,
                         const nlohmann::json &extra);

struct Said {
    std::string content;
    std::string fault; // why there is no content
    std::int64_t tokens = 0;
};

// The content of the first choice. A refusal is a fault.
Said read_chat(std::string_view answer);

} // namespace memory::worker
