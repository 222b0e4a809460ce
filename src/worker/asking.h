// Jobs as requests to a model, and its answers as what is handed in for them.
#pragma once

#include "worker/http.h"
#include "worker/lane.h"
#include "worker/protocol/options.h"
#include "worker/protocol/target.h"

#include <array>
#include <string>
#include <vector>

namespace memory::worker {

// What a request says of one job: a vector or a result, or else why there is none.
struct Reading {
    std::vector<float> embedding;
    std::string result;
    std::string fault;
    std::uint64_t dropped = 0;
};

struct Readings {
    std::vector<Reading> of_jobs; // as many as jobs, in their order
    std::int64_t tokens = 0;
};

// Where a job is asked.
struct Place {
    std::string url;         // of the endpoint
    std::string auth_header; // may be empty
    std::string fault;       // why it cannot be asked at all
};

class Asking {
  public:
    // `key` may be empty. Throws BadOption where a file of a prompt cannot be read.
    Asking(const Options &options, std::string key, std::string default_url);

    Place place_of(const Job &job) const;
    std::string model_of(const Job &job) const;

    Request request(const Lane &lane, const Together &jobs) const;
    Readings read(const Together &jobs, const std::string &body) const;

    // What is said of an answer that is none, without the key. Its body may repeat what it was
    // asked: `with_body` is for a request of one job, or about none.
    std::string failure(const Lane &lane, const Answer &answer, bool with_body) const;

  private:
    std::string base_url(const Job &job) const;
    std::string auth_header(const Address &address) const;
    std::string embedding_body(const Together &jobs) const;
    std::string chat_body(const Job &job, Format format) const;
    Readings read_vectors(const Together &jobs, const std::string &body) const;
    Readings read_words(const Job &job, const std::string &body) const;

    const Options &options_;
    std::string key_;
    std::string default_url_;
    std::array<std::string, task_names.size()> prompts_;
};

} // namespace memory::worker
