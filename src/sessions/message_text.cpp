// memory.message_text: the SQL face of sessions/shapes.
#include "sessions/message_text.h"

#include "pg/function_call.h"
#include "pg/memory.h"
#include "pg/rows.h"
#include "sessions/shapes/message.h"
#include "json/jsonb_sql.h"

namespace memory::sessions {

MessageText message_text(const pg::JsonValue &message) {
    pg::ContextResource memory(CurrentMemoryContext);
    json::JsonbReader reader;
    const shapes::Message read = shapes::read(json::value_of(message), reader, &memory);
    MessageText said{shapes::name_of(read.role), std::nullopt};
    if (const auto text = read.recalled()) {
        auto *kept = static_cast<char *>(memory.allocate(text->size(), 1));
        said.content = std::string_view(kept, text->copy(kept, text->size()));
    }
    return said;
}

std::optional<pg::JsonValue> noted(const pg::JsonValue &message, std::string_view name) {
    json::JsonbReader reader;
    const auto value = shapes::noted(json::value_of(message), name, reader);
    return value ? std::optional(pg::JsonValue(json::jsonb_of(*value))) : std::nullopt;
}

MEMORY_CALL(memory_message_text, "message jsonb") {
    pg::ResultSet result(call.arguments());
    const MessageText said = message_text(pg::json_root(call.json("message").required().jsonb));
    result.add({said.role, said.content});
    return call.nothing();
}

} // namespace memory::sessions
