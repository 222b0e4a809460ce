// Requests over libcurl, several at once, in one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <curl/curl.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace memory::worker {

struct Request {
    std::string url;
    std::string body;        // JSON
    std::string auth_header; // "Name: value"; may be empty
};

// What has become of a request.
struct Answer {
    std::uint64_t tag = 0;
    long status = 0; // of HTTP; 0: there was no answer
    std::string body;
    std::string retry_after; // the header's value
    std::string error;       // why there was no answer
    std::chrono::duration<double> took{};
};

struct HttpSettings {
    std::chrono::milliseconds timeout;
    std::chrono::milliseconds connect_timeout;
    std::string ca_file;
};

class Http {
  public:
    explicit Http(HttpSettings settings);
    ~Http();
    Http(const Http &) = delete;
    Http &operator=(const Http &) = delete;

    // Its answer will carry `tag`.
    void start(std::uint64_t tag, Request request);
    // Waits for an answer, for one of the descriptors to be readable, or for the time to pass;
    // then what has ended.
    std::vector<Answer> wait(std::chrono::milliseconds most, const std::vector<int> &descriptors);
    std::size_t in_flight() const { return transfers_.size(); }

  private:
    struct Transfer;
    struct EndMulti {
        void operator()(CURLM *multi) const { curl_multi_cleanup(multi); }
    };
    std::unique_ptr<Transfer> make_transfer(std::uint64_t tag, Request request) const;
    std::vector<Answer> take_ended();

    HttpSettings settings_;
    std::unique_ptr<CURLM, EndMulti> multi_;
    std::map<CURL *, std::unique_ptr<Transfer>> transfers_; // ended before multi_ is
};

} // namespace memory::worker
