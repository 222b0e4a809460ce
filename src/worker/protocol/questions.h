// What a model is asked for a job of words: the payload of memory.next_jobs() as a question, and
// the model's answer as a result for memory.finish_job(). docs/jobs.md has both forms.
//
// Texts of users stand between <memory …> and </memory>, which none of them can end.
#pragma once

#include "worker/protocol/task.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace memory::worker {

// The part of a question that has the payload in it. What the payload lacks is left out.
std::string question_of(Task task, const nlohmann::json &payload);

// What the answer is to look like: a schema as OpenAI's strict mode has them.
nlohmann::json schema_of(Task task);

struct Result {
    std::string json;          // for memory.finish_job()
    std::string fault;         // why there is none
    std::uint64_t dropped = 0; // malformed parts that were left out
};

// Out of the words of a model. Facts are handed on as they are: the database drops those that are
// malformed, and says how many.
Result result_of(Task task, std::string_view answer);

} // namespace memory::worker
