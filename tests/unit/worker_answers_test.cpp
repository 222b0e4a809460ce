// What models and their servers answer is read as far as it makes sense, and never further.
#include "worker/protocol/chat.h"
#include "worker/protocol/embeddings.h"
#include "worker/protocol/lenient_json.h"
#include "worker/protocol/message.h"
#include "worker/protocol/questions.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

using namespace memory::worker;
using nlohmann::json;

std::string read(std::string_view text) {
    const json answer = read_leniently(text);
    return answer.is_discarded() ? "nothing" : answer.dump();
}

TEST(LenientJson, IsReadAsItIsWhereItIsWell) {
    EXPECT_EQ(read(R"({"a": [1, "x", null, true, -2.5e3]})"), R"({"a":[1,"x",null,true,-2500.0]})");
    EXPECT_EQ(read(R"(["\"]}", "\\"])"), R"(["\"]}","\\"])");
}

TEST(LenientJson, StandsInAFenceOrAmongWords) {
    EXPECT_EQ(read("Sure! Here are [3] facts:\n```json\n{\"facts\": []}\n```\nAnything else?"),
              R"({"facts":[]})");
    EXPECT_EQ(read("<think>{\"a\": 1, \"b\": 2, \"c\": 3}</think>{\"facts\": []}"),
              R"({"facts":[]})");
    EXPECT_EQ(read("a } first {\"x\": 1}"), R"({"x":1})");
    EXPECT_EQ(read("I cannot do that."), "nothing");
    EXPECT_EQ(read(""), "nothing");
}

TEST(LenientJson, MayHaveCommasTooMany) {
    EXPECT_EQ(read(R"({"a": [1, 2, ], })"), R"({"a":[1,2]})");
    EXPECT_EQ(read(R"([,])"), "[]");
}

TEST(LenientJson, ThatIsCutOffGivesWhatIsWhole) {
    EXPECT_EQ(read(R"({"facts": [{"s": "a"}, {"s": "b", "o": "c)"),
              R"({"facts":[{"s":"a"},{"s":"b"}]})");
    EXPECT_EQ(read(R"({"facts": [{"s": "a"}, {"s)"), R"({"facts":[{"s":"a"},{}]})");
    EXPECT_EQ(read(R"({"summary": "it went)"), "{}");
    EXPECT_EQ(read("[[[["), "[[[[]]]]");
}

TEST(LenientJson, HasNoCharactersThatJsonbCannotHold) {
    EXPECT_EQ(read("[\"a\\u0000b\\ud83dc\\ude00d\\ud83d\\ude00\"]"), "[\"abcd\xF0\x9F\x98\x80\"]");
    EXPECT_EQ(read("[\"a\nb\x01\xFF\"]"), "[\"a\\nb\xEF\xBF\xBD\"]");
    EXPECT_EQ(read(R"(["\u12"])"), "nothing");
}

TEST(LenientJson, IsNotDeeperThanAnswersAre) {
    EXPECT_EQ(read(std::string(64, '[') + std::string(64, ']')),
              std::string(64, '[') + std::string(64, ']'));
    EXPECT_TRUE(read_exactly(std::string(65, '[') + std::string(65, ']')).is_discarded());
    EXPECT_FALSE(read_exactly(R"(["]]]]", "[[[[\"[[[["])").is_discarded());
}

// --- embeddings ----------------------------------------------------------------------------

using Vectors = std::vector<std::vector<float>>;

TEST(Embeddings, AreAskedForInOneRequest) {
    const std::vector<std::string_view> texts{"one", "a \"second\"", "\xFF"};
    EXPECT_EQ(
        json::parse(embedding_request("m", texts, 3)),
        json::parse(R"({"model": "m", "input": ["one", "a \"second\"", "�"], "dimensions": 3})"));
    EXPECT_FALSE(json::parse(embedding_request("m", texts, {})).contains("dimensions"));
}

TEST(Embeddings, GoToTheTextsThatTheyNameOrStandFor) {
    const Embedded named = read_embeddings(
        R"({"data": [{"index": 1, "embedding": [2, 0.5]}, {"index": 0, "embedding": [1, 0]}],
            "usage": {"total_tokens": 7}})",
        2);
    EXPECT_EQ(named.vectors, (Vectors{{1, 0}, {2, .5}})) << named.fault;
    EXPECT_EQ(named.tokens, 7);
    const Embedded in_order =
        read_embeddings(R"({"data": [{"embedding": [1]}, {"index": null, "embedding": [2]}]})", 2);
    EXPECT_EQ(in_order.vectors, (Vectors{{1}, {2}})) << in_order.fault;
}

TEST(Embeddings, MayBeBase64) {
    // 1.0 and -2.0, little-endian.
    const Embedded read = read_embeddings(R"({"data": [{"embedding": "AACAPwAAAMA="}]})", 1);
    EXPECT_EQ(read.vectors, (Vectors{{1, -2}})) << read.fault;
}

std::string fault_of(std::string_view answer, std::size_t texts = 2) {
    const Embedded read = read_embeddings(answer, texts);
    EXPECT_TRUE(read.fault.empty() == !read.vectors.empty());
    return read.fault;
}

TEST(Embeddings, AreRefusedAsAWholeWhereOneIsWrong) {
    EXPECT_EQ(fault_of(R"({"data": [{"embedding": [1]}]})"),
              "the answer has 1 embeddings for 2 texts");
    EXPECT_EQ(fault_of(R"({"data": [{"embedding": [1]}, {"embed)"),
              "the answer is not JSON, or only a part of it");
    EXPECT_EQ(fault_of(R"([1, 2])"), "the answer has no list data");
    EXPECT_EQ(fault_of(R"({"data": [1, 2]})"), "an element of data has no embedding");
    EXPECT_EQ(
        fault_of(R"({"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]})"),
        "two elements of data have the same index");
    EXPECT_EQ(
        fault_of(R"({"data": [{"index": 2, "embedding": [1]}, {"index": 0, "embedding": [1]}]})"),
        "an element of data has an index that no text has");
    EXPECT_EQ(fault_of(R"({"data": [{"embedding": []}]})", 1), "an embedding has 0 dimensions");
    EXPECT_EQ(fault_of(R"({"data": [{"embedding": ["1"]}]})", 1),
              "an embedding has something in it that is no number");
    EXPECT_EQ(fault_of(R"({"data": [{"embedding": [1e39]}]})", 1),
              "an embedding has a number that no vector can hold");
    EXPECT_EQ(fault_of(R"({"data": [{"embedding": "AACA"}]})", 1),
              "an embedding in base64 has a part of a number at its end");
    EXPECT_EQ(fault_of(R"({"data": [{"embedding": "A-_A"}]})", 1),
              "an embedding is a text that is no base64");
}

// --- words ---------------------------------------------------------------------------------

TEST(Chat, IsAskedForJsonAsTheServerKnowsIt) {
    const Question question{.model = "m", .system = "do", .user = "with", .name = "extract"};
    const json extra{{"temperature", 0}, {"model", "another"}, {"messages", 1}, {"every", 7}};
    const json request =
        json::parse(chat_request(question, {{"type", "object"}}, Format::schema, extra));
    EXPECT_EQ(request, json::parse(R"({
        "model": "m", "temperature": 0,
        "messages": [{"role": "system", "content": "do"}, {"role": "user", "content": "with"}],
        "response_format": {"type": "json_schema", "json_schema":
            {"name": "extract", "strict": true, "schema": {"type": "object"}}}})"));
    EXPECT_EQ(json::parse(chat_request(question, {}, Format::object, {}))["response_format"],
              json::parse(R"({"type": "json_object"})"));
    EXPECT_FALSE(
        json::parse(chat_request(question, {}, Format::none, {})).contains("response_format"));
}

TEST(Chat, AnswersWithTextOrParts) {
    const Said text = read_chat(
        R"({"choices": [{"message": {"content": "yes"}}], "usage": {"total_tokens": 9}})");
    EXPECT_EQ(text.content, "yes");
    EXPECT_EQ(text.tokens, 9);
    EXPECT_EQ(read_chat(R"({"choices": [{"message": {"content": [{"type": "text", "text": "y"},
        {"type": "image"}, {"text": "es"}]}}]})")
                  .content,
              "yes");
}

TEST(Chat, ThatSaysNothingIsAFault) {
    EXPECT_EQ(read_chat("<html>").fault, "the answer has no choices, or is not JSON");
    EXPECT_EQ(read_chat(R"({"choices": []})").fault, "the answer has no choices, or is not JSON");
    EXPECT_EQ(read_chat(R"({"choices": [{"message": {"content": null}}]})").fault,
              "the answer has no content");
    EXPECT_EQ(read_chat(R"({"choices": [{"message": {"content": null, "refusal": "no"}}]})").fault,
              "the model refuses to answer");
}

TEST(Questions, HaveTheTextsInFences) {
    const json payload = json::parse(R"({"content": "I live in </memory> Rome", "response": null,
        "role": "user", "occurred_at": "2026-01-31"})");
    EXPECT_EQ(
        question_of(Task::extract, payload),
        "The message:\n<memory by=\"user\" at=\"2026-01-31\">I live in <\\/memory> Rome</memory>");
    EXPECT_EQ(question_of(Task::summarize, json::parse(R"({"summary": null, "messages":
        [{"role": "user", "content": "hi"}, {"role": "a\">", "content": "ho"}]})")),
              "The messages since:\n<memory by=\"user\">hi</memory>\n"
              "<memory by=\"a&#34;&#62;\">ho</memory>");
    EXPECT_EQ(question_of(Task::profile, json::parse(R"({"profile": {"diet": "vegan"}, "episodes":
        [{"content": "x", "response": "y", "role": null}]})")),
              "The profile so far:\n<memory>{\"diet\":\"vegan\"}</memory>\n"
              "What has been said since:\n<memory>x</memory>\n<memory by=\"assistant\">y</memory>");
}

TEST(Questions, HaveASchemaInStrictForm) {
    EXPECT_EQ(schema_of(Task::summarize), json::parse(R"({"type": "object",
        "properties": {"summary": {"type": "string"},
                       "topics": {"type": "array", "items": {"type": "string"}}},
        "required": ["summary", "topics"], "additionalProperties": false})"));
    for (const Task task : {Task::extract, Task::profile}) {
        const json schema = schema_of(task);
        EXPECT_EQ(schema["required"].size(), 1U) << schema;
        EXPECT_EQ(schema["properties"].begin()->at("type"), "array") << schema;
    }
}

TEST(Results, OfFactsAreHandedOn) {
    EXPECT_EQ(result_of(Task::extract, R"({"facts": [{"subject": "a"}, 5]})").json,
              R"({"facts":[{"subject":"a"},5]})");
    EXPECT_EQ(result_of(Task::extract, R"([{"subject": "a"}])").json,
              R"({"facts":[{"subject":"a"}]})");
    EXPECT_EQ(result_of(Task::extract, R"({"subject": "a"})").json,
              R"({"facts":[{"subject":"a"}]})");
    EXPECT_EQ(result_of(Task::extract, R"({"answer": 1})").fault,
              "the model's answer has no list of facts");
    EXPECT_EQ(result_of(Task::extract, "none").fault, "the model's answer has no JSON in it");
}

TEST(Results, OfSummariesHaveTopicsThatAreTexts) {
    const Result result = result_of(Task::summarize, R"({"summary": "s", "topics": ["a", "", 3]})");
    EXPECT_EQ(result.json, R"({"summary":"s","topics":["a"]})");
    EXPECT_EQ(result.dropped, 2U);
    EXPECT_EQ(result_of(Task::summarize, R"({"summary": "s"})").json, R"({"summary":"s"})");
    EXPECT_EQ(result_of(Task::summarize, R"({"summary": ""})").fault,
              "the model's answer has no summary");
}

TEST(Results, OfProfilesAreTraitsByName) {
    const Result result = result_of(Task::profile, R"({"traits": [
        {"name": "diet", "values": ["vegan"]}, {"name": "languages", "values": ["de", "en"]},
        {"name": "", "values": ["x"]}, {"name": "y", "values": []}, {"name": "home", "value": "Rome"}, 7]})");
    EXPECT_EQ(
        json::parse(result.json),
        json::parse(R"({"traits": {"diet": "vegan", "languages": ["de", "en"], "home": "Rome"}})"));
    EXPECT_EQ(result.dropped, 3U);
    EXPECT_EQ(result_of(Task::profile, R"({"traits": {"diet": "vegan"}})").json,
              R"({"traits":{"diet":"vegan"}})");
    EXPECT_EQ(result_of(Task::profile, R"({"x": 1})").fault, "the model's answer has no traits");
}

TEST(Messages, AreOneLineWithoutTheKey) {
    EXPECT_EQ(quotable(" bad key sk-1:\r\n\tsk-1\x1B[0m\xFF ", "sk-1"), "bad key ***: *** [0m?");
    EXPECT_EQ(quotable("abcdef", "", 3), "abc");
    EXPECT_EQ(quotable("\xC3\xA4\xC3\xB6\xC3\xBC", "", 2), "\xC3\xA4\xC3\xB6");
}

} // namespace
