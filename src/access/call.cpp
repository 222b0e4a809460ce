// The order in which a function gets what it needs.
#include "access/call.h"

namespace memory::access {

namespace {

std::optional<pg::ResultSet> result_of(const pg::CallSource &call) {
    return call.returns_set() ? std::optional<pg::ResultSet>(std::in_place, call.arguments())
                              : std::nullopt;
}

} // namespace

Scope::Scope(setup::Need need, const char *table, const pg::CallSource &call,
             std::optional<std::string_view> user_id)
    : tables_(need, table), rows_(result_of(call)),
      tenant_(need == setup::Need::to_read ? reading_tenant(user_id) : access::tenant(user_id)) {}

} // namespace memory::access
