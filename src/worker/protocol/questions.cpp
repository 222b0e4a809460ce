// Facts, summaries and profiles: questions with fences, and answers.
#include "worker/protocol/questions.h"

#include "context/prompt/fence.h"
#include "worker/protocol/lenient_json.h"

#include <memory_resource>
#include <nlohmann/json.hpp>
#include <optional>

namespace memory::worker {

namespace {

using nlohmann::json;

// --- questions -----------------------------------------------------------------------------

std::string_view text_in(const json &object, const char *key) {
    const json &text = part_of(object, key);
    return text.is_string() ? std::string_view(text.get_ref<const std::string &>())
                            : std::string_view();
}

class Writer {
  public:
    Writer() : page_(std::pmr::get_default_resource()) {}

    void heading(std::string_view own) {
        page_.write(page_.text().empty() ? "" : "\n");
        page_.write(own);
    }
    void text(std::string_view foreign, std::string_view by, std::string_view at) {
        if (foreign.empty())
            return;
        page_.write("\n<memory");
        attribute("by", by);
        attribute("at", at);
        page_.write(">");
        page_.write_text(foreign);
        page_.write("</memory>");
    }
    // What was said, and what was answered.
    void turn(const json &turn) {
        const std::string_view at = text_in(turn, "occurred_at");
        text(text_in(turn, "content"), text_in(turn, "role"), at);
        text(text_in(turn, "response"), "assistant", at);
    }
    void turns(const json &list) {
        for (const json &each : list.is_array() ? list : json::array())
            turn(each);
    }
    std::string result() && { return std::string(page_.text()); }

  private:
    void attribute(std::string_view name, std::string_view value) {
        if (value.empty())
            return;
        page_.write(" ");
        page_.write(name);
        page_.write("=\"");
        page_.write_attribute(value);
        page_.write("\"");
    }

    prompt::Page page_;
};

std::string written(const json &value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// --- schemas -------------------------------------------------------------------------------

// Strict mode wants every member named as required.
json object_of(const json &properties) {
    json required = json::array();
    for (const auto &[key, value] : properties.items())
        required.push_back(key);
    return {{"type", "object"},
            {"properties", properties},
            {"required", required},
            {"additionalProperties", false}};
}
json list_of(const json &items) { return {{"type", "array"}, {"items", items}}; }
json type_of(const char *name) { return {{"type", name}}; }

// --- answers -------------------------------------------------------------------------------

Result faulty(std::string_view why) { return {.json = {}, .fault = std::string(why)}; }

// The texts of a list.
json texts_of(const json &list, std::uint64_t &dropped) {
    json texts = json::array();
    for (const json &each : list.is_array() ? list : json::array()) {
        if (each.is_string() && !each.get_ref<const std::string &>().empty())
            texts.push_back(each);
        else
            ++dropped;
    }
    return texts;
}

Result facts_of(const json &answer) {
    const json &list = answer.is_array() ? answer : part_of(answer, "facts");
    if (list.is_array())
        return {.json = written({{"facts", list}}), .fault = {}};
    // One fact without a list around it.
    if (part_of(answer, "subject").is_string())
        return {.json = written({{"facts", json::array({answer})}}), .fault = {}};
    return faulty("the model's answer has no list of facts");
}

Result summary_of(const json &answer) {
    const std::string_view summary = text_in(answer, "summary");
    if (summary.empty())
        return faulty("the model's answer has no summary");
    Result result;
    json written_of{{"summary", summary}};
    const json &topics = part_of(answer, "topics");
    if (topics.is_array())
        written_of["topics"] = texts_of(topics, result.dropped);
    result.json = written(written_of);
    return result;
}

// One value as it is, several as a list; null where the element is malformed.
json value_of(const json &trait) {
    const json &values = part_of(trait, "values");
    const json &value = values.is_null() ? part_of(trait, "value") : values;
    if (!value.is_array())
        return value.is_object() ? json() : value;
    std::uint64_t malformed = 0;
    const json texts = texts_of(value, malformed);
    return texts.empty() ? json() : texts.size() == 1 ? texts[0] : texts;
}

Result traits_of(const json &answer) {
    const json &given = answer.is_array() ? answer : part_of(answer, "traits");
    if (!given.is_array() && !given.is_object())
        return faulty("the model's answer has no traits");
    Result result;
    json traits = json::object();
    if (given.is_object())
        traits = given;
    for (const json &trait : given.is_array() ? given : json::array()) {
        const std::string_view name = text_in(trait, "name");
        const json value = value_of(trait);
        if (name.empty() || value.is_null())
            ++result.dropped;
        else
            traits[std::string(name)] = value;
    }
    result.json = written({{"traits", traits}});
    return result;
}

} // namespace

std::string question_of(Task task, const json &payload) {
    Writer writer;
    if (task == Task::extract) {
        writer.heading("The message:");
        writer.turn(payload);
    } else if (task == Task::summarize) {
        const std::string_view summary = text_in(payload, "summary");
        if (!summary.empty()) {
            writer.heading("The summary so far:");
            writer.text(summary, {}, {});
        }
        writer.heading("The messages since:");
        writer.turns(part_of(payload, "messages"));
    } else {
        const json &profile = part_of(payload, "profile");
        if (profile.is_object() && !profile.empty()) {
            writer.heading("The profile so far:");
            writer.text(written(profile), {}, {});
        }
        writer.heading("What has been said since:");
        writer.turns(part_of(payload, "episodes"));
    }
    return std::move(writer).result();
}

json schema_of(Task task) {
    if (task == Task::extract)
        return object_of({{"facts", list_of(object_of({{"subject", type_of("string")},
                                                       {"predicate", type_of("string")},
                                                       {"object", type_of("string")},
                                                       {"confidence", type_of("number")}}))}});
    if (task == Task::summarize)
        return object_of({{"summary", type_of("string")}, {"topics", list_of(type_of("string"))}});
    return object_of({{"traits", list_of(object_of({{"name", type_of("string")},
                                                    {"values", list_of(type_of("string"))}}))}});
}

Result result_of(Task task, std::string_view answer) {
    const json read = read_leniently(answer);
    if (read.is_discarded())
        return faulty("the model's answer has no JSON in it");
    if (task == Task::extract)
        return facts_of(read);
    return task == Task::summarize ? summary_of(read) : traits_of(read);
}

} // namespace memory::worker
