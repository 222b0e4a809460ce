// The order in which a function gets what it needs.
#include "access/call.h"

namespace memory::access {

namespace {

std::optional<pg::ResultSet> result_of(const pg::CallSource &call) {
    return call.returns_set() ? std::optional<pg::ResultSet>(std::in_place, call.arguments())
                              : std::nullopt;
}

} // namespace

Connection::Connection(schema::Need need, const pg::CallSource &call, const schema::Room &room)
    : tables_(need, room), rows_(result_of(call)) {}

} // namespace memory::access
