// The settings that name a scope, and how a call's tenant follows from them.
#include "access/scope.h"

#include "pg/entry.h"
#include "pg/error.h"
#include "schema/relations.h"
#include "schema/rooms.h"

extern "C" {
#include "access/parallel.h"
#include "access/xact.h"
#include "common/hashfn.h"
#include "utils/acl.h"
}

namespace memory::access {

namespace {

enum class Anonymous : int { allow, warn, deny };

constinit char *user_id = nullptr;
constinit char *name_space = nullptr;
constinit char *agent_id = nullptr;
constinit char *session_id = nullptr;
constinit int anonymous = static_cast<int>(Anonymous::warn);

const config_enum_entry anonymous_choices[] = {
    {"allow", static_cast<int>(Anonymous::allow), false},
    {"warn", static_cast<int>(Anonymous::warn), false},
    {"deny", static_cast<int>(Anonymous::deny), false},
    {nullptr, 0, false},
};

// While the library loads, PostgreSQL offers the values that were set before. One refused then is
// dropped with a warning, and the call would go on in another user's rows. So it is kept, and
// refused where it is used. A parallel worker gets what its leader has.
constinit bool loading = false;

bool is_offered_again() { return loading || InitializingParallelWorker; }

bool refuse_setting(const char *detail) {
    GUC_check_errdetail("%s", detail);
    return false;
}

// An empty user or namespace is an application's bug; it must not name any rows.
bool check_required_id(char **value, void **, GucSource) {
    return pg::entry([value] {
        if (*value == nullptr || is_offered_again())
            return true;
        if (**value == '\0')
            return refuse_setting("It must not be empty; RESET it to leave it unset.");
        if (std::strlen(*value) > longest_id)
            return refuse_setting("It is longer than 512 bytes.");
        return true;
    });
}

template <std::size_t longest>
bool check_attribute(char **value, void **, GucSource) {
    return pg::entry([value] {
        if (*value != nullptr && !is_offered_again() && std::strlen(*value) > longest)
            return refuse_setting(longest == longest_id ? "It is longer than 512 bytes."
                                                        : "It is longer than 1024 bytes.");
        return true;
    });
}

std::optional<std::string_view> set_or_nothing(const char *name, const char *setting,
                                               std::size_t longest = longest_id) {
    if (setting == nullptr || *setting == '\0')
        return std::nullopt;
    return pg::Given<std::string_view>({name}, setting).at_most(longest);
}

std::optional<std::string_view> never_empty(const char *name, const char *setting) {
    if (setting != nullptr)
        pg::Given<std::string_view>({name}, setting).not_empty("RESET it to leave it unset.");
    return set_or_nothing(name, setting);
}

// As far as the caller may look.
bool has_named_user(const schema::Room &room, const Tenant &tenant) {
    if (room.find_named_user == nullptr)
        return false;
    const bool may_look = pg::call([id = schema::table_named(room.tables.front().name)] {
        return OidIsValid(id) && pg_class_aclcheck(id, GetUserId(), ACL_SELECT) == ACLCHECK_OK;
    });
    return may_look &&
           !room.find_named_user->run(pg::SnapshotOf::caller, {tenant.name_space}).empty();
}

std::uint64_t hash_of(std::string_view name) {
    return hash_bytes_extended(reinterpret_cast<const unsigned char *>(name.data()),
                               static_cast<int>(name.size()), 0);
}

// The namespaces that this session has been warned about, by hash; of very many the last ones. And
// the last look for named users: one is enough for all calls of a statement.
constinit std::array<std::uint64_t, 64> warned_about{};
constinit std::size_t warnings = 0;
constinit std::uint64_t looked_at = 0;
constinit TimestampTz looked_during = 0;

bool has_looked(std::uint64_t where) {
    const TimestampTz statement = GetCurrentStatementStartTimestamp();
    if (looked_at == where && looked_during == statement)
        return true;
    looked_at = where;
    looked_during = statement;
    return false;
}

// `does` is "reads" or "writes".
void warn_once(const Tenant &tenant, const char *does) {
    const std::uint64_t where = hash_of(tenant.name_space);
    if (std::find(warned_about.begin(), warned_about.end(), where) != warned_about.end() ||
        has_looked(where))
        return;
    const auto rooms = schema::rooms();
    if (std::none_of(rooms.begin(), rooms.end(),
                     [&](const schema::Room *room) { return has_named_user(*room, tenant); }))
        return;
    warned_about[warnings++ % warned_about.size()] = where;
    pg::call([does] {
        ereport(WARNING,
                (errmsg("this call %s the memories of the anonymous user", does),
                 errhint("Pass user_id, or set memory.user_id; SET memory.anonymous = 'allow' "
                         "if this is meant. Later calls of this session in this namespace do "
                         "not warn.")));
    });
}

void warn_of_anonymous(const Tenant &tenant, const char *does) {
    if (tenant.user.empty() && anonymous == static_cast<int>(Anonymous::warn))
        warn_once(tenant, does);
}

} // namespace

void define_settings() {
    loading = true;
    DefineCustomStringVariable("memory.user_id", "The user that calls read and write for.",
                               "Used where a call's user_id is not given; unset means the "
                               "anonymous user.",
                               &user_id, nullptr, PGC_USERSET, 0, check_required_id, nullptr,
                               nullptr);
    DefineCustomStringVariable("memory.namespace", "The namespace that memories belong to.",
                               "Data of different namespaces is never combined.", &name_space,
                               "default", PGC_USERSET, 0, check_required_id, nullptr, nullptr);
    DefineCustomStringVariable("memory.agent_id", "The agent that writes memories.",
                               "Used where a write's agent_id is not given.", &agent_id, nullptr,
                               PGC_USERSET, 0, check_attribute<longest_id>, nullptr, nullptr);
    DefineCustomStringVariable("memory.session_id", "The session that memories are written in.",
                               "Used where a write's session_id is not given.", &session_id,
                               nullptr, PGC_USERSET, 0, check_attribute<longest_name>, nullptr,
                               nullptr);
    DefineCustomEnumVariable("memory.anonymous", "What a call without a user does.",
                             "allow; warn, once per session and namespace, where the "
                             "namespace has named users; or deny.",
                             &anonymous, static_cast<int>(Anonymous::warn), anonymous_choices,
                             PGC_USERSET, 0, nullptr, nullptr, nullptr);
    loading = false;
}

bool anonymous_allowed() noexcept { return anonymous != static_cast<int>(Anonymous::deny); }

void refuse_anonymous() {
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                    "user_id is missing and memory.anonymous is deny")
        .hint("Pass user_id, or set memory.user_id.");
}

Tenant tenant(const pg::Given<std::string_view> &user) {
    user.not_empty("Pass NULL, or leave it out, for the anonymous user.").at_most(longest_id);
    const Tenant found{namespace_setting(), user ? user.required() : user_setting().value_or("")};
    if (found.user.empty() && !anonymous_allowed())
        refuse_anonymous();
    return found;
}

Tenant tenant(std::optional<std::string_view> user_argument) {
    return tenant(pg::Given<std::string_view>({"user_id"}, user_argument));
}

Tenant reading_tenant(std::optional<std::string_view> user_argument) {
    return reading_tenant(pg::Given<std::string_view>({"user_id"}, user_argument));
}

Tenant reading_tenant(const pg::Given<std::string_view> &user) {
    const Tenant found = tenant(user);
    warn_of_anonymous(found, "reads");
    return found;
}

Tenant writing_tenant(const pg::Given<std::string_view> &user) {
    const Tenant found = tenant(user);
    warn_of_anonymous_write(found);
    return found;
}

void warn_of_anonymous_write(const Tenant &tenant) { warn_of_anonymous(tenant, "writes"); }

std::string_view namespace_setting() { return *never_empty("memory.namespace", name_space); }
std::optional<std::string_view> user_setting() { return never_empty("memory.user_id", user_id); }
std::optional<std::string_view> agent_setting() {
    return set_or_nothing("memory.agent_id", agent_id);
}
std::optional<std::string_view> session_setting() {
    return set_or_nothing("memory.session_id", session_id, longest_name);
}

} // namespace memory::access
