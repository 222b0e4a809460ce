// Tells the shapes apart by keys that only one of them has. Nothing here calls itself: what is
// deeper than its shape has it is not looked for.
#include "sessions/shapes/message.h"

#include "sessions/shapes/text.h"
#include "sessions/shapes/words.h"

#include <algorithm>

namespace memory::sessions::shapes {

namespace {

using json::Value;
using Type = json::Value::Type;

// LangChain may have the fields of a message one level deeper:
//     {"lc": 1, "type": "constructor", "id": [..., "HumanMessage"], "kwargs": {…}}
//     {"type": "human", "data": {…}}
Value body_of(Fields &fields, const Value &message) {
    if (fields.find(message, "lc"))
        return fields.find(message, "kwargs", Type::object).value_or(message);
    const auto data = fields.find(message, "data", Type::object);
    const bool is_body = data && fields.find(*data, "content") && fields.find(message, "type") &&
                         !fields.find(message, "role") && !fields.find(message, "content");
    return is_body ? *data : message;
}

// What a message says, whoever says it.
struct Said {
    std::optional<Role> role; // nothing: of no shape that is known
    std::pmr::string text;
};

class Shapes {
  public:
    explicit Shapes(const Fields &fields) : fields_(fields) {}

    Said said(const Value &message) {
        if (const auto role = fields_.find(message, "role"))
            return {role_in(*role), text_of_message(message)};
        if (const auto parts = fields_.find(message, "parts", Type::array))
            return of_parts(message, *parts);
        if (fields_.find(message, "lc"))
            return of_constructor(message);
        if (const auto type = fields_.string(message, "type"))
            return of_type(message, *type);
        return of_event(message);
    }

    // What stands beside the message that is wrapped wins.
    Said said(const Value &wrapper, const Value &wrapped) {
        Said said = this->said(wrapped);
        if (const auto role = fields_.find(wrapper, "role"))
            said.role = role_in(*role);
        if (const auto content = fields_.find(wrapper, "content"))
            said.text = text_of(content);
        return said;
    }

  private:
    static std::optional<Role> role_in(const Value &value) {
        return value.type == Type::string ? role_of(value.text) : std::nullopt;
    }
    std::pmr::string no_text() const { return std::pmr::string(fields_.memory()); }

    std::pmr::string text_of(const std::optional<Value> &content) {
        Text text(fields_);
        if (content)
            text.add_content(*content);
        return text.finished();
    }

    // A UIMessage of an older version has its text in both.
    std::pmr::string text_of_message(const Value &message) {
        std::pmr::string text = text_of(fields_.find(message, "parts", Type::array));
        return text.empty() ? text_of(fields_.find(message, "content")) : std::move(text);
    }

    // Whose it is, only a wrapper may say.
    Said unknown(const Value &message) { return {std::nullopt, text_of_message(message)}; }

    // pydantic-ai: {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": …}]}
    Said of_parts(const Value &message, const Value &parts) {
        const auto kind = fields_.string(message, "kind");
        if (kind == "request")
            return of_request(parts);
        return kind == "response" ? of_response(parts) : unknown(message);
    }

    Said of_response(const Value &parts) {
        Text text(fields_);
        for (const Value &part : fields_.elements(parts))
            if (fields_.string(part, "part_kind") == "text")
                text.add_content(fields_.find(part, "content").value_or(Value{}));
        return {Role::assistant, text.finished()};
    }

    // Has parts of several roles. What a user says is whose it is, before what the system says.
    Said of_request(const Value &parts) {
        Text user(fields_);
        Text system(fields_);
        Role role = Role::other;
        for (const Value &part : fields_.elements(parts)) {
            const auto kind = fields_.string(part, "part_kind");
            const Value content = fields_.find(part, "content").value_or(Value{});
            if (kind == "user-prompt") {
                role = Role::user;
                user.add_content(content);
            } else if (kind == "system-prompt") {
                role = std::min(role, Role::system);
                system.add_content(content);
            } else if (kind == "tool-return" || kind == "retry-prompt") {
                role = std::min(role, Role::tool);
            }
        }
        return {role, role == Role::user ? user.finished() : system.finished()};
    }

    // LangChain's, where the last word of `id` is the message's class.
    Said of_constructor(const Value &message) {
        std::optional<Role> role;
        const auto id = fields_.find(message, "id", Type::array);
        const std::pmr::vector<Value> path = fields_.elements(id.value_or(Value{}));
        if (!path.empty())
            role = role_in(path.back());
        const Value body = body_of(fields_, message);
        if (const auto chosen = fields_.find(body, "role")) // a ChatMessage
            role = role_in(*chosen);
        return {role, text_of(fields_.find(body, "content"))};
    }

    // LangChain's: {"type": "human", "content": …}; and the items of OpenAI's Responses that have
    // no role.
    Said of_type(const Value &message, std::string_view type) {
        if (const auto role = role_of_item(type))
            return {role, no_text()};
        const Value body = body_of(fields_, message);
        std::optional<Role> role = role_of(type);
        if (const auto chosen = fields_.find(body, "role"); chosen && !role) // a ChatMessage
            role = role_in(*chosen);
        return {role, text_of(fields_.find(body, "content"))};
    }

    // ADK: {"author": …, "content": {"role": …, "parts": […]}}. The author is the one to go by: the
    // result of a function has the role of a user.
    Said of_event(const Value &message) {
        const Value content = fields_.find(message, "content", Type::object).value_or(Value{});
        if (!fields_.find(content, "parts", Type::array))
            return unknown(message);
        std::optional<Role> role;
        if (const auto author = fields_.string(message, "author"); author && !author->empty())
            role = *author == "user" ? Role::user : Role::assistant;
        else if (const auto named = fields_.find(content, "role"))
            role = role_in(*named);
        return {role, text_of(content)};
    }

    Fields fields_;
};

} // namespace

std::string_view name_of(Role role) noexcept {
    switch (role) {
    case Role::user:
        return "user";
    case Role::assistant:
        return "assistant";
    case Role::system:
        return "system";
    case Role::tool:
        return "tool";
    default:
        return "other";
    }
}

std::optional<std::string_view> Message::recalled() const noexcept {
    if (!text || (role != Role::user && role != Role::assistant))
        return std::nullopt;
    return *text;
}

Message read(const Value &message, json::Reader &reader, std::pmr::memory_resource *memory) {
    Fields fields(reader, memory);
    const auto wrapped = fields.find(message, "message", Type::object);
    Said said = wrapped ? Shapes(fields).said(message, *wrapped) : Shapes(fields).said(message);
    Message read;
    read.role = said.role.value_or(Role::other);
    if (read.role != Role::tool && read.role != Role::other && !said.text.empty())
        read.text = std::move(said.text);
    return read;
}

std::optional<Value> noted(const Value &message, std::string_view name, json::Reader &reader) {
    Fields fields(reader, std::pmr::null_memory_resource());
    const auto wrapped = fields.find(message, "message", Type::object);
    if (!wrapped)
        return fields.find(body_of(fields, message), name);
    const auto beside = fields.find(message, name);
    return beside ? beside : fields.find(body_of(fields, *wrapped), name);
}

} // namespace memory::sessions::shapes
