// The scope of a call: namespace and user, from its arguments or from the settings.
#pragma once

#include "pg/given.h"
#include "pg/spi.h"
#include "schema/place.h"

namespace memory::access {

// The tenant boundary. Every statement on our tables binds both as equalities.
struct Tenant {
    std::string_view name_space;
    std::string_view user; // empty: the anonymous bucket

    // Where its rows of memory.`table` are.
    schema::Place place(const char *table) const {
        return schema::Place::of_user(table, name_space, user);
    }

    friend bool operator==(const Tenant &a, const Tenant &b) = default;
};

// As $1 and $2.
inline void bind(pg::Values &to, const Tenant &tenant) {
    to.add(tenant.name_space);
    to.add(tenant.user);
}

// The longest namespace, user or agent id, in bytes, and the longest name that a caller may make
// up: of a session, a path, a checkpoint. An index entry has room for the three of a session's.
inline constexpr std::size_t longest_id = 512;
inline constexpr std::size_t longest_name = 1024;

// Declares the settings of this room. Called once, when the library is loaded.
void define_settings();

// The tenant of a call with this `user_id` argument; an error when the argument is '' or too long,
// or when the call is anonymous and memory.anonymous is 'deny'. Views settings and the argument.
Tenant tenant(const pg::Given<std::string_view> &user);
Tenant tenant(std::optional<std::string_view> user_argument);

// The same for a call that only reads and for one that writes. They warn of the anonymous bucket in
// a namespace that has named users, once per session and namespace. Need a live Spi.
Tenant reading_tenant(const pg::Given<std::string_view> &user);
Tenant reading_tenant(std::optional<std::string_view> user_argument);
Tenant writing_tenant(const pg::Given<std::string_view> &user);

// The warning alone, for a call that writes for several users.
void warn_of_anonymous_write(const Tenant &tenant);

// The settings by themselves; nothing when unset. The namespace is always set. An error when the
// setting is one that SET refuses: it can have been made before the library was loaded.
std::string_view namespace_setting();
std::optional<std::string_view> user_setting();
std::optional<std::string_view> agent_setting();
std::optional<std::string_view> session_setting();

// Whether rows of the anonymous bucket may be written now (memory.anonymous is not 'deny').
bool anonymous_allowed() noexcept;
[[noreturn]] void refuse_anonymous();

} // namespace memory::access
