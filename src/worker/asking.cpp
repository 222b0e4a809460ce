// Chooses address, key and prompt, and connects jobs with the two endpoints.
#include "worker/asking.h"

#include "worker/files.h"
#include "worker/prompts.h"
#include "worker/protocol/embeddings.h"
#include "worker/protocol/lenient_json.h"
#include "worker/protocol/message.h"
#include "worker/protocol/questions.h"

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace memory::worker {

namespace {

using nlohmann::json;

constexpr std::string_view openai = "https://api.openai.com/v1";

// Of the models that can give fewer dimensions than they have. Others take the member for a
// mistake.
bool knows_dimensions(std::string_view model) { return model.starts_with("text-embedding-3"); }

Reading faulty(const std::string &why) {
    return {.embedding = {}, .result = {}, .fault = why, .dropped = 0};
}

} // namespace

Asking::Asking(const Options &options, std::string key, std::string default_url)
    : options_(options), key_(std::move(key)),
      default_url_(default_url.empty() ? std::string(openai) : std::move(default_url)) {
    for (std::size_t task = 0; task < prompts_.size(); ++task) {
        const std::string &file = options.prompts[task];
        prompts_[task] = file.empty() ? std::string(own_prompt(static_cast<Task>(task)))
                                      : read_file("--prompt", file);
    }
}

std::string Asking::base_url(const Job &job) const {
    if (!options_.url.empty())
        return options_.url;
    return job.url.empty() ? default_url_ : job.url;
}

std::string Asking::model_of(const Job &job) const {
    return options_.model.empty() ? job.model : options_.model;
}

std::string Asking::auth_header(const Address &address) const {
    const std::string &given = options_.url.empty() ? default_url_ : options_.url;
    if (key_.empty() || !may_see_key(address, given, options_.key_hosts))
        return {};
    const bool is_api_key = options_.header == Header::automatic
                                ? has_api_key_header(address)
                                : options_.header == Header::api_key;
    return (is_api_key ? "api-key: " : "Authorization: Bearer ") + key_;
}

Place Asking::place_of(const Job &job) const {
    const auto address = parse_address(base_url(job));
    if (!address)
        return {{}, {}, "the model's url is no address of http or https, or has a user in it"};
    const char *endpoint = job.task == Task::embed ? "embeddings" : "chat/completions";
    Place place{endpoint_of(*address, endpoint), auth_header(*address), {}};
    if (place.auth_header.empty() && address->origin == "https://api.openai.com")
        place.fault = "there is no key for https://api.openai.com: OPENAI_API_KEY or --key-file";
    return place;
}

std::string Asking::embedding_body(const Together &jobs) const {
    std::vector<std::string_view> texts;
    for (const Job &job : jobs)
        texts.insert(texts.end(), job.texts.begin(), job.texts.end());
    const std::string model = model_of(jobs[0]);
    auto dimensions = options_.dimensions;
    if (!dimensions && knows_dimensions(model))
        dimensions = jobs[0].dimensions;
    return embedding_request(model, texts, dimensions);
}

std::string Asking::chat_body(const Job &job, Format format) const {
    const json payload = read_exactly(job.payload);
    json extra = read_exactly(job.options);
    const std::string model = model_of(job);
    const std::string question = question_of(job.task, payload);
    return chat_request({.model = model,
                         .system = prompts_[static_cast<std::size_t>(job.task)],
                         .user = question,
                         .name = name_of(job.task)},
                        schema_of(job.task), format, extra.is_object() ? extra : json::object());
}

Request Asking::request(const Lane &lane, const Together &jobs) const {
    return {.url = lane.url,
            .body =
                lane.task == Task::embed ? embedding_body(jobs) : chat_body(jobs[0], lane.format),
            .auth_header = lane.auth};
}

Readings Asking::read_vectors(const Together &jobs, const std::string &body) const {
    std::size_t texts = 0;
    for (const Job &job : jobs)
        texts += job.texts.size();
    Embedded embedded = read_embeddings(body, texts);
    Readings readings{.of_jobs = {}, .tokens = embedded.tokens};
    auto next = embedded.vectors.begin();
    for (const Job &job : jobs) {
        Reading reading;
        reading.fault = quotable(embedded.fault, key_);
        if (embedded.fault.empty() && job.texts.size() == 1) {
            reading.embedding = std::move(*next++);
        } else if (embedded.fault.empty()) {
            json list = json::array();
            for (std::size_t n = 0; n < job.texts.size(); ++n)
                list.push_back(*next++);
            reading.result = json{{"embeddings", list}}.dump();
        }
        readings.of_jobs.push_back(std::move(reading));
    }
    return readings;
}

Readings Asking::read_words(const Job &job, const std::string &body) const {
    const Said said = read_chat(body);
    Readings readings{.of_jobs = {}, .tokens = said.tokens};
    if (!said.fault.empty()) {
        readings.of_jobs.push_back(faulty(said.fault));
        return readings;
    }
    Result result = result_of(job.task, said.content);
    readings.of_jobs.push_back({.embedding = {},
                                .result = std::move(result.json),
                                .fault = std::move(result.fault),
                                .dropped = result.dropped});
    return readings;
}

Readings Asking::read(const Together &jobs, const std::string &body) const {
    return jobs[0].task == Task::embed ? read_vectors(jobs, body) : read_words(jobs[0], body);
}

std::string Asking::failure(const Lane &lane, const Answer &answer, bool with_body) const {
    const std::string where = lane.url.substr(0, lane.url.find('?'));
    if (answer.status == 0)
        return quotable(where + ": " + answer.error, key_);
    return quotable(where + ": status " + std::to_string(answer.status) +
                        (answer.body.empty() || !with_body ? "" : ": " + answer.body),
                    key_);
}

} // namespace memory::worker
