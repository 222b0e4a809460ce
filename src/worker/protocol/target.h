// Where a model is asked: addresses out of a base address, and what may be sent there.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace memory::worker {

// The parts of an address of http or https that matter here.
struct Address {
    bool is_secure = false; // https
    std::string host;       // in small letters; without port, user and brackets
    std::string path;       // from the first / on, without ? and #; may be empty
    std::string query;      // behind the ?; may be empty
    std::string origin;     // scheme, host and port, as written
};

// Nothing where it is no address of http or https, or has a user or a control character in it.
std::optional<Address> parse_address(std::string_view url);

// The address of an endpoint, "embeddings" or "chat/completions", under a base address. A query
// stays behind it (Azure's api-version), and a base that ends with the endpoint already is it.
std::string endpoint_of(const Address &base, std::string_view endpoint);

// Whether the host is this machine: localhost, 127.0.0.0/8 or ::1.
bool is_loopback(const Address &address);

// Whether a key that is OpenAI's by its name may be sent there. What the database says is not
// enough: who may write there would else read the key. So it is OpenAI, this machine, the origin of
// the address on the command line, or a host that is named there.
bool may_see_key(const Address &address, std::string_view given_url,
                 std::span<const std::string> hosts);

// Whether the key goes into a header api-key, as Azure has it, and not into Authorization.
bool has_api_key_header(const Address &address);

} // namespace memory::worker
