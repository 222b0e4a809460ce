// What of a message is recalled. sql/message_text.sql has a sample of every shape; this is about
// what holds for all of them, and about JSON that is no message.
#include "json_support.h"
#include "sessions/shapes/message.h"

#include <gtest/gtest.h>

namespace memory::sessions::shapes {

namespace {

using json::TestDocument;
using json::Value;

// "role text"; a role alone has no text. `role (text)` is text that is not recalled.
std::string shown(const Message &message) {
    const std::string role(name_of(message.role));
    if (!message.text)
        return role;
    EXPECT_NE(*message.text, "") << "no text is nothing";
    return message.recalled() ? role + ' ' + std::string(*message.recalled())
                              : role + " (" + std::string(*message.text) + ')';
}

std::string said(const std::string &text) {
    TestDocument document(text);
    return shown(read(document.root(), document, std::pmr::new_delete_resource()));
}

std::string noted_in(const std::string &text, std::string_view name) {
    TestDocument document(text);
    const auto value = noted(document.root(), name, document);
    return value ? document.shown(*value) : "";
}

TEST(Message, HasARoleByAnyOfItsNames) {
    const std::pair<const char *, const char *> roles[] = {{"user", "user a"},
                                                           {"human", "user a"},
                                                           {"assistant", "assistant a"},
                                                           {"ai", "assistant a"},
                                                           {"model", "assistant a"},
                                                           {"system", "system (a)"},
                                                           {"tool", "tool"},
                                                           {"developer", "system (a)"},
                                                           {"function", "tool"},
                                                           {"captain", "other"},
                                                           {"", "other"},
                                                           {"User", "other"},
                                                           {"HumanMessageChunk", "user a"},
                                                           {"Chunk", "other"},
                                                           {"humanChunk", "other"},
                                                           {"userMessageChunk", "other"}};
    for (const auto &[role, shown] : roles)
        EXPECT_EQ(said(R"({"role": ")" + std::string(role) + R"(", "content": "a"})"), shown)
            << role;
}

TEST(Message, OfTheSystemHasTextThatIsNotRecalled) {
    EXPECT_EQ(said(R"({"role": "system", "content": "Be brief."})"), "system (Be brief.)");
    EXPECT_EQ(said(R"({"type": "system", "content": ["a", "b"]})"), "system (a\nb)");
    EXPECT_EQ(
        said(R"({"kind": "request", "parts": [{"part_kind": "system-prompt", "content": "a"}]})"),
        "system (a)");
}

TEST(Message, OfARequestIsTheUsersWhereTheUserSaysSomething) {
    const auto request = [](const std::string &parts) {
        return said(R"({"kind": "request", "parts": [)" + parts + "]}");
    };
    const std::string user = R"({"part_kind": "user-prompt", "content": "u"})";
    const std::string system = R"({"part_kind": "system-prompt", "content": "s"})";
    const std::string tool = R"({"part_kind": "tool-return", "content": "t"})";
    const std::string retry = R"({"part_kind": "retry-prompt", "content": "r"})";
    EXPECT_EQ(request(user), "user u");
    EXPECT_EQ(request(user + "," + system), "user u");
    EXPECT_EQ(request(system + "," + user + "," + tool + "," + user), "user u\nu");
    EXPECT_EQ(request(tool + "," + system), "system (s)");
    EXPECT_EQ(request(system + "," + retry), "system (s)");
    EXPECT_EQ(request(retry), "tool");
    EXPECT_EQ(request(""), "other");
    EXPECT_EQ(request(R"({"part_kind": "user-prompt", "content": ""})"), "user");
    EXPECT_EQ(request(R"("x", 5, null, {"part_kind": 5}, {"content": "u"})"), "other");
}

TEST(Text, IsThatOfPartsOnLinesOfTheirOwn) {
    EXPECT_EQ(
        said(R"({"role": "user", "content": ["a", {"type": "text", "text": "b"}, {"text": "c"},
        {"type": "input_text", "text": "d"}, {"type": "output_text", "text": "e)"
             "\n"
             R"(f"}]})"),
        "user a\nb\nc\nd\ne\nf");
}

TEST(Text, IsNotMadeOfBlankParts) {
    for (const char *content :
         {R"("")", R"(" ")", "\" \n\r\t\f\v\"", "[]", "{}", "null", R"(["", " "])",
          "[{\"type\": \"text\", \"text\": \"\"}, {\"text\": \"\n\"}]"})
        EXPECT_EQ(said(R"({"role": "user", "content": )" + std::string(content) + "}"), "user")
            << content;
    EXPECT_EQ(said(R"({"role": "user", "content": ["", " a", " ", "b "]})"), "user  a\nb ");
}

TEST(Text, IsNotThatOfOtherParts) {
    for (const char *type : {"reasoning",    "thinking",       "redacted_thinking",
                             "tool_use",     "tool_result",    "tool-call",
                             "tool-result",  "image",          "image_url",
                             "input_image",  "audio",          "input_audio",
                             "file",         "document",       "refusal",
                             "summary_text", "reasoning_text", "text-plain",
                             "data-text",    "step-start",     "",
                             "Text"})
        EXPECT_EQ(said(R"({"role": "assistant", "content": [{"type": ")" + std::string(type) +
                       R"(", "text": "no", "content": "no", "thinking": "no", "output": "no"}]})"),
                  "assistant")
            << type;
    EXPECT_EQ(said(R"({"role": "model", "parts": [{"text": "no", "thought": true},
        {"text": "yes", "thought": false}, {"kind": "image-url", "text": "no", "content": "no"}]})"),
              "assistant yes");
}

TEST(Text, OfPartsComesBeforeThatOfContent) {
    EXPECT_EQ(said(R"({"role": "user", "content": "a", "parts": [{"type": "text", "text": "b"}]})"),
              "user b");
    EXPECT_EQ(said(R"({"role": "user", "content": "a", "parts": [{"type": "file"}]})"), "user a");
    EXPECT_EQ(said(R"({"role": "user", "content": "a", "parts": "b"})"), "user a");
}

TEST(Wrapper, HasTheSayOverWhatIsInside) {
    const auto around = [](const std::string &inside, const std::string &beside) {
        return said(R"({"message": )" + inside + beside + "}");
    };
    const std::string inside = R"({"role": "assistant", "content": "in"})";
    EXPECT_EQ(around(inside, ""), "assistant in");
    EXPECT_EQ(around(inside, R"(, "role": "user")"), "user in");
    EXPECT_EQ(around(inside, R"(, "content": ["be", "side"])"), "assistant be\nside");
    EXPECT_EQ(around(inside, R"(, "content": [])"), "assistant");
    EXPECT_EQ(around(inside, R"(, "role": null, "content": null)"), "assistant in");
    EXPECT_EQ(around(inside, R"(, "role": 5)"), "other");
    EXPECT_EQ(around(inside, R"(, "type": "user")"), "assistant in");
    EXPECT_EQ(around("{}", R"(, "role": "user", "content": "be")"), "user be");
    EXPECT_EQ(around(R"({"content": "in"})", ""), "other");
    EXPECT_EQ(around(R"({"content": "in"})", R"(, "role": "user")"), "user in");
    EXPECT_EQ(around(R"({"parts": ["in"]})", R"(, "role": "user")"), "user in");
    EXPECT_EQ(around(R"({"message": )" + inside + "}", ""), "other");
}

TEST(Wrapper, IsOneOnlyAroundAnObject) {
    for (const char *message : {"null", "5", "true", R"("text")", "[]", R"([{"role": "user"}])"})
        EXPECT_EQ(
            said(R"({"role": "user", "content": "a", "message": )" + std::string(message) + "}"),
            "user a")
            << message;
}

TEST(Noted, StandsBesideTheMessageOrInIt) {
    EXPECT_EQ(noted_in(R"({"id": "a"})", "id"), "\"a\"");
    EXPECT_EQ(noted_in(R"({"id": null})", "id"), "");
    EXPECT_EQ(noted_in(R"({"message": {"id": "in"}, "id": "be"})", "id"), "\"be\"");
    EXPECT_EQ(noted_in(R"({"message": {"id": "in"}, "id": null})", "id"), "\"in\"");
    EXPECT_EQ(noted_in(R"({"message": {"id": "in"}})", "uuid"), "");
    EXPECT_EQ(noted_in(R"({"id": 5})", "id"), "5");
    for (const char *none : {"5", "[]", "null", R"("id")", "{}"})
        EXPECT_EQ(noted_in(none, "id"), "") << none;
}

TEST(Noted, IsWhereLangChainHasIt) {
    const auto constructor = [](const std::string &kwargs) {
        return noted_in(R"({"lc": 1, "type": "constructor", "id": ["HumanMessage"], "kwargs": )" +
                            kwargs + "}",
                        "id");
    };
    EXPECT_EQ(constructor(R"({"id": "a"})"), "\"a\"");
    EXPECT_EQ(constructor("{}"), "") << "the path of the class is no id";
    const std::string data = R"("data": {"id": "in", "content": "a"})";
    EXPECT_EQ(noted_in(R"({"type": "human", )" + data + "}", "id"), "\"in\"");
    EXPECT_EQ(noted_in("{" + data + "}", "id"), "") << "other frameworks have data, too";
    EXPECT_EQ(noted_in(R"({"type": "human", "role": "user", )" + data + "}", "id"), "");
    EXPECT_EQ(noted_in(R"({"type": "human", "content": "a", "data": {"id": "in"}})", "id"), "");
}

TEST(Any, ValueAtAnyKeyIsReadWithoutAMistake) {
    const std::string keys[] = {"role", "content", "parts", "type",   "kind",   "kwargs",
                                "lc",   "id",      "data",  "author", "message"};
    const std::string values[] = {
        "null",
        "true",
        "5",
        "-1e999",
        R"("")",
        R"("user")",
        R"("ai")",
        R"("function_call")",
        R"("request")",
        "[]",
        "{}",
        "[[]]",
        "[null, 5]",
        R"([{}, {"type": {}}, {"text": []}, {"part_kind": "user-prompt"}])",
        R"({"role": [], "content": {}, "parts": {}, "kwargs": []})",
        R"({"parts": [{"text": 5}, {"thought": "yes"}], "role": {}})"};
    for (const std::string &a : keys)
        for (const std::string &b : keys)
            for (const std::string &x : values)
                for (const std::string &y : values) {
                    const std::string text = "{\"" + a + "\": " + x + ", \"" + b + "\": " + y + "}";
                    EXPECT_NE(said(text).find_first_of("uasto"), std::string::npos) << text;
                    noted_in(text, "id");
                }
}

TEST(Any, ValueThatIsNoObjectIsOther) {
    for (const char *value :
         {"null", "true", "5", R"("a")", "[]", R"([{"role": "user", "content": "a"}])", "{}"})
        EXPECT_EQ(said(value), "other") << value;
}

// Values that hold one another without an end: what is looked at must not depend on depth.
class Endless final : public json::Reader {
  public:
    std::optional<Value> find(const Value &, std::string_view key) override {
        ++looked;
        return key == "role" || key == "type" ? std::nullopt : std::optional(object);
    }
    void read_members(const Value &, std::pmr::vector<json::Member> &) override { FAIL(); }
    void read_elements(const Value &, std::pmr::vector<Value> &to) override {
        ++looked;
        to.assign({array, object});
    }
    void write_number(const Value &, std::pmr::string &) override { FAIL(); }

    static inline const int somewhere = 0;
    const Value object{.type = Value::Type::object, .place = &somewhere};
    const Value array{.type = Value::Type::array, .size = 2, .place = &somewhere};
    int looked = 0;
};

TEST(Any, DepthIsLookedIntoAFixedNumberOfLevels) {
    Endless endless;
    EXPECT_EQ(shown(read(endless.object, endless, std::pmr::new_delete_resource())), "other");
    EXPECT_LT(endless.looked, 50);
    EXPECT_TRUE(noted(endless.object, "id", endless));
}

TEST(Any, NumberOfPartsIsRead) {
    std::string parts;
    std::string wanted = "user";
    for (int n = 0; n < 20000; ++n) {
        parts += (n == 0 ? "" : ",") + std::string(R"({"type": "text", "text": ")") +
                 std::to_string(n) + "\"}";
        wanted += (n == 0 ? ' ' : '\n') + std::to_string(n);
    }
    EXPECT_EQ(said(R"({"role": "user", "content": [)" + parts + "]}"), wanted);
}

TEST(Message, TakesItsMemoryFromTheCaller) {
    TestDocument document(
        R"({"role": "user", "content": ["a text that is longer than a short string",
        {"type": "text", "text": "another one"}]})");
    std::pmr::monotonic_buffer_resource memory;
    const Message message = read(document.root(), document, &memory);
    EXPECT_EQ(message.text->get_allocator().resource(), &memory);
    EXPECT_EQ(*message.recalled(), "a text that is longer than a short string\nanother one");
}

} // namespace

} // namespace memory::sessions::shapes
