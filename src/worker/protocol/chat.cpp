// Writes and reads the JSON of /chat/completions.
#include "worker/protocol/chat.h"

#include "worker/protocol/lenient_json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace memory::worker {

namespace {

using nlohmann::json;

void add_format(json &request, const Question &question, const json &schema, Format format) {
    if (format == Format::schema)
        request["response_format"] = {
            {"type", "json_schema"},
            {"json_schema", {{"name", question.name}, {"strict", true}, {"schema", schema}}}};
    else if (format == Format::object)
        request["response_format"] = {{"type", "json_object"}};
}

// A content is a text, or a list of parts, some of which have one.
std::string content_of(const json &content) {
    if (content.is_string())
        return content.get<std::string>();
    std::string all;
    for (const json &part : content.is_array() ? content : json::array()) {
        const json &text = part_of(part, "text");
        if (text.is_string())
            all += text.get_ref<const std::string &>();
    }
    return all;
}

} // namespace

std::string chat_request(const Question &question, const json &schema, Format format,
                         const json &extra) {
    constexpr std::array left_out{"model",           "messages", "stream",
                                  "response_format", "jobs",     "every"};
    json request = json::object();
    for (const auto &[key, value] : extra.items()) {
        if (std::ranges::find(left_out, key) == left_out.end())
            request[key] = value;
    }
    request["model"] = question.model;
    request["messages"] = {{{"role", "system"}, {"content", question.system}},
                           {{"role", "user"}, {"content", question.user}}};
    add_format(request, question, schema, format);
    return request.dump(-1, ' ', false, json::error_handler_t::replace);
}

Said read_chat(std::string_view text) {
    const json answer = read_exactly(text);
    const json &choices = part_of(answer, "choices");
    if (!choices.is_array() || choices.empty())
        return {.content = {}, .fault = "the answer has no choices, or is not JSON"};
    const json &message = part_of(choices[0], "message");
    Said said{.content = content_of(part_of(message, "content")),
              .fault = {},
              .tokens = count_in(part_of(answer, "usage"), "total_tokens")};
    if (said.content.empty())
        said.fault = part_of(message, "refusal").is_string() ? "the model refuses to answer"
                                                             : "the answer has no content";
    return said;
}

} // namespace memory::worker
