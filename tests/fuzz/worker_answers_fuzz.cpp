// Whatever a server answers, it is read without harm; what is handed to the database is JSON that
// jsonb can hold, of the shape that memory.finish_job() takes, and vectors are as many as texts.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "worker/protocol/chat.h"
#include "worker/protocol/embeddings.h"
#include "worker/protocol/lenient_json.h"
#include "worker/protocol/questions.h"
#include "worker/protocol/retry_after.h"
#include "worker/protocol/target.h"

namespace {

using namespace memory::worker;
using nlohmann::json;

void require(bool holds, const char *what) {
    if (!holds) {
        std::fprintf(stderr, "broken: %s\n", what);
        std::abort();
    }
}

void check_vectors(std::string_view answer, std::size_t texts) {
    const Embedded read = read_embeddings(answer, texts);
    require(read.fault.empty() == (read.vectors.size() == texts), "vectors, or a fault");
    for (const std::vector<float> &vector : read.vectors) {
        require(!vector.empty() && vector.size() <= most_dimensions, "a vector has dimensions");
        for (const float number : vector)
            require(std::isfinite(number), "its numbers are finite");
    }
}

// No NUL in any text of it.
bool is_storable(const json &value) {
    if (value.is_string())
        return value.get_ref<const std::string &>().find('\0') == std::string::npos;
    for (const auto &[key, member] : value.items()) {
        if (value.is_object() && key.find('\0') != std::string::npos)
            return false;
        if (value.is_structured() && !is_storable(member))
            return false;
    }
    return true;
}

void check_result(Task task, std::string_view answer, const char *key, json::value_t type) {
    const Result result = result_of(task, answer);
    require(result.json.empty() != result.fault.empty(), "a result, or a fault");
    if (result.json.empty())
        return;
    const json written = json::parse(result.json, nullptr, false);
    require(!written.is_discarded() && written.is_object(), "a result is JSON");
    require(written.contains(key) && written[key].type() == type, "of the task's shape");
    require(is_storable(written), "jsonb can hold it");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
    const std::string_view answer(reinterpret_cast<const char *>(data), size);
    check_vectors(answer, 1);
    check_vectors(answer, 2);
    read_chat(answer);
    check_result(Task::extract, answer, "facts", json::value_t::array);
    check_result(Task::summarize, answer, "summary", json::value_t::string);
    check_result(Task::profile, answer, "traits", json::value_t::object);
    if (const auto wait = parse_retry_after(answer, {}))
        require(wait->count() >= 0 && *wait <= std::chrono::hours(24), "a wait is at most a day");
    if (const auto address = parse_address(answer))
        require(parse_address(endpoint_of(*address, "embeddings")).has_value(),
                "an endpoint is an address");
    return 0;
}
