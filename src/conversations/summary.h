// The summary of a session, for rooms that make one.
#pragma once

#include "access/scope.h"

namespace memory::conversations {

struct Summary {
    pg_uuid_t session; // its key; the session is locked
    std::string_view text;
    std::int64_t upto; // the number of the last message that it covers
    std::span<const std::string_view> topics;
};

// Takes the place of the one that is there. Needs a live Spi.
void put_summary(const access::Tenant &tenant, const Summary &summary);

} // namespace memory::conversations
