// The entries around a row in its session, out of the index on sessions, with one descent for both
// sides. How far around is a guess, from how far apart rows were the last time: a session's rows
// lie seconds apart, or days. A guess decides about time alone: what the window does not show has
// to be looked for.
#pragma once

#include "access/scope.h"
#include "pg/key_scan.h"
#include "rank/top_k.h"

namespace memory::recall {

class SessionWindow {
  public:
    // An index that begins with the columns of the tenant, the session, the time and the id.
    SessionWindow(Relation table, Relation by_session, const access::Tenant &tenant,
                  Snapshot snapshot);

    // What stands before the row and behind it, the next entry first, of rows seen or not: all that
    // there is between the row and the last one given. Valid until the next call.
    struct Around {
        std::span<const pg::TimedEntry> before;
        std::span<const pg::TimedEntry> behind;
    };
    Around around(std::string_view session, const rank::NewerThenId &row);

    // How far away the next row of a session was.
    void learn(TimestampTz distance) noexcept;

  private:
    Relation table_;
    Relation by_session_;
    Snapshot snapshot_;
    std::array<ScanKeyData, 5> keys_;
    std::optional<pg::KeyScan> scan_;
    TimestampTz reach_;
    std::array<pg::TimedEntry, 64> entries_;
};

} // namespace memory::recall
