// The argument `messages`, read and checked.
#include "conversations/log.h"
#include "episodes/settings.h"
#include "pg/memory.h"

namespace memory::conversations {

namespace {

// The value of a field as a key: a string, or a number as it is written. Nothing where it is
// missing or null.
std::optional<std::string_view> key_in(const pg::JsonValue &object, std::string_view field,
                                       const pg::Place &place) {
    const auto found = sessions::member(object, field);
    if (!found)
        return std::nullopt;
    const pg::JsonValue &value = *found;
    if (!value.string() && !value.is_number())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must be a string or a number, not %s",
                        place.text().data(), value.described())
            .hint("It is the message's key, by key_field.");
    const std::string_view key = value.string() ? *value.string() : value.to_text();
    return pg::Given<std::string_view>(place, key).not_empty().at_most(sessions::longest_name);
}

std::optional<std::string_view> key_of(const pg::JsonValue &element, std::string_view field,
                                       std::size_t n) {
    const pg::Place place{field, "messages", n};
    if (const auto key = key_in(element, field, place))
        return key;
    const auto wrapped = sessions::wrapped_in(element);
    return wrapped ? key_in(*wrapped, field, place) : std::nullopt;
}

// What is not recalled, such as what a tool returned, may be of any length.
void check_content(const Message &message, std::size_t n) {
    pg::Given<std::string_view>({"content", "messages", n}, message.content)
        .at_most(episodes::max_content(),
                 "Split it into several messages, or raise memory.max_content.");
}

} // namespace

std::pmr::vector<Message> read_messages(const pg::Given<pg::Document> &messages,
                                        std::optional<std::string_view> key_field,
                                        std::pmr::memory_resource *memory) {
    const pg::JsonValue array = pg::json_root(messages.required().jsonb);
    if (!array.is_array())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "messages must be an array, not %s",
                        array.described());
    std::pmr::vector<Message> read(memory);
    pg::JsonWalk walk(array);
    while (const auto value = walk.next_element()) {
        pg::check_for_interrupts();
        const std::size_t n = read.size();
        Message message{sessions::read_element(n, *value), {value->to_jsonb()}};
        check_content(message, n);
        if (key_field && !message.key)
            message.key = key_of(*value, *key_field, n);
        read.push_back(message);
    }
    return read;
}

} // namespace memory::conversations
