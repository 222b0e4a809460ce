// Elements of the log, and memory_internal.message_content().
#include "sessions/element.h"

#include "pg/function.h"
#include "pg/json_element.h"
#include "sessions/sessions.h"
#include "sessions/shapes/message.h"
#include "sessions/shapes/words.h"

namespace memory::sessions {

namespace {

constexpr pg::Signature wrapper_signature("key text, occurred_at timestamptz");
using Wrapper = pg::Named<wrapper_signature, pg::JsonSource>;

} // namespace

std::optional<pg::JsonValue> member(const pg::JsonValue &object, std::string_view name) {
    JsonbValue found{};
    const bool is_there = pg::call([&] {
        return getKeyJsonValueFromContainer(object.container(), name.data(),
                                            static_cast<int>(name.size()), &found);
    });
    return is_there && found.type != jbvNull ? std::optional(pg::JsonValue(found)) : std::nullopt;
}

std::optional<pg::JsonValue> wrapped_in(const pg::JsonValue &element) {
    const auto found = member(element, "message");
    return found && found->is_object() ? found : std::nullopt;
}

std::string_view role_of(std::string_view word) {
    return shapes::name_of(shapes::role_of(word).value_or(shapes::Role::other));
}

Element read_element(std::size_t n, const pg::JsonValue &element) {
    const Wrapper wrapper("messages", n, element);
    Element read{message_text(element), std::nullopt, std::nullopt};
    if (wrapped_in(element)) {
        read.key = wrapper.text("key").not_empty().at_most(longest_name);
        read.occurred_at = wrapper.instant("occurred_at").finite();
    }
    return read;
}

MEMORY_FUNCTION(memory_message_content) {
    const auto content = message_text(pg::json_root(arguments.datum(0))).content;
    return content ? pg::to_datum(*content) : arguments.null_result();
}

} // namespace memory::sessions
