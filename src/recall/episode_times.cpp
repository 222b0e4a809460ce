// Reads entries of an index by time.
#include "recall/episode_times.h"

namespace memory::recall {

namespace {

constexpr schema::KeyColumn time_key[] = {
    {"namespace", TEXTOID}, {"user_id", TEXTOID}, {"occurred_at", TIMESTAMPTZOID}, {"id", UUIDOID}};
constexpr AttrNumber time_column = 3;

} // namespace

EpisodeTimes::EpisodeTimes(const EpisodeTable &table, Which which, const access::Tenant &tenant,
                           Snapshot snapshot)
    : index_(table.table(), which == Which::all ? "episodes_by_time" : "episodes_lasting",
             time_key),
      last_(DT_NOEND) {
    std::array keys{pg::equals_text(1, pg::to_datum(tenant.name_space)),
                    pg::equals_text(2, pg::to_datum(tenant.user))};
    scan_.emplace(table.heap(), index_.get(), snapshot, keys, pg::Reads::entries);
}

void EpisodeTimes::read(std::size_t most, std::pmr::vector<rank::Dated> &rows) {
    std::array<pg::TimedEntry, 256> some;
    for (std::size_t found = some.size(); most > 0 && found == some.size(); most -= found) {
        pg::check_for_interrupts();
        const auto wanted = std::span(some).first(std::min(most, some.size()));
        found = scan_->next_entries(time_column, wanted);
        for (const pg::TimedEntry &entry : wanted.first(found)) {
            // An index of the owner's making may be in another order.
            if (entry.time > last_)
                schema::refuse_index(index_.get());
            last_ = entry.time;
            rows.push_back({entry.place, {entry.time, entry.uuid}});
        }
    }
}

} // namespace memory::recall
