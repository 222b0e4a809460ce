// What a function needs before its logic, had in the only right order: the arguments it has checked
// by itself, and then the tables, the set that it answers with, the connection, and whose memory it
// is about.
//
//     MEMORY_CALL(memory_recall_recent, "kind text, k bigint, user_id text, …") {
//         const std::int64_t k = row_limit(call.bigint("k"));
//         access::Reading reading(call, room);
//         reading.rows().add_from(find_newest, pg::SnapshotOf::caller, {reading.tenant(), …, k});
//         return call.nothing();
//     }
#pragma once

#include "access/scope.h"
#include "access/session_identity.h"
#include "pg/function_call.h"
#include "schema/require.h"

namespace memory::access {

// The most rows that a call can ask for: k.
inline constexpr std::int64_t most_rows = 1'000'000;
// What a k of NULL means: more than a table can have, and small enough to calculate with.
inline constexpr std::int64_t no_limit = std::int64_t{1} << 40;

// Without a tenant: for functions about no user, or about several.
class Connection {
  public:
    // `room` is the one whose tables the function is about.
    Connection(schema::Need need, const pg::CallSource &call, const schema::Room &room);
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    // The answer of a function that returns a set.
    pg::ResultSet &rows() noexcept { return *rows_; }

  private:
    struct Tables {
        Tables(schema::Need need, const schema::Room &room) { schema::require(need, room); }
    };

    // In this order: a set must be made before SPI's memory is the current one.
    [[no_unique_address]] Tables tables_;
    std::optional<pg::ResultSet> rows_;
    pg::Spi spi_;
};

// For a function with an argument user_id that only reads.
class Reading : public Connection {
  public:
    template <const pg::Signature &signature>
    Reading(const pg::Named<signature, pg::CallSource> &call, const schema::Room &room)
        : Connection(schema::Need::to_read, call, room),
          tenant_(reading_tenant(call.text("user_id"))) {}

    const Tenant &tenant() const noexcept { return tenant_; }

  private:
    Tenant tenant_;
};

// For one that writes. Where the caller owns the schema it makes the tables that are missing.
class Writing : public Connection {
  public:
    template <const pg::Signature &signature>
    Writing(const pg::Named<signature, pg::CallSource> &call, const schema::Room &room)
        : Connection(schema::Need::to_write, call, room),
          tenant_(writing_tenant(call.text("user_id"))) {
        SessionIdentity().check_may_write(tenant_);
    }

    const Tenant &tenant() const noexcept { return tenant_; }

  private:
    Tenant tenant_;
};

} // namespace memory::access
