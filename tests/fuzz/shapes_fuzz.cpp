// Messages made of any bytes, in the words that shapes have: what is read is in the message, and a
// wrapper around it says the same.
#include <algorithm>
#include <cstdlib>
#include <deque>

#include "sessions/shapes/message.h"

namespace {

using memory::json::Member;
using memory::json::Value;
using Type = Value::Type;
namespace shapes = memory::sessions::shapes;

constexpr std::string_view words[] = {"role",
                                      "content",
                                      "parts",
                                      "type",
                                      "text",
                                      "kind",
                                      "kwargs",
                                      "id",
                                      "data",
                                      "author",
                                      "message",
                                      "part_kind",
                                      "thought",
                                      "lc",
                                      "user",
                                      "ai",
                                      "model",
                                      "human",
                                      "system",
                                      "tool",
                                      "chat",
                                      "request",
                                      "response",
                                      "user-prompt",
                                      "system-prompt",
                                      "tool-return",
                                      "text-content",
                                      "input_text",
                                      "output_text",
                                      "HumanMessage",
                                      "AIMessageChunk",
                                      "constructor",
                                      "function_call",
                                      "reasoning",
                                      "",
                                      " \n",
                                      "a\nb",
                                      "x"};

// The bytes as a document: each byte is a value, or a word.
class Document final : public memory::json::Reader {
  public:
    Document(const unsigned char *data, std::size_t size) : at_(data), end_(data + size) {}

    Value value(int depth) {
        Value value;
        switch (next() % (depth < 8 ? 8 : 5)) {
        case 0:
            break;
        case 1:
            value.type = Type::boolean;
            value.truth = next() % 2 == 0;
            break;
        case 2:
            value.type = Type::number;
            break;
        case 3:
        case 4:
            value.type = Type::string;
            value.text = word();
            break;
        case 5:
            return array(depth);
        default:
            return object(depth);
        }
        return value;
    }

    Value wrapped(const Value &message) {
        return object_of(objects_.emplace_back(std::deque<Member>{{"message", message}}));
    }

    bool has(std::string_view line) const {
        return std::ranges::any_of(
            words, [&](std::string_view word) { return word.find(line) != word.npos; });
    }

    std::optional<Value> find(const Value &object, std::string_view key) override {
        const auto &members = *static_cast<const std::deque<Member> *>(object.place);
        const auto found = std::ranges::find(members, key, &Member::key);
        return found != members.end() ? std::optional(found->value) : std::nullopt;
    }
    void read_members(const Value &, std::pmr::vector<Member> &) override { std::abort(); }
    void read_elements(const Value &array, std::pmr::vector<Value> &to) override {
        const auto &elements = *static_cast<const std::deque<Value> *>(array.place);
        to.insert(to.end(), elements.begin(), elements.end());
    }
    void write_number(const Value &, std::pmr::string &) override { std::abort(); }

  private:
    unsigned char next() { return at_ != end_ ? *at_++ : static_cast<unsigned char>(0); }
    std::string_view word() { return words[next() % std::size(words)]; }

    Value array(int depth) {
        auto &elements = arrays_.emplace_back();
        for (int left = next() % 4; left > 0; --left)
            elements.push_back(value(depth + 1));
        Value array;
        array.type = Type::array;
        array.size = static_cast<std::uint32_t>(elements.size());
        array.place = &elements;
        return array;
    }
    Value object(int depth) {
        auto &members = objects_.emplace_back();
        for (int left = next() % 6; left > 0; --left) {
            const std::string_view key = word();
            members.push_back({key, value(depth + 1)});
        }
        return object_of(members);
    }
    static Value object_of(const std::deque<Member> &members) {
        Value object;
        object.type = Type::object;
        object.place = &members;
        return object;
    }

    const unsigned char *at_;
    const unsigned char *end_;
    std::deque<std::deque<Value>> arrays_;
    std::deque<std::deque<Member>> objects_;
};

void check(bool holds) {
    if (!holds)
        std::abort();
}

void check_text(const Document &document, const shapes::Message &message) {
    check(message.role != shapes::Role::tool && message.role != shapes::Role::other);
    check(message.text->find_first_not_of(" \n") != message.text->npos);
    std::string_view rest = *message.text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        check(document.has(rest.substr(0, end)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
    std::pmr::memory_resource *memory = std::pmr::new_delete_resource();
    Document document(data, size);
    const Value value = document.value(0);
    const shapes::Message message = shapes::read(value, document, memory);
    if (message.text)
        check_text(document, message);
    shapes::noted(value, "id", document);
    if (value.type != Type::object || document.find(value, "message"))
        return 0;
    const Value wrapper = document.wrapped(value);
    const shapes::Message same = shapes::read(wrapper, document, memory);
    check(same.role == message.role && same.text == message.text);
    return 0;
}
