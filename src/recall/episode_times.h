// The episodes of one tenant by their times, out of an index alone: no row is read, so an entry may
// be of a row that the snapshot does not see, or of one that has expired. The caller must have the
// right to read the whole table.
#pragma once

#include "pg/key_scan.h"
#include "rank/hybrid.h"
#include "recall/episode_table.h"

namespace memory::recall {

class EpisodeTimes {
  public:
    enum class Which { all, lasting }; // of every kind, or of those whose scores do not fade

    EpisodeTimes(const EpisodeTable &table, Which which, const access::Tenant &tenant,
                 Snapshot snapshot);

    // Adds the next `most`, the newest first; fewer at the end.
    void read(std::size_t most, std::pmr::vector<rank::Dated> &rows);

  private:
    schema::OpenIndex index_;
    std::optional<pg::KeyScan> scan_;
    TimestampTz last_;
};

} // namespace memory::recall
