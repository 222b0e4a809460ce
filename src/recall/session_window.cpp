// Reads the entries of a session between two times.
#include "recall/session_window.h"

namespace memory::recall {

namespace {

constexpr AttrNumber session_column = 3;
constexpr AttrNumber time_column = 4;

constexpr TimestampTz first_reach = 10 * USECS_PER_MINUTE;
constexpr TimestampTz least_reach = USECS_PER_SEC;
constexpr TimestampTz most_reach = 366 * USECS_PER_DAY;
// Of the distance between two rows: so that one more is seen where they come irregularly.
constexpr TimestampTz reached_distances = 4;

// Times are finite, but the sum need not be one.
TimestampTz moved(TimestampTz time, TimestampTz by) {
    TimestampTz sum = 0;
    if (__builtin_add_overflow(time, by, &sum))
        return by < 0 ? DT_NOBEGIN : DT_NOEND;
    return sum;
}

} // namespace

SessionWindow::SessionWindow(Relation table, Relation by_session, const access::Tenant &tenant,
                             Snapshot snapshot)
    : table_(table), by_session_(by_session),
      snapshot_(snapshot), keys_{pg::equals_text(1, pg::to_datum(tenant.name_space)),
                                 pg::equals_text(2, pg::to_datum(tenant.user)), ScanKeyData{},
                                 ScanKeyData{}, ScanKeyData{}},
      reach_(first_reach) {}

SessionWindow::Around SessionWindow::around(std::string_view session,
                                            const rank::NewerThenId &row) {
    keys_[2] = pg::equals_text(session_column, pg::to_datum(session));
    keys_[3] = pg::at_least(time_column, moved(row.time, -reach_));
    keys_[4] = pg::at_most(time_column, moved(row.time, reach_));
    if (scan_)
        scan_->rewind(keys_);
    else
        scan_.emplace(table_, by_session_, snapshot_, keys_, pg::Reads::entries);
    const auto entries = std::span(entries_).first(scan_->next_entries(time_column, entries_));
    const auto is_before = [&](const pg::TimedEntry &entry) {
        return std::pair(entry.time, entry.uuid) < std::pair(row.time, row.id);
    };
    const auto first_behind = std::partition_point(entries.begin(), entries.end(), is_before);
    const auto before = static_cast<std::size_t>(first_behind - entries.begin());
    // So many that the row itself was not reached: what is nearest to it is not known.
    if (before == entries_.size()) {
        reach_ = std::max(reach_ / reached_distances, least_reach);
        return {};
    }
    const auto behind = std::partition_point(first_behind, entries.end(), [&](const auto &entry) {
        return entry.time == row.time && entry.uuid == row.id;
    });
    std::reverse(entries.begin(), first_behind);
    return {entries.first(before), {behind, entries.end()}};
}

void SessionWindow::learn(TimestampTz distance) noexcept {
    reach_ =
        std::clamp(std::min(distance, most_reach) * reached_distances, least_reach, most_reach);
}

} // namespace memory::recall
