// Transfers of libcurl: TLS is checked, redirections are not followed (the key would go along), and
// an answer larger than any that is asked for ends its request.
#include "worker/http.h"

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace memory::worker {

namespace {

constexpr std::size_t most_answer = std::size_t(64) << 20;

struct EndEasy {
    void operator()(CURL *easy) const { curl_easy_cleanup(easy); }
};
struct EndList {
    void operator()(curl_slist *list) const { curl_slist_free_all(list); }
};
using Easy = std::unique_ptr<CURL, EndEasy>;
using List = std::unique_ptr<curl_slist, EndList>;

void add(List &list, const std::string &header) {
    curl_slist *longer = curl_slist_append(list.get(), header.c_str());
    if (longer == nullptr)
        throw std::bad_alloc();
    static_cast<void>(list.release());
    list.reset(longer);
}

template <typename Value>
void set(CURL *easy, CURLoption option, Value value) {
    const CURLcode code = curl_easy_setopt(easy, option, value);
    if (code != CURLE_OK)
        throw std::runtime_error(std::string("libcurl: ") + curl_easy_strerror(code));
}

void allow_http_only(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    set(easy, CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

} // namespace

// libcurl keeps pointers into it.
struct Http::Transfer {
    Request request;
    Answer answer;
    List headers;
    std::array<char, CURL_ERROR_SIZE> error{};
    Easy easy;

    static std::size_t write(const char *data, std::size_t one, std::size_t size, void *to) {
        std::string &body = static_cast<Transfer *>(to)->answer.body;
        if (body.size() + size * one > most_answer)
            return 0;
        body.append(data, size * one);
        return size * one;
    }

    static std::size_t read_header(const char *data, std::size_t one, std::size_t size, void *to) {
        constexpr std::string_view name = "retry-after:";
        const std::string_view line(data, one * size);
        const auto lower = [](char letter) {
            return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A'))
                                                  : letter;
        };
        if (line.size() > name.size() &&
            std::ranges::equal(line.substr(0, name.size()), name, {}, lower))
            static_cast<Transfer *>(to)->answer.retry_after = line.substr(name.size());
        return one * size;
    }

    void finish(CURLcode code) {
        curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &answer.status);
        double seconds = 0;
        curl_easy_getinfo(easy.get(), CURLINFO_TOTAL_TIME, &seconds);
        answer.took = std::chrono::duration<double>(seconds);
        if (code == CURLE_OK)
            return;
        // A status without the whole body is no answer.
        answer.status = 0;
        answer.error = error[0] != '\0' ? error.data() : curl_easy_strerror(code);
    }
};

Http::Http(HttpSettings settings) : settings_(std::move(settings)), multi_(curl_multi_init()) {
    if (!multi_)
        throw std::bad_alloc();
}

Http::~Http() {
    for (const auto &[easy, transfer] : transfers_)
        curl_multi_remove_handle(multi_.get(), easy);
}

std::unique_ptr<Http::Transfer> Http::make_transfer(std::uint64_t tag, Request request) const {
    auto transfer = std::make_unique<Transfer>();
    transfer->request = std::move(request);
    transfer->answer.tag = tag;
    transfer->easy.reset(curl_easy_init());
    if (!transfer->easy)
        throw std::bad_alloc();
    add(transfer->headers, "Content-Type: application/json");
    add(transfer->headers, "Accept: application/json");
    add(transfer->headers, "Expect:"); // no round trip before the body
    if (!transfer->request.auth_header.empty())
        add(transfer->headers, transfer->request.auth_header);
    CURL *easy = transfer->easy.get();
    allow_http_only(easy);
    set(easy, CURLOPT_URL, transfer->request.url.c_str());
    set(easy, CURLOPT_POSTFIELDS, transfer->request.body.data());
    set(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(transfer->request.body.size()));
    set(easy, CURLOPT_HTTPHEADER, transfer->headers.get());
    set(easy, CURLOPT_USERAGENT, "memory-worker/" MEMORY_VERSION);
    set(easy, CURLOPT_FOLLOWLOCATION, 0L);
    set(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    set(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    if (!settings_.ca_file.empty())
        set(easy, CURLOPT_CAINFO, settings_.ca_file.c_str());
    set(easy, CURLOPT_NOSIGNAL, 1L);
    set(easy, CURLOPT_ACCEPT_ENCODING, ""); // what libcurl can unpack
    set(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(settings_.timeout.count()));
    set(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(settings_.connect_timeout.count()));
    set(easy, CURLOPT_ERRORBUFFER, transfer->error.data());
    set(easy, CURLOPT_WRITEFUNCTION, &Transfer::write);
    set(easy, CURLOPT_WRITEDATA, transfer.get());
    set(easy, CURLOPT_HEADERFUNCTION, &Transfer::read_header);
    set(easy, CURLOPT_HEADERDATA, transfer.get());
    return transfer;
}

void Http::start(std::uint64_t tag, Request request) {
    auto transfer = make_transfer(tag, std::move(request));
    CURL *easy = transfer->easy.get();
    transfers_.emplace(easy, std::move(transfer));
    const CURLMcode code = curl_multi_add_handle(multi_.get(), easy);
    if (code != CURLM_OK) {
        transfers_.erase(easy);
        throw std::runtime_error(std::string("libcurl: ") + curl_multi_strerror(code));
    }
    int running = 0;
    curl_multi_perform(multi_.get(), &running); // what can be sent now is not left for wait()
}

std::vector<Answer> Http::take_ended() {
    int running = 0;
    curl_multi_perform(multi_.get(), &running);
    std::vector<Answer> ended;
    int left = 0;
    while (const CURLMsg *message = curl_multi_info_read(multi_.get(), &left)) {
        if (message->msg != CURLMSG_DONE)
            continue;
        const CURLcode code = message->data.result;
        const auto transfer = transfers_.find(message->easy_handle);
        curl_multi_remove_handle(multi_.get(), transfer->first);
        transfer->second->finish(code);
        ended.push_back(std::move(transfer->second->answer));
        transfers_.erase(transfer);
    }
    return ended;
}

std::vector<Answer> Http::wait(std::chrono::milliseconds most,
                               const std::vector<int> &descriptors) {
    std::vector<Answer> ended = take_ended();
    if (!ended.empty() || most.count() <= 0)
        return ended;
    std::vector<curl_waitfd> others;
    others.reserve(descriptors.size());
    for (const int descriptor : descriptors)
        others.push_back({descriptor, CURL_WAIT_POLLIN, 0});
    curl_multi_poll(multi_.get(), others.data(), static_cast<unsigned>(others.size()),
                    static_cast<int>(most.count()), nullptr);
    return take_ended();
}

} // namespace memory::worker
