// What an answer of a model's server means for the jobs that it is about.
#pragma once

#include <cstdint>

namespace memory::worker {

enum class Verdict : std::uint8_t {
    answered,  // its body is to be read
    wait,      // too many requests, or the server is not ready: the same again, later
    passing,   // it went wrong this time: timeouts, connections, errors inside the server
    refused,   // this request will never be answered; another may
    forbidden, // no request will be, until the key, the model or the address is another
};

// By the status of HTTP.
constexpr Verdict verdict_of(long status) {
    if (status >= 200 && status < 300)
        return Verdict::answered;
    if (status == 429 || status == 503 || status == 529)
        return Verdict::wait;
    if (status == 401 || status == 403 || status == 404 || status == 405 || status == 407)
        return Verdict::forbidden;
    if (status == 408 || status == 409 || status == 425 || status >= 500)
        return Verdict::passing;
    // Redirections are not followed: the key would go along.
    return status >= 300 && status < 400 ? Verdict::forbidden : Verdict::refused;
}

} // namespace memory::worker
