#include "sessions/shapes/text.h"

namespace memory::sessions::shapes {

namespace {

using Type = json::Value::Type;

bool is_text(std::string_view type) {
    return type == "text" || type == "input_text" || type == "output_text";
}

// Made of bytes that are blanks in every encoding of PostgreSQL's.
bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\n\v\f\r") == text.npos; }

} // namespace

void Text::add_content(const json::Value &content) {
    if (content.type == Type::array)
        add_list(content);
    else if (const auto parts = fields_.find(content, "parts", Type::array))
        add_list(*parts);
    else
        add_part(content);
}

void Text::add_list(const json::Value &list) {
    for (const json::Value &part : fields_.elements(list))
        add_part(part);
}

void Text::add_part(const json::Value &part) {
    if (part.type == Type::string) {
        add(part.text);
    } else if (const auto type = fields_.find(part, "type")) {
        if (type->type == Type::string && is_text(type->text))
            add(fields_.string(part, "text").value_or(""));
    } else if (const auto kind = fields_.find(part, "kind")) {
        // Of a user's prompt in pydantic-ai.
        if (kind->type == Type::string && kind->text == "text-content")
            add(fields_.string(part, "content").value_or(""));
    } else if (const auto thought = fields_.find(part, "thought"); !thought || !thought->truth) {
        // Of Google's models: a part has a key for each type, and may be what the model thought.
        add(fields_.string(part, "text").value_or(""));
    }
}

void Text::add(std::string_view part) {
    if (is_blank(part))
        return;
    if (!text_.empty())
        text_ += '\n';
    text_ += part;
}

} // namespace memory::sessions::shapes
