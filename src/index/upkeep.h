// What is done to a tenant besides adding to it: its log is sealed into segments, segments are
// merged, and pages that no reader can reach any more are freed.
//
// All of it happens under the tenant's lock, but that large segments are read and merged under the
// segments' lock (tenant_lock.h), and becomes visible by one WAL record on the root page.
#pragma once

#include "index/room.h"
#include "index/segment/writer.h"
#include "index/tenant.h"
#include "index/tenant_lock.h"
#include "text/interruption_sql.h"

namespace memory::index {

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
// there is a table to ask, `heap`, what is sealed or merged is without its dead rows. `helped`:
// merges beyond those bounds can be done elsewhere. True if they are due, and should be.
bool keep_up(Relation index, BlockNumber root, Relation heap, bool helped);

// Merges what is due, whatever it takes, unless another backend merges: for a process for which
// nothing waits. Without either lock.
void merge_apart(Relation index, BlockNumber root);

// Seals, merges and frees without bounds, for VACUUM; segments with many dead documents are written
// anew. What takes more pages than there is room for is left as it is. Under both locks.
void clean_up(Relation index, BlockNumber root, Room &room);

} // namespace memory::index
