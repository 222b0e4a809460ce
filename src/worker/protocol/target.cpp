// Takes addresses apart, no further than needed; libcurl reads them again, by its own rules.
#include "worker/protocol/target.h"

#include <algorithm>

namespace memory::worker {

namespace {

char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
}

bool begins_with(std::string_view text, std::string_view word) {
    return text.size() >= word.size() &&
           std::ranges::equal(text.substr(0, word.size()), word, {}, lower);
}

// Blanks and controls would be read differently by different readers; so would a backslash.
bool is_plain(std::string_view url) {
    return std::ranges::all_of(
        url, [](char byte) { return byte > ' ' && byte != 0x7F && byte != '\\'; });
}

// Of "host:port" or "[::1]:port".
std::string host_of(std::string_view authority) {
    if (authority.starts_with('['))
        authority = authority.substr(1, authority.find(']') - 1);
    else
        authority = authority.substr(0, authority.find(':'));
    std::string host(authority);
    std::ranges::transform(host, host.begin(), lower);
    return host;
}

} // namespace

std::optional<Address> parse_address(std::string_view url) {
    Address address;
    address.is_secure = begins_with(url, "https://");
    if ((!address.is_secure && !begins_with(url, "http://")) || !is_plain(url))
        return std::nullopt;
    const std::size_t begin = url.find("//") + 2;
    url = url.substr(0, url.find('#'));
    const std::size_t query = url.find('?');
    const std::string_view before_query = url.substr(0, query);
    const std::size_t path = std::min(before_query.find('/', begin), before_query.size());
    const std::string_view authority = before_query.substr(begin, path - begin);
    address.host = host_of(authority);
    if (address.host.empty() || authority.find('@') != std::string_view::npos)
        return std::nullopt;
    address.origin = url.substr(0, path);
    address.path = before_query.substr(path);
    if (query != std::string_view::npos)
        address.query = url.substr(query + 1);
    return address;
}

std::string endpoint_of(const Address &base, std::string_view endpoint) {
    std::string path = base.path;
    while (path.ends_with('/'))
        path.pop_back();
    const std::string tail = "/" + std::string(endpoint);
    if (!path.ends_with(tail))
        path += tail;
    return base.origin + path + (base.query.empty() ? "" : "?" + base.query);
}

bool is_loopback(const Address &address) {
    const std::string &host = address.host;
    const bool is_number = host.find_first_not_of("0123456789.") == std::string::npos;
    return host == "localhost" || host == "::1" || (is_number && host.starts_with("127."));
}

bool may_see_key(const Address &address, std::string_view given_url,
                 std::span<const std::string> hosts) {
    if (is_loopback(address) || std::ranges::find(hosts, address.host) != hosts.end())
        return true;
    const auto given = parse_address(given_url);
    if (given && given->origin == address.origin)
        return true;
    return address.is_secure && address.origin == "https://api.openai.com";
}

bool has_api_key_header(const Address &address) {
    return address.host.ends_with(".azure.com") || address.query.starts_with("api-version=") ||
           address.query.find("&api-version=") != std::string::npos;
}

} // namespace memory::worker
