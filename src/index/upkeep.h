// What is done to a tenant besides adding to it: its log is sealed into segments, segments are
// merged, and pages that no reader can reach any more are freed.
//
// All of it happens under the tenant's lock, a heavyweight lock on its root page, and becomes
// visible by one WAL record on that page.
#pragma once

#include "index/room.h"
#include "index/segment/writer.h"
#include "index/tenant.h"
#include "text/interruption_sql.h"

namespace memory::index {

// The right to change a tenant's runs. Given back when the object dies.
class TenantLock {
  public:
    enum class Wait : bool { no, yes };

    TenantLock(Relation index, BlockNumber root, Wait wait);
    ~TenantLock();
    TenantLock(const TenantLock &) = delete;
    TenantLock &operator=(const TenantLock &) = delete;

    bool held() const noexcept { return held_; }

  private:
    Relation index_;
    BlockNumber root_;
    bool held_;
};

// Fewer documents than this are better off in a log.
inline constexpr std::uint32_t documents_to_seal = 64;

// Records on their way into a segment.
struct Inverted {
    explicit Inverted(std::pmr::memory_resource *memory)
        : documents(memory), terms(memory, text::server_interruption) {}

    // In the order of their tids; the records of one document are neighbours.
    void add(const codec::Record &record);

    std::pmr::vector<segment::StoredDocument> documents;
    segment::Inverter terms;
};

// A segment of the documents gathered, on pages of its own, not published; or NoRoom, and those
// pages are free again.
Run write_run(Relation index, BlockNumber root, std::span<const segment::StoredDocument> documents,
              segment::TermSource &terms);

// Publishes `added`. For builds: under a lock on the index, or the tenant's.
void publish(Relation index, BlockNumber root, const Run &added);

// After an insert has added a page to a tenant's log: seals it, and merges segments, within the
// bounds of what one INSERT may cost. Does nothing when another backend holds the tenant's lock. If
// there is a table to ask, `heap`, what is sealed or merged is without its dead rows.
void keep_up(Relation index, BlockNumber root, Relation heap);

// The same without those bounds, for VACUUM; segments with many dead documents are written anew.
// What takes more pages than there is room for is left as it is. Under the tenant's lock.
void clean_up(Relation index, BlockNumber root, Room &room);

} // namespace memory::index
